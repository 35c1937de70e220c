import { expect, it } from 'vitest'
import {
  createAsCurl,
  paymentAsCurl,
  paymentAsPsp,
  paymentScenario,
  payoutAsPsp,
  payoutBody,
  requestAsCurl,
} from '../../src/dashboard/detail/commands.ts'
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

it('the command of a payment names its currency and description, and no reserved metadata', () => {
  const metadata = { cart: '7', mode: 'test', failure_code: 'expired' }
  const payment = { ...PAYMENT, currency: 'USD', description: 'Two tickets', metadata } as ListedPayment
  expect(paymentAsPsp(SERVER, payment)).toBe(
    "npx psp payments create --url http://psp --amount 7000 --currency USD --method sbp --order-id M-1 --description 'Two tickets' --metadata cart=7",
  )
})

it('a payout is copied as a command with the name of the recipient, and as its create request', () => {
  const recipient = { phone: '+79991234567', bank_id: '100000000111', full_name: 'Anna K.' }
  const payout = { amount: 5000, currency: 'RUB', recipient } as never
  expect(payoutAsPsp(SERVER, payout)).toBe(
    "npx psp payouts create --url http://psp --amount 5000 --phone +79991234567 --bank-id 100000000111 --full-name 'Anna K.'",
  )
  expect(createAsCurl('http://psp', 'payouts', payoutBody(payout))).toBe(
    [
      'curl -X POST http://psp/v1/public/payouts',
      '-H "Authorization: Bearer $PSP_API_KEY"',
      "-H 'Content-Type: application/json'",
      `-d '{"amount":5000,"currency":"RUB","phone":"+79991234567","bank_id":"100000000111","full_name":"Anna K."}'`,
    ].join(' \\\n  '),
  )
  const unnamed = { amount: 5000, currency: 'RUB', recipient: { ...recipient, full_name: undefined } } as never
  expect(payoutBody(unnamed)).toEqual({ amount: 5000, currency: 'RUB', phone: '+79991234567', bank_id: '100000000111' })
})

it('a logged request is copied as curl with its body and idempotency key, and a read without them', () => {
  const request = {
    method: 'POST',
    path: '/v1/public/payments',
    idempotency_key: 'k-1',
    request: { body: '{"amount":1}' },
  }
  expect(requestAsCurl('http://psp', request as never)).toBe(
    [
      'curl -X POST http://psp/v1/public/payments',
      '-H "Authorization: Bearer $PSP_API_KEY"',
      "-H 'Idempotency-Key: k-1'",
      "-H 'Content-Type: application/json'",
      `-d '{"amount":1}'`,
    ].join(' \\\n  '),
  )
  expect(requestAsCurl('http://psp', { method: 'GET', path: '/v1/public/payments?limit=1&x=2' } as never)).toBe(
    `curl -X GET 'http://psp/v1/public/payments?limit=1&x=2' \\\n  -H "Authorization: Bearer $PSP_API_KEY"`,
  )
})

it.each([
  ['pending', {}, [], { status: 'pending' }],
  // Nothing brings a payment to this status at once, so its status is not checked.
  ['processing', {}, [], {}],
  ['succeeded', {}, [{ action: 'pay' }], { status: 'succeeded' }],
  [
    'failed',
    { failure_code: 'card_expired' },
    [{ action: 'decline', failure_code: 'card_expired' }],
    { status: 'failed' },
  ],
  ['failed', {}, [{ action: 'decline', failure_code: 'do_not_honor' }], { status: 'failed' }],
])(
  'the scenario of a %s payment with the metadata %j has the steps to this status',
  (status, metadata, acts, expected) => {
    const payment = { ...PAYMENT, id: '3bac26d9-0000', status, metadata, refunds: [] } as unknown as ListedPayment
    expect(paymentScenario(payment)).toEqual({
      name: 'payment-3bac26d9',
      description: `A payment with the status ${status}, saved in the dashboard.`,
      steps: [
        {
          id: 'create',
          do: 'payments.create',
          with: { amount: 7000, currency: 'RUB', method: 'sbp', order_id: 'M-1', outcome: 'requires_action' },
          expect: { 'payment.status': 'pending' },
        },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of scenarios
        ...acts.map((act) => ({ do: 'payments.act', with: { id: '${create.payment.id}', ...act } })),
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of scenarios
        { do: 'payments.get', with: { id: '${create.payment.id}' }, expect: expected },
      ],
    })
  },
)
