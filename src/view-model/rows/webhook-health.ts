// The state of the webhooks of each payment and payout, from its deliveries.
import { isSuccess } from '../../domain/http-response.ts'
import { whyNotDelivered } from './attempt-result.ts'
import { type DeliveryRow, ROW_LIMITS, type Tables, trimOldest } from './rows.ts'

export interface WebhookHealth {
  /** By the id of the object: its newest failing delivery, or its newest delivery. */
  readonly byObject: ReadonlyMap<string, DeliveryRow>
  /** The newest are last. Only the newest delivery of an event to a URL counts. */
  readonly failing: readonly DeliveryRow[]
}

/**
 * Whether the last attempt failed and the delivery is neither delivered nor cancelled, or the delivery is exhausted. An
 * edited delivery never counts.
 */
export function isFailing({ status, attemptsMade, lastAttempt, edited }: DeliveryRow): boolean {
  // An edited body is an experiment, so its result says nothing about the webhook.
  if (edited) return false
  if (status === 'exhausted') return true
  if (status === 'delivered' || status === 'cancelled' || attemptsMade === 0) return false
  return whyNotDelivered(lastAttempt) !== undefined
}

/** At most this many older deliveries are kept because their webhooks fail. */
export const MAX_OLDER_FAILING = 1000

/** Keeps the newest rows up to the limit, and older rows whose webhooks fail. */
export function trimDeliveries(rows: Map<string, DeliveryRow>): Map<string, DeliveryRow> {
  let excess = rows.size - ROW_LIMITS.deliveries
  for (const [id, row] of rows) {
    if (excess <= 0) break
    excess--
    if (!isFailing(row)) rows.delete(id)
  }
  return trimOldest(rows, ROW_LIMITS.deliveries + MAX_OLDER_FAILING)
}

const cache = new WeakMap<Tables['deliveries'], WebhookHealth>()

export function webhookHealth({ deliveries }: Pick<Tables, 'deliveries'>): WebhookHealth {
  const known = cache.get(deliveries)
  if (known !== undefined) return known
  const byObject = new Map<string, DeliveryRow>()
  const failing: DeliveryRow[] = []
  const seen = new Set<string>()
  // Only the newest row of an event and a URL counts.
  for (const row of [...deliveries.values()].reverse()) {
    if (row.edited || seen.has(row.target)) continue
    seen.add(row.target)
    const fails = isFailing(row)
    if (fails) failing.push(row)
    const newer = byObject.get(row.object_id)
    if (newer === undefined || (fails && !isFailing(newer))) byObject.set(row.object_id, row)
  }
  failing.reverse()
  const health: WebhookHealth = { byObject, failing }
  cache.set(deliveries, health)
  return health
}

/**
 * Describes a delivery briefly: `200`, `500, retry in 9 s`, `error, gave up`, `waiting`. A 2xx that counted as a
 * failure is an `error`. The detail has the whole error.
 * @param until formats the time until the next attempt
 */
export function healthText(row: DeliveryRow, until: (instant: string) => string): string {
  const { status } = row.lastAttempt ?? {}
  // A delivery stays delivered if a later attempt fails. The result of that attempt would look like a failed delivery.
  if (!isFailing(row)) return row.status === 'delivered' && isSuccess(status) ? String(status) : row.status
  const result = status === undefined || status === null || isSuccess(status) ? 'error' : String(status)
  if (row.status === 'exhausted') return `${result}, gave up`
  return row.next_attempt_at === undefined ? result : `${result}, retry ${until(row.next_attempt_at)}`
}
