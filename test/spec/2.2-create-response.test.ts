// Spec 2.2 and 5.2: the create response in test mode and in live mode.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PAYMENT_METHODS } from '../../src/domain/payment-methods.ts'
import { type Adapter, openSandboxAdapter } from '../contract/adapter.ts'
import { createPayment, get, PAYMENTS } from '../contract/caller.ts'
import { receiver } from '../delivery/receiver.ts'

let adapter: Adapter
beforeEach(async () => {
  adapter = await openSandboxAdapter()
})
afterEach(() => adapter.close())

const planned = (plan: string) => ({ headers: { 'X-PSP-Simulate': plan } })

describe('2.2 in test mode', () => {
  test.each([
    ['succeeded', 'succeeded', undefined],
    ['failed:insufficient_funds', 'failed', 'insufficient_funds'],
    ['failed', 'failed', 'do_not_honor'],
    ['refused:limit_exceeded', 'failed', 'limit_exceeded'],
    ['requires_action', 'requires_action', undefined],
    ['pending', 'pending', undefined],
  ])('the plan %s is shown as the simulator outcome %s, also in the metadata', async (plan, simulator, code) => {
    const { body } = await createPayment(adapter, { method: 'cards' }, planned(plan))
    expect(body).toMatchObject({ mode: 'test', idempotent: false, simulator })
    expect(body.payment.metadata['simulator_outcome']).toBe(simulator)
    expect(body.payment.metadata['simulator_failure_code']).toBe(code)
    expect(body).not.toHaveProperty('bank')
    expect(body).not.toHaveProperty('bank_ref')
  })

  test('a synchronous refusal has failure_code and failure_message, and its webhook is sent after the response', async () => {
    let replied = false
    const before: boolean[] = []
    const hook = await receiver((response) => {
      before.push(!replied)
      response.end()
    })
    const { status, body } = await createPayment(adapter, { webhook_url: hook.url }, planned('refused:card_expired'))
    replied = true
    expect([status, body.payment.status]).toEqual([201, 'failed'])
    expect(body).toMatchObject({ failure_code: 'card_expired', failure_message: expect.stringMatching(/card expired/) })
    expect(body.payment.metadata).toMatchObject({ failure_code: 'card_expired', bank_failure_code: '54' })
    await adapter.arrange.advance(1)
    expect(hook.received.map(({ body }) => JSON.parse(body.toString()).event)).toEqual(['payment.failed'])
    expect(before).toEqual([false])
  })

  test('other responses have neither, and payment_url leads to the hosted page for each method', async () => {
    for (const method of PAYMENT_METHODS) {
      const { body } = await createPayment(adapter, { method })
      expect(body).not.toHaveProperty('failure_code')
      expect(body).not.toHaveProperty('failure_message')
      expect(new URL(body.payment_url).pathname).toBe(`/pay/${body.payment.id}`)
    }
  })
})

describe('2.2 and 5.2 in live mode', () => {
  let key: string
  beforeEach(async () => {
    await adapter.arrange.shop({ merchant_id: adapter.shop.merchant_id, live_enabled: true })
    key = await adapter.arrange.key(adapter.shop.shop_id, 'live')
  })

  test('a payment with a fixed method has bank and bank_ref at once', async () => {
    const { body } = await createPayment(adapter, { method: 'sbp' }, { key })
    expect(body).toMatchObject({ mode: 'live', bank: expect.any(String), bank_ref: expect.stringMatching(/^\d+$/) })
    expect(body.payment.metadata).toEqual({ mode: 'live', bank_ref: body.bank_ref })
  })

  test('a payment with the method any gets bank and bank_ref with its session', async () => {
    const { body } = await createPayment(adapter, {}, { key })
    expect(Object.keys(body).sort()).toEqual(['idempotent', 'mode', 'payment', 'payment_url'])
    expect(body.payment.metadata).toEqual({ mode: 'live' })
    await adapter.arrange.advance(10_000)
    const after = (await get(adapter, `${PAYMENTS}/${body.payment.id}`, { key })).body
    expect(after).toMatchObject({ status: 'succeeded', metadata: { bank_ref: expect.stringMatching(/^\d+$/) } })
  })

  test('in live mode magic amounts are ordinary, the header works, and a refusal has codes but no simulator', async () => {
    expect((await createPayment(adapter, { amount: 10_093 }, { key })).status).toBe(201)
    const { body } = await createPayment(adapter, { method: 'sbp' }, { key, ...planned('refused:do_not_honor') })
    expect(body).toMatchObject({ mode: 'live', failure_code: 'do_not_honor' })
    expect(Object.keys(body.payment.metadata).filter((name) => name.startsWith('simulator'))).toEqual([])
  })
})
