// Spec 2.3 and 4.4: partial refunds never exceed the payment.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Adapter, openSandboxAdapter } from '../contract/adapter.ts'
import {
  createPayment,
  get,
  PAYMENTS,
  planned,
  refundedEvents as refundedEventsOf,
  refund as refundOf,
  settle,
  statusAndCode,
  succeeded,
} from '../contract/caller.ts'

let adapter: Adapter
beforeEach(async () => {
  adapter = await openSandboxAdapter()
})
afterEach(() => adapter.close())

const refund = (id: string, body?: object, headers?: Record<string, string>) => refundOf(adapter, id, body, headers)

const refundedEvents = (id: string) => refundedEventsOf(adapter, id)

describe('4.4 the refundable amount', () => {
  test('pending refunds reserve their amount: more than the remainder is 422, and no remainder is 409', async () => {
    const id = await succeeded(adapter)
    const first = (await refund(id, { amount: 100_000 }, planned('pending'))).body
    expect(statusAndCode(await refund(id, { amount: 50_001 }))).toEqual([422, 'amount_exceeds_remainder'])
    expect((await refund(id)).body.amount).toBe(50_000)
    expect(statusAndCode(await refund(id))).toEqual([409, 'already_refunded'])
    await settle(adapter, 'refunds', first.id, { status: 'failed' })
    expect((await refund(id)).body).toMatchObject({ amount: 100_000, status: 'succeeded' })
    expect((await get(adapter, `${PAYMENTS}/${id}`)).body.status).toBe('refunded')
  })

  test('reserve_pending_refunds=false accepts two pending refunds that exceed the payment', async () => {
    await adapter.arrange.settings({ reserve_pending_refunds: false })
    const id = await succeeded(adapter)
    expect((await refund(id, {}, planned('pending'))).body.amount).toBe(150_000)
    expect((await refund(id, {}, planned('pending'))).body.amount).toBe(150_000)
  })

  test.each(['requires_action', 'pending', 'failed', 'refused:do_not_honor'])(
    'a payment with the plan %s cannot be refunded',
    async (plan) => {
      const { id } = (await createPayment(adapter, { method: 'sbp' }, { headers: planned(plan) })).body.payment
      await adapter.arrange.advance(10_000)
      expect(statusAndCode(await refund(id))).toEqual([409, 'not_refundable'])
    },
  )
})

describe('refunds in any order', () => {
  const AMOUNT = 1000
  const request = fc.record({
    do: fc.constant('refund' as const),
    amount: fc.option(fc.integer({ min: 0, max: AMOUNT + 200 })),
    plan: fc.constantFrom('succeeded', 'succeeded@1s', 'failed', 'failed@2s', 'pending', 'requires_action', 'cut'),
    key: fc.option(fc.constantFrom('a', 'b', 'c')),
  })
  const settlement = fc.record({
    do: fc.constant('settle' as const),
    nth: fc.nat(12),
    status: fc.constantFrom('succeeded', 'failed'),
  })
  const pause = fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 1500 }) })
  // The requests of a batch are sent before any of them has a response.
  const batch = fc.array(fc.oneof({ weight: 4, arbitrary: request }, { weight: 2, arbitrary: settlement }, pause), {
    minLength: 1,
    maxLength: 5,
  })

  test('no order of requests, retries and settlements refunds more than was paid', async () => {
    const run = async (batches: (typeof batch extends fc.Arbitrary<infer T> ? T : never)[]) => {
      const id = await succeeded(adapter, { amount: AMOUNT })
      const made = new Set<string>()
      for (const steps of batches) {
        const ids = [...made]
        await Promise.all(
          steps.map(async (step) => {
            if (step.do === 'advance') return adapter.arrange.advance(step.ms)
            if (step.do === 'settle') {
              const chosen = ids[step.nth % Math.max(ids.length, 1)]
              if (chosen !== undefined)
                expect([200, 409]).toContain((await settle(adapter, 'refunds', chosen, { status: step.status })).status)
              return
            }
            const headers = {
              ...planned(step.plan),
              ...(step.key === null ? {} : { 'Idempotency-Key': `${id} ${step.key}` }),
            }
            // Repeat the request after a cut connection, as a shop would.
            const ask = () => refund(id, step.amount === null ? {} : { amount: step.amount }, headers)
            const reply = await ask().catch(() => (step.key === null ? undefined : ask()))
            if (reply === undefined) return
            expect([200, 201, 409, 422]).toContain(reply.status)
            if (reply.status < 300) made.add(reply.body.id)
          }),
        )
        const payment = (await get(adapter, `${PAYMENTS}/${id}`)).body
        const sum = (status: string) =>
          payment.refunds
            .filter((one: { status: string }) => one.status === status)
            .reduce((total: number, { amount }: { amount: number }) => total + amount, 0)
        expect(payment.amount_refunded).toBe(sum('succeeded'))
        expect(sum('succeeded') + sum('pending')).toBeLessThanOrEqual(AMOUNT)
        expect(payment.status).toBe(sum('succeeded') === AMOUNT ? 'refunded' : 'succeeded')
        expect(await refundedEvents(id)).toHaveLength(payment.refunds.length)
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(batch, { maxLength: 8 }), run), { seed: 20260506, numRuns: 60 })
  })
})
