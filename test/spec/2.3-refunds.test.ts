// Spec 2.3, 3.2, 4.4: refunds in parts, their outcomes, and the one thing that must never happen.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPayment, get, PAYMENTS, post, type Reply, succeeded } from '../contract/caller.ts'
import { type Door, openSandboxDoor } from '../contract/door.ts'

let door: Door
beforeEach(async () => {
  door = await openSandboxDoor()
})
afterEach(() => door.close())

const control = async (path: string) => (await get(door, `/_psp${path}`, { key: null })).body
const refund = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  post(door, `${PAYMENTS}/${id}/refund`, body, { headers })
const settle = (id: string, status: string) =>
  post(door, `/_psp/refunds/${id}/act`, { action: 'settle', status }, { key: null })
const said = ({ status, body }: Reply) => [status, body.error?.code]
const planned = (plan: string) => ({ 'X-PSP-Simulate': plan })

async function refundedEvents(id: string): Promise<{ data: { refunds: { id: string; status: string }[] } }[]> {
  return (await control(`/events?object_id=${id}&event=payment.refunded`)).items.toReversed()
}

describe('2.3 and 3.2 the outcomes of a refund', () => {
  test('succeeds in the same step; completed_at is then there', async () => {
    const id = await succeeded(door)
    const { body } = await refund(id, { amount: 100, reason: 'one of two' })
    expect(body).toMatchObject({ status: 'succeeded', reason: 'one of two', completed_at: body.created_at })
  })

  test('fails where the simulator says so: the amount is free again', async () => {
    const id = await succeeded(door)
    const { body } = await refund(id, { amount: 150_000 }, planned('failed'))
    expect(body).toMatchObject({ status: 'failed', completed_at: expect.any(String) })
    const payment = (await get(door, `${PAYMENTS}/${id}`)).body
    expect(payment).toMatchObject({ status: 'succeeded', amount_refunded: 0, refunds: [{ status: 'failed' }] })
    expect((await refund(id)).body.amount).toBe(150_000)
  })

  test('stays pending until it is settled; then completed_at, amount_refunded and status follow', async () => {
    const id = await succeeded(door)
    const { body } = await refund(id, {}, planned('pending'))
    expect((await get(door, `${PAYMENTS}/${id}`)).body).toMatchObject({ status: 'succeeded', amount_refunded: 0 })
    await door.arrange.advance(3_600_000)
    expect((await settle(body.id, 'succeeded')).body).toMatchObject({ status: 'succeeded' })
    const payment = (await get(door, `${PAYMENTS}/${id}`)).body
    expect(payment).toMatchObject({ status: 'refunded', amount_refunded: 150_000 })
    const { created_at, completed_at } = payment.refunds[0]
    expect(Date.parse(completed_at) - Date.parse(created_at)).toBe(3_600_000)
    expect(said(await settle(body.id, 'failed'))).toEqual([409, 'not_allowed'])
  })

  test('delays.refund lets it settle later', async () => {
    await door.arrange.settings({ 'delays.refund': '5s' })
    const id = await succeeded(door)
    expect((await refund(id)).body.status).toBe('pending')
    await door.arrange.advance(4999)
    expect((await get(door, `${PAYMENTS}/${id}`)).body.status).toBe('succeeded')
    await door.arrange.advance(1)
    expect((await get(door, `${PAYMENTS}/${id}`)).body.status).toBe('refunded')
  })

  test.each([
    [10_031, 'failed'],
    [10_032, 'pending'],
  ])('the magic amount %i makes its refunds %s', async (amount, status) => {
    const id = await succeeded(door, { amount })
    expect((await refund(id)).body.status).toBe(status)
  })
})

