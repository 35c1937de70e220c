/** A message of the event stream, for clients that cannot read the stream. */
export const CHANGED_MESSAGE = {
  kind: 'payment.status_changed',
  payload: {
    id: '7db84d52-55fd-4e43-9706-18958b84ba13',
    status: 'processing',
    amount: 100,
    currency: 'RUB',
    order_id: 'A-1',
    previous_status: 'pending',
  },
  at: '2026-05-06T12:00:00.000Z',
}

/** The output of the same program in each language. */
export const EXPECTED_RESULTS = {
  status: 'pending',
  replayed: true,
  refused: 'not_refundable',
  paid: 'succeeded',
  captured: true,
  refunded: 50_000,
  cancelled: 'cancelled',
  banks: 218,
  payout: 'succeeded',
  clock: 'frozen',
  advanced: 1200,
  delay: '2s',
  fault: 'A-*',
  rule: ['failed:call_issuer', 'succeeded'],
  gone: 'not_found',
  key: 'sk_test_',
  listed: 1,
  message: 'pending',
}
