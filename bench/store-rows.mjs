// Creates rows of the same size as those of the engine, for measurements of the store.
import { randomBytes, randomUUID } from 'node:crypto'

const shop = { merchant_id: randomUUID(), shop_id: randomUUID() }

export function payment(n) {
  const at = 1_700_000_000_000 + n
  return {
    id: randomUUID(),
    ...shop,
    mode: 'test',
    order_id: `order-${n}`,
    amount: 10_000 + n,
    amount_refunded: 0,
    amount_usdt: 1.25,
    currency: 'RUB',
    method: 'sbp',
    status: 'pending',
    created_at: at,
    expires_at: at + 86_400_000,
    metadata: { mode: 'test', customer_id: `cus-${n % 1000}`, simulator_outcome: 'succeeded' },
    plan: { outcome: 'succeeded', decided_by: 'default' },
    customer_id: `cus-${n % 1000}`,
    return_url: 'https://shop.example/return',
    description: 'A cup of coffee',
  }
}

/** Creates the commit of the engine for a create request. */
export function createCommit(n) {
  const row = { ...payment(n), seq: n * 2 ** 20, step: 'open_session', step_at: 1.7e12 }
  return commit([
    ['payments', row],
    [
      'idempotency',
      { id: `${shop.merchant_id}:test:key-${n}`, fingerprint: 'f'.repeat(64), object_id: row.id, expires_at: 1.8e12 },
    ],
  ])
}

/** Creates the commit of the engine for the result of the bank: the payment, its event, and a delivery. */
export function settleCommit(row, n) {
  const { merchant_id, shop_id } = row
  const { step, step_at, seq, ...rest } = row
  const done = {
    ...rest,
    status: 'succeeded',
    finalized_at: 1.7e12,
    captured_at: 1.7e12,
    rrn: String(n).padStart(12, '0'),
  }
  const event = {
    id: `evt_${randomUUID()}`,
    event: 'payment.succeeded',
    created_at: 1.7e12,
    merchant_id,
    shop_id,
    object_id: row.id,
    body: JSON.stringify({ id: 'evt_', event: 'payment.succeeded', data: done }),
  }
  const delivery = {
    id: `dlv_${randomUUID()}`,
    event_id: event.id,
    event: event.event,
    object_id: row.id,
    merchant_id,
    shop_id,
    url: 'http://127.0.0.1:3000/hooks',
    status: 'delivered',
    created_at: 1.7e12,
    attempts: [attempt(event.id)],
  }
  return commit([
    ['payments', done],
    ['events', event],
    ['deliveries', delivery],
  ])
}

function attempt(id) {
  const signature = `t=1700000000,v1=${randomBytes(32).toString('hex')},v2=${randomBytes(32).toString('hex')}`
  const headers = [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'psp-webhook/1.0'],
    ['X-PSP-Event-Id', id],
    ['X-PSP-Timestamp', '1700000000'],
    ['X-PSP-Signature', signature],
  ]
  return { number: 1, at: 1.7e12, sent_at: 1.7e12, ms: 4, status: 200, request_headers: headers, response_headers: [] }
}

export function commit(pairs) {
  return { clear: [], deletes: [], puts: pairs.map(([table, row]) => ({ table, row })), stream: [], reply: null }
}
