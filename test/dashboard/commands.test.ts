import { expect, it } from 'vitest'
import { paymentAsCurl, paymentAsPsp } from '../../src/dashboard/detail/commands.ts'
import type { ListedPayment } from '../../src/view-model/rows/rows.ts'

const PAYMENT = {
  amount: 7000,
  currency: 'RUB',
  method: 'sbp',
  order_id: 'M-1',
  metadata: {
    cart: "it's 7",
    simulate: 'failed:card_expired',
    mode: 'test',
    simulator_outcome: 'failed',
    simulator_failure_code: 'card_expired',
    failure_code: 'card_expired',
  },
} as unknown as ListedPayment

it('a payment as curl has its metadata and its outcome', () => {
  expect(paymentAsCurl('http://psp', PAYMENT)).toBe(
    [
      'curl -X POST http://psp/v1/public/payments',
      '-H "Authorization: Bearer $PSP_API_KEY"',
      "-H 'Content-Type: application/json'",
      "-H 'X-PSP-Simulate: failed:card_expired'",
      String.raw`-d '{"amount":7000,"currency":"RUB","method":"sbp","order_id":"M-1","metadata":{"cart":"it'\''s 7"}}'`,
    ].join(' \\\n  '),
  )
})

it('a payment as a command has its metadata and its outcome', () => {
  expect(paymentAsPsp(PAYMENT)).toBe(
    String.raw`psp payments create --amount 7000 --method sbp --order-id M-1 --metadata 'cart=it'\''s 7' --outcome failed:card_expired`,
  )
})

it('a payment without a planned outcome is copied without one', () => {
  const payment = { ...PAYMENT, metadata: { mode: 'live' } }
  expect(paymentAsCurl('http://psp', payment)).not.toMatch(/Simulate|metadata/)
  expect(paymentAsPsp(payment)).toBe('psp payments create --amount 7000 --method sbp --order-id M-1')
})