describe('4.4 the remainder', () => {
  test('pending refunds reserve their part: too much is 422, nothing left is 409', async () => {
    const id = await succeeded(door)
    const first = (await refund(id, { amount: 100_000 }, planned('pending'))).body
    expect(said(await refund(id, { amount: 50_001 }))).toEqual([422, 'amount_exceeds_remainder'])
    expect((await refund(id)).body.amount).toBe(50_000)
    expect(said(await refund(id))).toEqual([409, 'already_refunded'])
    await settle(first.id, 'failed')
    expect((await refund(id)).body).toMatchObject({ amount: 100_000, status: 'succeeded' })
    expect((await get(door, `${PAYMENTS}/${id}`)).body.status).toBe('refunded')
  })

  test('reserve_pending_refunds: false reproduces the race in which two pending ones are both taken', async () => {
    await door.arrange.settings({ reserve_pending_refunds: false })
    const id = await succeeded(door)
    expect((await refund(id, {}, planned('pending'))).body.amount).toBe(150_000)
    expect((await refund(id, {}, planned('pending'))).body.amount).toBe(150_000)
  })

  test.each(['requires_action', 'pending', 'failed', 'refused:do_not_honor'])(
    'a payment planned as %s has nothing to refund',
    async (plan) => {
      const { id } = (await createPayment(door, { method: 'sbp' }, { headers: planned(plan) })).body.payment
      await door.arrange.advance(10_000)
      expect(said(await refund(id))).toEqual([409, 'not_refundable'])
    },
  )
})

describe('3.2 and 6.1 what is told', () => {
  test('one payment.refunded for each refund, at its creation, also a pending or failed one; no second at the end', async () => {
    const id = await succeeded(door)
    const pending = (await refund(id, { amount: 10 }, planned('pending'))).body
    await refund(id, { amount: 20 }, planned('failed'))
    await refund(id, { amount: 30 })
    await settle(pending.id, 'succeeded')
    await refund(id)
    const events = await refundedEvents(id)
    expect(events.map(({ data }) => data.refunds.map(({ status }) => status))).toEqual([
      ['pending'],
      ['pending', 'failed'],
      ['pending', 'failed', 'succeeded'],
      ['succeeded', 'failed', 'succeeded', 'succeeded'],
    ])
  })

  test('a replayed or refused request tells nothing', async () => {
    const id = await succeeded(door)
    await refund(id, { amount: 1 }, { 'Idempotency-Key': 'k' })
    await refund(id, { amount: 1 }, { 'Idempotency-Key': 'k' })
    await refund(id, { amount: 150_000 })
    expect(await refundedEvents(id)).toHaveLength(1)
  })
})

describe('no interleaving refunds more than was paid', () => {
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
  // Those of one batch are sent before any of them is answered.
  const batch = fc.array(fc.oneof({ weight: 4, arbitrary: request }, { weight: 2, arbitrary: settlement }, pause), {
    minLength: 1,
    maxLength: 5,
  })

  test('whatever is asked, retried, settled at once or late', async () => {
    const run = async (batches: (typeof batch extends fc.Arbitrary<infer T> ? T : never)[]) => {
      const id = await succeeded(door, { amount: AMOUNT })
      const made = new Set<string>()
      for (const steps of batches) {
        const ids = [...made]
        await Promise.all(
          steps.map(async (step) => {
            if (step.do === 'advance') return door.arrange.advance(step.ms)
            if (step.do === 'settle') {
              const chosen = ids[step.nth % Math.max(ids.length, 1)]
              if (chosen !== undefined) expect([200, 409]).toContain((await settle(chosen, step.status)).status)
              return
            }
            const headers = {
              ...planned(step.plan),
              ...(step.key === null ? {} : { 'Idempotency-Key': `${id} ${step.key}` }),
            }
            // A cut connection is asked again, as a shop would.
            const ask = () => refund(id, step.amount === null ? {} : { amount: step.amount }, headers)
            const reply = await ask().catch(() => (step.key === null ? undefined : ask()))
            if (reply === undefined) return
            expect([200, 201, 409, 422]).toContain(reply.status)
            if (reply.status < 300) made.add(reply.body.id)
          }),
        )
        const payment = (await get(door, `${PAYMENTS}/${id}`)).body
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
  }, 60_000)
})
