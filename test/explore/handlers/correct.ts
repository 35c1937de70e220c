// Correct handlers in different styles. No exploration may find anything in them.
import { seededRandomness } from '../../../src/random.ts'
import {
  behindQueue,
  type Handler,
  type LateHandler,
  type NamedHandler,
  query,
  type Sleep,
  type WebhookEvent,
} from './handler.ts'

interface Payment {
  readonly id: string
  readonly amount: number
  readonly refunded: number
  readonly status: string
}

const FAILED = ['failed', 'expired', 'cancelled']
const RANK: readonly string[] = ['failed', 'expired', 'cancelled', 'succeeded', 'refunded']

/** Keeps the newest data of each payment. An older event changes nothing. */
function merged(known: Payment | undefined, { data }: WebhookEvent): Payment {
  const refunded = Math.max(known?.refunded ?? 0, data.amount_refunded)
  const status =
    RANK.indexOf(data.status) > RANK.indexOf(known?.status ?? '') ? data.status : (known?.status ?? data.status)
  return { id: data.id, amount: data.amount, refunded, status }
}

export function statusOf(payments: readonly Payment[]): string {
  const paid = payments.filter(({ status }) => !FAILED.includes(status))
  if (paid.length === 0) return 'awaiting_payment'
  if (paid.every(({ amount, refunded }) => refunded >= amount)) return 'refunded'
  return paid.some(({ refunded }) => refunded > 0) ? 'partly_refunded' : 'paid'
}

function sumOf(payments: readonly Payment[]): number {
  return payments
    .filter(({ status }) => !FAILED.includes(status))
    .reduce((sum, { amount, refunded }) => sum + amount - refunded, 0)
}

/** The rows of a shop: payments by order. */
export class Rows {
  readonly orders = new Map<string, Map<string, Payment>>()
  paidOut = 0
  readonly payouts = new Set<string>()

  apply(event: WebhookEvent): void {
    const { data } = event
    if (data.order_id === undefined) {
      if (event.event === 'payout.succeeded' && !this.payouts.has(data.id)) this.paidOut += data.amount
      this.payouts.add(data.id)
      return
    }
    const payments = this.orders.get(data.order_id) ?? new Map<string, Payment>()
    this.orders.set(data.order_id, payments)
    payments.set(data.id, merged(payments.get(data.id), event))
  }

  payments(order: string): readonly Payment[] {
    return [...(this.orders.get(order)?.values() ?? [])]
  }

  view(order: string): unknown {
    const payments = this.payments(order)
    if (payments.length === 0) return undefined
    const paid = payments.filter(({ status }) => !FAILED.includes(status))
    return {
      order_id: order,
      status: statusOf(payments),
      received: paid.reduce((sum, { amount }) => sum + amount, 0),
      refunded: paid.reduce((sum, { refunded }) => sum + refunded, 0),
      payments: payments.map(({ id, status }) => ({ id, status })),
    }
  }

  balance(): number {
    return [...this.orders.keys()].reduce((sum, order) => sum + sumOf(this.payments(order)), 0) - this.paidOut
  }
}

function mergingHandler(rows = new Rows()): Handler {
  return {
    async handle(event) {
      await query()
      rows.apply(event)
      return 200
    },
    order: (id) => rows.view(id),
    balance: () => ({ balance: rows.balance() }),
  }
}

/** Responds with an error to a refund whose payment it does not know yet. */
function refusesEarlyRefunds(status: number): Handler {
  const rows = new Rows()
  const handler = mergingHandler(rows)
  return {
    ...handler,
    async handle(event) {
      await query()
      const { order_id = '', id } = event.data
      const isKnown = rows.payments(order_id).some((payment) => payment.id === id)
      return event.event === 'payment.refunded' && !isKnown ? status : await handler.handle(event)
    },
  }
}

/** Responds first. A worker looks for new events at intervals, so an effect is visible after 0 to `interval` ms. */
function polling(sleep: Sleep, interval: number): Handler {
  const rows = new Rows()
  const random = seededRandomness('polling')
  return {
    ...mergingHandler(rows),
    async handle(event) {
      void sleep(Math.floor(random.draw() * interval)).then(() => rows.apply(event))
      return 200
    },
  }
}

/** Its probes read a copy of the data that is `lag` ms old. */
function lagging(sleep: Sleep, lag: number): Handler {
  const rows = new Rows()
  const copy = new Rows()
  return {
    async handle(event) {
      rows.apply(event)
      void sleep(lag).then(() => copy.apply(event))
      return 200
    },
    order: (id) => copy.view(id),
    balance: () => ({ balance: copy.balance() }),
  }
}

