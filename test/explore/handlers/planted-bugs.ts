// Handlers with one planted bug each, and the rules of an exploration that may find it.
import type { OracleId } from '../../../src/explore/violation.ts'
import { Rows, statusOf } from './correct.ts'
import { type Handler, type NamedHandler, query, type WebhookEvent } from './handler.ts'

export interface PlantedBug extends NamedHandler {
  readonly found_by: readonly OracleId[]
  /** The bug shows only if messages are handled at the same moment. */
  readonly race?: true
}

/** A shop with one row per order, as small shops have it. Each bug changes one part. */
interface Order {
  status: string
  received: number
  refunded: number
  shipped: number
  payments: Set<string>
}

class Shop {
  readonly orders = new Map<string, Order>()
  readonly seen = new Set<string>()
  readonly rows = new Rows()
  balance = 0
  newest: string | undefined

  order(id = ''): Order {
    const order = this.orders.get(id) ?? { status: 'new', received: 0, refunded: 0, shipped: 0, payments: new Set() }
    this.orders.set(id, order)
    return order
  }

  view(id: string): unknown {
    const order = this.orders.get(id)
    return order === undefined ? undefined : { ...order, payments: [...order.payments] }
  }
}

/** @param work handles one event. A number is the status; the default is 200 */
function bug(work: (event: WebhookEvent, shop: Shop) => Promise<unknown>): () => Handler {
  return () => {
    const shop = new Shop()
    return {
      handle: async (event) => Number((await work(event, shop)) ?? 200),
      order: (id) => shop.view(id),
      balance: () => ({ balance: shop.balance }),
    }
  }
}

/** Brings the row of the order up to date with the true state. Returns the change of its balance. */
function settle(event: WebhookEvent, shop: Shop): number {
  const { order_id, id, status } = event.data
  const before = shop.rows.balance()
  shop.rows.apply(event)
  const change = shop.rows.balance() - before
  if (order_id === undefined) return change
  const order = shop.order(order_id)
  const payments = shop.rows.payments(order_id)
  const paid = payments.filter((payment) => /succeeded|refunded/.test(payment.status))
  order.status = statusOf(payments)
  order.received = paid.reduce((sum, { amount }) => sum + amount, 0)
  order.refunded = paid.reduce((sum, { refunded }) => sum + refunded, 0)
  if (/succeeded|refunded/.test(status)) order.payments.add(id)
  order.shipped = order.payments.size
  return change
}

/** Returns what one event adds to the balance, if each event counts once. */
function creditOf({ event, data }: WebhookEvent, shop: Shop): number {
  if (event === 'payment.succeeded') return data.amount
  if (event === 'payout.succeeded') return -data.amount
  if (event !== 'payment.refunded') return 0
  const known = shop.rows.payments(data.order_id ?? '').find(({ id }) => id === data.id)?.refunded ?? 0
  return Math.min(0, known - data.amount_refunded)
}

/** Handles an event once and correctly. */
function right(event: WebhookEvent, shop: Shop): void {
  shop.balance += settle(event, shop)
}

const isPaid = ({ event }: WebhookEvent) => event === 'payment.succeeded'
const isRefund = ({ event }: WebhookEvent) => event === 'payment.refunded'
const isFailure = ({ event }: WebhookEvent) => /failed|expired|cancelled/.test(event) && event.startsWith('payment')
const lastRefund = ({ data }: WebhookEvent) => data.refunds?.at(-1)

