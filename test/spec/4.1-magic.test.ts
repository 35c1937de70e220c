// Spec 4.1 and 7: the effects of magic amounts and descriptions, from the request to the end of the payment.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Adapter, openSandboxAdapter } from '../contract/adapter.ts'
import { createPayment, get, PAYMENTS } from '../contract/caller.ts'

let adapter: Adapter
beforeEach(async () => {
  adapter = await openSandboxAdapter()
})
afterEach(() => adapter.close())

const END = 25 * 60_000

describe('magic amounts', () => {
  test.each([
    ['05', 'sbp', 'do_not_honor', 'I05005'],
    ['17', 'sbp', 'rejected_by_payer', 'I05043'],
    ['51', 'sbp', 'insufficient_funds', 'I05051'],
    ['54', 'cards', 'card_expired', '54'],
    ['57', 'sbp', 'transaction_not_allowed', 'I05057'],
    ['59', 'cards', 'fraud_suspected', '59'],
    ['61', 'tpay', 'limit_exceeded', 'I05061'],
    ['65', 'cards', 'frequency_exceeded', '65'],
    ['91', 'sberpay', 'issuer_unavailable', 'I05091'],
    ['96', 'recurrent', 'processing_error', '96'],
  ])(
    'an amount that ends with %s by %s fails with %s, at the bank %s',
    async (kopeks, method, failure_code, bank_failure_code) => {
      for (const amount of [`100${kopeks}`, `1500${kopeks}`].map(Number)) {
        const { body } = await createPayment(adapter, { amount, method })
        expect(body).toMatchObject({ simulator: 'failed', payment: { status: 'pending' } })
        await adapter.arrange.advance(END)
        const payment = (await get(adapter, `${PAYMENTS}/${body.payment.id}`)).body
        expect(payment).toMatchObject({ status: 'failed', metadata: { failure_code, bank_failure_code } })
        expect(payment).not.toHaveProperty('rrn')
        expect(payment).not.toHaveProperty('captured_at')
      }
    },
  )

  test.each([
    ['01', 'requires_action', 'pending'],
    ['68', 'pending', 'expired'],
    ['31', 'succeeded', 'succeeded'],
    ['32', 'succeeded', 'succeeded'],
  ])('an amount that ends with %s has the plan %s and becomes %s', async (kopeks, simulator, status) => {
    const { body } = await createPayment(adapter, { amount: Number(`100${kopeks}`), method: 'sbp' })
    expect(body.simulator).toBe(simulator)
    await adapter.arrange.advance(END)
    expect((await get(adapter, `${PAYMENTS}/${body.payment.id}`)).body.status).toBe(status)
  })

  test.each([
    ['29', 429, 'rate_limited'],
    ['58', 403, 'forbidden_purpose'],
    ['93', 403, 'aml_blocked'],
    ['98', 500, 'internal_error'],
  ])('an amount that ends with %s is rejected with %i %s', async (kopeks, status, code) => {
    const reply = await createPayment(adapter, { amount: Number(`100${kopeks}`) })
    expect([reply.status, reply.body.error.code]).toEqual([status, code])
  })

  test.each([
    ['73', 'do_not_honor'],
    ['74', 'insufficient_funds'],
  ])('an amount that ends with %s is refused at once with %s', async (kopeks, failure_code) => {
    const { body } = await createPayment(adapter, { amount: Number(`100${kopeks}`) })
    expect(body).toMatchObject({ failure_code, payment: { status: 'failed' } })
  })

  test('an amount that ends with 97 cuts the connection, and the retry with the key returns the payment', async () => {
    const headers = { 'Idempotency-Key': 'cut' }
    await expect(createPayment(adapter, { amount: 10_097 }, { headers })).rejects.toThrow()
    expect((await createPayment(adapter, { amount: 10_097 }, { headers })).body).toMatchObject({ idempotent: true })
  })

  test.each([9951, 51, 10_151, 100_551, 10_000])('the amount %i is an ordinary price', async (amount) => {
    expect((await createPayment(adapter, { amount })).body.simulator).toBe('succeeded')
  })
})

test('a description with FORBIDDEN_PURPOSE is rejected unless magic is off', async () => {
  const ask = () => createPayment(adapter, { description: 'for FORBIDDEN_PURPOSE only' })
  expect((await ask()).body.error.code).toBe('forbidden_purpose')
  await adapter.arrange.settings({ magic: false })
  expect((await ask()).status).toBe(201)
})