function knowsItsOrders(): Handler {
  const orders = new Set<string>()
  const handler = mergingHandler()
  return {
    ...handler,
    create: (order) => void orders.add(order),
    order: (id) => (orders.has(id) ? (handler.order(id) ?? { order_id: id, status: 'awaiting_payment' }) : undefined),
    async handle(event) {
      const { order_id } = event.data
      return order_id !== undefined && !orders.has(order_id) ? 404 : await handler.handle(event)
    },
  }
}

/** Stores every event, and derives the state from the log, sorted by time. */
function eventLog(): Handler {
  const log = new Map<string, WebhookEvent>()
  const rows = () => {
    const made = new Rows()
    for (const event of [...log.values()].sort((a, b) => a.created_at.localeCompare(b.created_at))) made.apply(event)
    return made
  }
  return {
    async handle(event) {
      await query()
      log.set(event.id, event)
      return 200
    },
    order: (id) => rows().view(id),
    balance: () => rows().balance(),
  }
}

/** Counts the tries that failed, and lists them as they arrived. It ignores failures after success. */
function countsTries(): Handler {
  const rows = new Rows()
  const tries = new Map<string, string[]>()
  const seen = new Set<string>()
  return {
    ...mergingHandler(rows),
    async handle(event) {
      const { order_id, id, status } = event.data
      if (order_id !== undefined && FAILED.includes(status) && !seen.has(event.id)) {
        if (!/paid|refunded/.test(statusOf(rows.payments(order_id))))
          tries.set(order_id, [...(tries.get(order_id) ?? []), `${id} ${status}`])
      }
      seen.add(event.id)
      rows.apply(event)
      return 200
    },
    order(id) {
      const view = rows.view(id)
      const list = tries.get(id) ?? []
      return view === undefined
        ? undefined
        : { ...(view as object), tries: list.length, attempts: list, last_event_at: new Date().toISOString() }
    },
  }
}

/** Counts every payment of an order as a try, also one that expires after the order was paid. */
function countsPayments(): Handler {
  const rows = new Rows()
  return {
    ...mergingHandler(rows),
    order(id) {
      const payments = rows.payments(id)
      return payments.length === 0 ? undefined : { status: statusOf(payments), tries: payments.length }
    },
  }
}

/** Shows the order as a word, and money in major units as text. */
function plainText(): Handler {
  const rows = new Rows()
  return {
    ...mergingHandler(rows),
    order: (id) => (rows.payments(id).length === 0 ? undefined : statusOf(rows.payments(id))),
    balance: () => (rows.balance() / 100).toFixed(2),
  }
}

/** Shows the last failure as the status of an unpaid order. */
function showsFailures(): Handler {
  const rows = new Rows()
  const last = new Map<string, string>()
  return {
    ...mergingHandler(rows),
    async handle(event) {
      const { order_id, status } = event.data
      rows.apply(event)
      if (order_id !== undefined && FAILED.includes(status)) last.set(order_id, status)
      return 200
    },
    order(id) {
      const payments = rows.payments(id)
      const status = statusOf(payments)
      if (payments.length === 0) return undefined
      return { status: status === 'awaiting_payment' ? last.get(id) : status, paid: status !== 'awaiting_payment' }
    },
  }
}

export const CORRECT_HANDLERS: readonly NamedHandler[] = [
  { name: 'merges by payment', create: () => mergingHandler() },
  { name: 'responds 409 until it can use an event', create: () => refusesEarlyRefunds(409) },
  { name: 'responds 503 until it can use an event', create: () => refusesEarlyRefunds(503) },
  { name: 'accepts only orders it knows', create: knowsItsOrders },
  { name: 'derives the state from a log of events', create: eventLog },
  { name: 'counts and lists tries', create: countsTries },
  { name: 'counts every payment as a try', create: countsPayments },
  { name: 'shows a word and major units', create: plainText },
  { name: 'shows the last failure of an unpaid order', create: showsFailures },
]

/** Correct handlers whose effects are visible some time after their responses. */
export const LATE_HANDLERS: readonly LateHandler[] = [
  { name: 'works in a queue after 200', create: (sleep) => behindQueue(mergingHandler(), sleep, 15) },
  { name: 'works in a slow queue after 200', create: (sleep) => behindQueue(mergingHandler(), sleep, 400) },
  { name: 'shows its state 300 ms late', create: (sleep) => lagging(sleep, 300) },
  { name: 'looks for new events every 2 s', create: (sleep) => polling(sleep, 2000) },
]
