// The history of a payment on the panel: transitions, commands, each webhook attempt, and the return, oldest first.
import type { Delivery } from '../../domain/delivery.ts'
import type { WebhookEventName } from '../../domain/events.ts'
import { isSuccess } from '../../domain/http-response.ts'
import { parsedUrl } from '../../domain/http-url.ts'
import type { Payment } from '../../domain/payment.ts'
import type { SandboxTime } from '../../domain/time.ts'
import { deliveriesOf } from '../deliveries-of.ts'
import type { Services } from '../services.ts'
import type { Activity } from './activity.ts'

export type HistoryEntry =
  | Activity
  | { readonly kind: 'created' | 'opened'; readonly at: SandboxTime }
  | { readonly kind: 'attempt'; readonly at: SandboxTime; readonly attempt: AttemptView }
  | { readonly kind: 'next'; readonly at: SandboxTime; readonly attempt: AttemptView }
  | { readonly kind: 'unsent'; readonly at: SandboxTime; readonly event: WebhookEventName }

/** A webhook attempt. An attempt that is planned or in flight has no result. */
export interface AttemptView {
  readonly event: WebhookEventName
  /** Host and path of the receiver, without a query, which can contain secrets. */
  readonly receiver: string
  readonly number: number
  /** Present if a replay of the event sends it. */
  readonly replay?: true | undefined
  readonly isAccepted?: boolean
  /** The HTTP status, or the reason why there was no response. */
  readonly result?: string
  readonly ms?: number
  readonly fault?: string | undefined
  readonly isSending?: boolean
}

/** The order of entries at the same time. */
const RANKS: { readonly [K in HistoryEntry['kind']]: number } = {
  created: 0,
  opened: 0,
  command: 0,
  status: 0,
  three_ds: 0,
  unsent: 1,
  attempt: 1,
  returned: 2,
  dropped: 2,
  next: 3,
}

type Ports = Pick<Services, 'engine' | 'dispatcher'>

/** @param activities those of the activity log. A stored end of the payment is added if the log does not contain it. */
export function historyOf(ports: Ports, payment: Payment, activities: readonly Activity[]): readonly HistoryEntry[] {
  const { created_at, page_opened_at } = payment
  const entries: HistoryEntry[] = [{ kind: 'created', at: created_at }]
  if (page_opened_at !== undefined) entries.push({ kind: 'opened', at: page_opened_at })
  const recorded = new Set(activities.map((each) => each.kind === 'status' && each.status))
  entries.push(...storedEnds(ports, payment).filter(({ status }) => !recorded.has(status)), ...activities)
  for (const { id, event, created_at: at } of ports.engine.world.find('events', 'by_object', payment.id)) {
    const deliveries = ports.engine.world.find('deliveries', 'by_event', id)
    if (deliveries.length === 0) entries.push({ kind: 'unsent', at, event })
    for (const delivery of deliveries) entries.push(...attemptsOf(ports, delivery))
  }
  return entries.sort((a, b) => a.at - b.at || RANKS[a.kind] - RANKS[b.kind])
}

/** Returns the last transitions as stored: the end of the payment, and a full refund. */
function storedEnds({ engine }: Ports, { id, finalized_at: at, status }: Payment): (Activity & { kind: 'status' })[] {
  if (at === undefined) return []
  if (status !== 'refunded') return [{ kind: 'status', at, status }]
  const refunds = engine.world.find('refunds', 'by_payment', id).filter((refund) => refund.status === 'succeeded')
  const refundedAt = refunds.map(({ completed_at = at }) => completed_at).sort((a, b) => b - a)[0] ?? at
  return [
    { kind: 'status', at, status: 'succeeded' },
    { kind: 'status', at: refundedAt, status },
  ]
}

function attemptsOf({ dispatcher }: Ports, delivery: Delivery): HistoryEntry[] {
  const { id, event, url, replay, attempts, next_attempt_at } = delivery
  const receiver = receiverOf(url)
  const entries: HistoryEntry[] = attempts.map(({ number, at, status, error, ms, fault }) => ({
    kind: 'attempt',
    at,
    attempt: {
      event,
      receiver,
      number,
      replay,
      isAccepted: error === undefined && isSuccess(status),
      result: error ?? String(status),
      ms,
      fault,
    },
  }))
  const number = attempts.length + 1
  const isSending = dispatcher.isInFlight(id)
  if (next_attempt_at !== undefined)
    entries.push({ kind: 'next', at: next_attempt_at, attempt: { event, receiver, number, replay, isSending } })
  return entries
}

function receiverOf(url: string): string {
  const parsed = parsedUrl(url)
  return parsed === undefined ? '' : `${parsed.host}${parsed.pathname}`
}

/** Returns a string that changes whenever the panel must be rendered again. */
export function historyVersion(
  { engine: { world }, dispatcher }: Ports,
  payment: Payment,
  activities: readonly Activity[],
): string {
  let attempts = 0
  let sending = 0
  const deliveries = deliveriesOf(world, payment.id)
  for (const { id, attempts: made } of deliveries) {
    attempts += made.length
    if (dispatcher.isInFlight(id)) sending += 1
  }
  return [activities.length, deliveries.length, attempts, sending, world.size('faults')].join('.')
}
