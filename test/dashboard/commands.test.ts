import { expect, it } from 'vitest'
import { paymentAsCurl, paymentAsPsp, payoutAsPsp } from '../../src/dashboard/detail/commands.ts'
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

const SERVER = { base: 'http://psp', command: 'npx psp' }

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
  expect(paymentAsPsp(SERVER, PAYMENT)).toBe(
    String.raw`npx psp payments create --url http://psp --amount 7000 --method sbp --order-id M-1 --metadata 'cart=it'\''s 7' --outcome failed:card_expired`,
  )
})

it('a payment without a planned outcome is copied without one', () => {
  const payment = { ...PAYMENT, metadata: { mode: 'live' } }
  expect(paymentAsCurl('http://psp', payment)).not.toMatch(/Simulate|metadata/)
  expect(paymentAsPsp(SERVER, payment)).toBe(
    'npx psp payments create --url http://psp --amount 7000 --method sbp --order-id M-1',
  )
})

it('the command of a payout names the server and the way in which psp was started', () => {
  const payout = { amount: 5000, recipient: { phone: '+79991234567', bank_id: '100000000111' } } as never
  expect(payoutAsPsp(SERVER, payout)).toBe(
    'npx psp payouts create --url http://psp --amount 5000 --phone +79991234567 --bank-id 100000000111',
  )
})