function isRepeated({ id }: WebhookEvent, { seen }: Shop): boolean {
  const was = seen.has(id)
  seen.add(id)
  return was
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'credits each copy of a payment',
    found_by: ['idempotence', 'money'],
    create: bug(async (event, shop) => {
      const credit = creditOf(event, shop)
      settle(event, shop)
      shop.balance += credit
    }),
  },
  {
    name: 'ships each copy of a payment',
    found_by: ['idempotence', 'money', 'convergence'],
    create: bug(async (event, shop) => {
      const { shipped } = shop.order(event.data.order_id)
      right(event, shop)
      shop.order(event.data.order_id).shipped = shipped + (isPaid(event) ? 1 : 0)
    }),
  },
  {
    name: 'checks for a known event before a query, and stores it afterwards',
    found_by: ['money', 'convergence'],
    race: true,
    create: bug(async (event, shop) => {
      if (shop.seen.has(event.id)) return
      await query()
      const credit = creditOf(event, shop)
      settle(event, shop)
      shop.balance += credit
      shop.seen.add(event.id)
    }),
  },
  {
    name: 'writes back a balance that it read before a query',
    found_by: ['money'],
    race: true,
    create: bug(async (event, shop) => {
      const before = shop.balance
      const change = settle(event, shop)
      await query()
      if (change !== 0) shop.balance = before + change
    }),
  },
  {
    name: 'writes back an order that it read before a query',
    found_by: ['money', 'truth', 'convergence', 'no_way_back'],
    race: true,
    create: bug(async (event, shop) => {
      if (isRepeated(event, shop)) return
      const { order_id } = event.data
      const before = { ...shop.order(order_id) }
      await query()
      shop.balance += settle(event, shop)
      const after = { ...shop.order(order_id) }
      const merged = isRefund(event) ? { ...before, refunded: after.refunded, status: after.status } : { ...after }
      if (isPaid(event)) Object.assign(merged, { refunded: before.refunded })
      shop.orders.set(order_id ?? '', merged)
    }),
  },
  {
    name: 'lets the last event set the status',
    found_by: ['no_way_back', 'truth', 'convergence'],
    create: bug(async (event, shop) => {
      right(event, shop)
      const { order_id, status } = event.data
      if (order_id !== undefined) shop.order(order_id).status = status
    }),
  },
  {
    name: 'lets an expired payment close a paid order',
    found_by: ['no_way_back', 'truth'],
    create: bug(async (event, shop) => {
      right(event, shop)
      if (event.event === 'payment.expired') shop.order(event.data.order_id).status = 'closed'
    }),
  },
  {
    name: 'lets a cancelled payment close a paid order',
    found_by: ['no_way_back', 'truth'],
    create: bug(async (event, shop) => {
      right(event, shop)
      if (event.event === 'payment.cancelled') shop.order(event.data.order_id).status = 'cancelled'
    }),
  },
  {
    name: 'subtracts the total of the refunds each time',
    found_by: ['money', 'idempotence'],
    create: bug(async (event, shop) => {
      if (isRepeated(event, shop)) return
      const change = settle(event, shop)
      shop.balance += isRefund(event) ? -event.data.amount_refunded : isPaid(event) ? event.data.amount : change
    }),
  },
  {
    name: 'shows a part refund as refunded',
    found_by: ['truth'],
    create: bug(async (event, shop) => {
      right(event, shop)
      if (shop.order(event.data.order_id).refunded > 0) shop.order(event.data.order_id).status = 'refunded'
    }),
  },
  {
    name: 'shows a failed or pending refund as refunded',
    found_by: ['truth', 'no_way_back'],
    create: bug(async (event, shop) => {
      right(event, shop)
      if (isRefund(event) && event.data.amount_refunded === 0) shop.order(event.data.order_id).status = 'refunded'
    }),
  },
  {
    name: 'subtracts a refund that failed',
    found_by: ['money'],
    create: bug(async (event, shop) => {
      if (isRepeated(event, shop)) return
      const change = settle(event, shop)
      shop.balance += isRefund(event) ? -(lastRefund(event)?.amount ?? 0) : isPaid(event) ? event.data.amount : change
    }),
  },
  {
    name: 'ignores a refund that arrives before its payment',
    found_by: ['money', 'convergence'],
    create: bug(async (event, shop) => {
      const { order_id, id } = event.data
      if (isRefund(event) && !shop.rows.payments(order_id ?? '').some((payment) => payment.id === id)) return
      right(event, shop)
    }),
  },
  {
    name: 'resets the refunded amount if the payment arrives late',
    found_by: ['money', 'convergence', 'truth', 'no_way_back'],
    create: bug(async (event, shop) => {
      right(event, shop)
      if (isPaid(event)) Object.assign(shop.order(event.data.order_id), { refunded: 0, status: 'paid' })
    }),
  },
  {
    name: 'stores an event before it fails on it',
    found_by: ['money', 'convergence', 'truth'],
    create: bug(async (event, shop) => {
      if (isRepeated(event, shop)) return
      const { order_id, id } = event.data
      if (isRefund(event) && !shop.rows.payments(order_id ?? '').some((payment) => payment.id === id)) return 500
      right(event, shop)
    }),
  },
  {
    name: 'responds 409 to a known event',
    found_by: ['availability'],
    create: bug(async (event, shop) => {
      if (isRepeated(event, shop)) return 409
      right(event, shop)
    }),
  },
  {
    name: 'responds 500 to a cancelled payment',
    found_by: ['availability'],
    create: bug(async (event, shop) => {
      if (event.event === 'payment.cancelled') return 500
      right(event, shop)
    }),
  },
  {
    name: 'responds 500 to a late failure of a paid order',
    found_by: ['availability'],
    create: bug(async (event, shop) => {
      if (isFailure(event) && shop.order(event.data.order_id).received > 0) return 500
      right(event, shop)
    }),
  },
  {
    name: 'refunds the newest order',
    found_by: ['isolation', 'money', 'truth', 'convergence'],
    create: bug(async (event, shop) => {
      const { order_id } = event.data
      if (isPaid(event)) shop.newest = order_id
      right(event, shop)
      if (!isRefund(event) || shop.newest === order_id || shop.newest === undefined) return
      shop.order(shop.newest).refunded += event.data.amount_refunded
    }),
  },
  {
    name: 'keeps an order refunded that is paid again',
    found_by: ['truth', 'no_way_back'],
    create: bug(async (event, shop) => {
      const was = shop.order(event.data.order_id).status
      right(event, shop)
      if (was === 'refunded') shop.order(event.data.order_id).status = was
    }),
  },
  {
    name: 'subtracts a payout that failed',
    found_by: ['money'],
    create: bug(async (event, shop) => {
      if (isRepeated(event, shop)) return
      right(event, shop)
      if (event.event === 'payout.failed') shop.balance -= event.data.amount
    }),
  },
  {
    name: 'knows refunds by their payment',
    found_by: ['money', 'truth', 'convergence'],
    create: bug(async (event, shop) => {
      const key = `${event.data.id} ${event.event}`
      if (shop.seen.has(key)) return
      shop.seen.add(key)
      right(event, shop)
    }),
  },
  {
    name: 'drops an event while another one of the order is handled',
    found_by: ['money', 'truth', 'convergence'],
    race: true,
    create: bug(async (event, shop) => {
      const order = event.data.order_id ?? ''
      if (shop.seen.has(order)) return
      shop.seen.add(order)
      await query()
      right(event, shop)
      shop.seen.delete(order)
    }),
  },
  {
    name: 'rounds amounts to whole roubles',
    found_by: ['money'],
    create: bug(async (event, shop) => {
      const change = settle(event, shop)
      shop.balance += Math.round(change / 100) * 100
    }),
  },
  {
    name: 'ignores a payment of an expired order',
    found_by: ['money', 'truth', 'convergence'],
    create: bug(async (event, shop) => {
      const order = event.data.order_id ?? ''
      if (event.event === 'payment.expired') shop.seen.add(order)
      if (isPaid(event) && shop.seen.has(order)) return
      right(event, shop)
    }),
  },
  {
    name: 'lists each of two copies at once',
    found_by: ['convergence', 'idempotence', 'money'],
    race: true,
    create: bug(async (event, shop) => {
      const { order_id, id } = event.data
      const isKnown = shop.order(order_id).payments.has(id)
      await query()
      const before = shop.order(order_id).shipped
      right(event, shop)
      if (isPaid(event)) shop.order(order_id).shipped = before + (isKnown ? 0 : 1)
    }),
  },
  {
    name: 'ignores events that are older than the newest of the order',
    found_by: ['money', 'truth', 'convergence'],
    create: bug(async (event, shop) => {
      const key = `newest ${event.data.order_id}`
      const newest = [...shop.seen].find((one) => one.startsWith(key))?.slice(key.length + 1) ?? ''
      if (event.data.order_id !== undefined && event.created_at < newest) return
      shop.seen.delete(`${key} ${newest}`)
      shop.seen.add(`${key} ${event.created_at}`)
      right(event, shop)
    }),
  },
  {
    name: 'never responds to a failed payout',
    found_by: ['availability'],
    create: bug(async (event, shop) => {
      if (event.event === 'payout.failed') return 0
      right(event, shop)
    }),
  },
  {
    name: 'subtracts a refund again if its event is repeated',
    found_by: ['idempotence', 'money', 'convergence'],
    create: bug(async (event, shop) => {
      const { order_id, id, amount_refunded } = event.data
      const isKnown = shop.rows
        .payments(order_id ?? '')
        .some((payment) => payment.id === id && payment.refunded === amount_refunded)
      const change = settle(event, shop)
      shop.balance +=
        isRefund(event) && isKnown
          ? -(lastRefund(event)?.status === 'succeeded' ? (lastRefund(event)?.amount ?? 0) : 0)
          : change
    }),
  },
  {
    name: 'lets a failed payment cancel all payments of its order',
    found_by: ['money', 'truth', 'convergence', 'no_way_back'],
    create: bug(async (event, shop) => {
      right(event, shop)
      if (event.event !== 'payment.failed') return
      Object.assign(shop.order(event.data.order_id), { received: 0, status: 'awaiting_payment' })
    }),
  },
]
