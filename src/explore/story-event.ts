// The webhook events of a story, and the state of the payments that a receiver can know from them.
import type { WebhookEventName } from '../domain/events.ts'
import type { OrderName } from './story.ts'

/** The state of a payment or payout at the time of an event. */
export interface Snapshot {
  readonly status: string
  readonly amount: number
  readonly refunded: number
}

export interface StoryEvent {
  /** See `eventKeyOf`. */
  readonly key: string
  readonly id: string
  readonly name: WebhookEventName
  readonly body: string
  /** Omitted for a payout. */
  readonly order?: OrderName
  /** The name of the payment or payout in the story. */
  readonly object: string
  readonly object_id: string
  readonly snapshot: Snapshot
  /** Present on `payment.refunded` if the refund failed, so the snapshot is that of the event before. */
  readonly refundFailed?: true
}

/** The states of an order that events can show. */
export const ORDER_STATES = ['failed', 'expired', 'cancelled', 'paid', 'part_refunded', 'refunded'] as const
export type OrderState = (typeof ORDER_STATES)[number]

const FAILURES: readonly string[] = ['failed', 'expired', 'cancelled']

/** Returns the last event of each object. The given events are in the order of the story. */
function lastEvents(events: readonly StoryEvent[]): readonly StoryEvent[] {
  return [...new Map(events.map((event) => [event.object, event])).values()]
}

/**
 * Returns the correct states of an order after these events. Several are correct if the specification does not say
 * which of the order's payments decides.
 */
export function allowedStates(events: readonly StoryEvent[]): readonly OrderState[] {
  const payments = lastEvents(events.filter(({ order }) => order !== undefined)).map(({ snapshot }) => snapshot)
  const failures = payments.map(({ status }) => status).filter((status) => FAILURES.includes(status)) as OrderState[]
  const succeeded = payments.filter(({ status }) => !FAILURES.includes(status))
  if (succeeded.length === 0) return [...new Set(failures)]
  if (succeeded.every(isRefunded)) return [...new Set(['refunded' as const, ...failures])]
  if (succeeded.every(({ refunded }) => refunded === 0)) return ['paid']
  // An order with a fully refunded payment and a paid one is paid, or partly refunded.
  return succeeded.some(isRefunded) ? ['paid', 'part_refunded'] : ['part_refunded']
}

/** Returns the allowed states as text: `paid or partly refunded`. */
export function describeStates(events: readonly StoryEvent[]): string {
  return allowedStates(events).join(' or ').replace('part_refunded', 'partly refunded')
}

function isRefunded({ amount, refunded }: Snapshot): boolean {
  return refunded >= amount
}

/** The sums, in minor units, and the counts that a shop may record. */
export interface Totals {
  readonly received: number
  readonly refunded: number
  readonly paidOut: number
  readonly paidPayments: number
  readonly paidOrders: number
}

export function totalsOf(events: readonly StoryEvent[]): Totals {
  const known = lastEvents(events)
  const paid = known.filter(({ order, snapshot }) => order !== undefined && !FAILURES.includes(snapshot.status))
  const payouts = known.filter(({ order, snapshot }) => order === undefined && snapshot.status === 'succeeded')
  const sum = (items: readonly StoryEvent[], of: 'amount' | 'refunded') =>
    items.reduce((total, { snapshot }) => total + snapshot[of], 0)
  return {
    received: sum(paid, 'amount'),
    refunded: sum(paid, 'refunded'),
    paidOut: sum(payouts, 'amount'),
    paidPayments: paid.length,
    paidOrders: new Set(paid.map(({ order }) => order)).size,
  }
}
