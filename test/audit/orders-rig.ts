// Audits a shop of JSON orders with probes of its balance, of its orders or of both.
import { CHECKS } from '../../src/audit/checks.ts'
import { createProbe } from '../../src/audit/probe.ts'
import { runAudit } from '../../src/audit/run.ts'
import { createSend } from '../../src/audit/send.ts'
import { seededRandomness } from '../../src/time/random.ts'
import { SECRET, systemClock } from './rig.ts'
import { shop, type WebhookEvent } from './shop.ts'

export const EFFECTS = ['duplicates', 'out_of_order', 'partial_refunds', 'late_expiry']

export type Order = Record<string, unknown>
export type Handle = (event: WebhookEvent, order: Order, ledger: { sum: number }) => void

/** @param more the additional fields of each reading of an order */
export async function auditOrders(
  handle: Handle,
  probes: readonly ('balance' | 'orders/{order_id}')[],
  only = EFFECTS,
  more: () => object = () => ({}),
) {
  seen.clear()
  const orders = new Map<string, Order>()
  const ledger = { sum: 0 }
  const made = shop(SECRET, systemClock.now, {
    handle(event) {
      const order = orders.get(event.data.order_id) ?? { order_id: event.data.order_id }
      orders.set(event.data.order_id, order)
      handle(event, order, ledger)
    },
  })
  const random = seededRandomness(1)
  let made_orders = 0
  return await runAudit({
    target: 'http://shop.test/hooks',
    checks: CHECKS.filter(({ id }) => only.includes(id)),
    ground: () => ({
      secret: SECRET,
      now: systemClock.now(),
      random,
      amount: 150_000,
      order: () => `order-${++made_orders}`,
      metadata: {},
    }),
    send: createSend({
      url: 'http://shop.test/hooks',
      fetch: made.fetch,
      timeout: 15_000,
      pause: 1,
      headers: [],
      systemClock,
    }),
    probes: probes.map((label) =>
      createProbe({
        label,
        own: label !== 'balance',
        rest: 1,
        systemClock,
        async read({ order_id }) {
          if (label === 'balance') return { text: JSON.stringify({ balance: ledger.sum }) }
          const order = orders.get(order_id)
          return order === undefined
            ? { text: '', note: 'answered 404' }
            : { text: JSON.stringify({ ...order, ...more() }) }
        },
      }),
    ),
    known: [],
  })
}

const seen = new Set<string>()

export function once({ id }: WebhookEvent): boolean {
  const first = !seen.has(id)
  seen.add(id)
  return first
}

let rows = 0

/** Returns a number that was not used before. */
export const nextRow = (): number => ++rows

/** A correct handler whose orders contain generated ids and times. */
export const right: Handle = (event, order, ledger) => {
  if (!once(event)) return
  const { data } = event
  if (!/succeeded|refunded/.test(event.event)) {
    order['tries'] = [...((order['tries'] as string[] | undefined) ?? []), `${data.id} ${data.status}`]
    return
  }
  const before = Number(order['refunded'] ?? 0)
  const refunded = Math.max(before, data.amount_refunded)
  ledger.sum += (order['status'] === undefined ? data.amount : 0) - (refunded - before)
  order['id'] ??= ++rows
  order['order_id'] = data.order_id
  order['payment_id'] = data.id
  order['link'] = `/payments/${data.id}`
  order['status'] = 'paid'
  order['refunded'] = refunded
  order['received'] = data.amount
  order['updated_at'] = new Date(Date.UTC(2026, 4, 6, 12) + ++rows * 1000).toISOString()
}
