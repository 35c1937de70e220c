import { type Attempt, countManualAttempts, type Delivery } from '../domain/delivery.ts'
import { maxAttempts } from '../domain/retry-schedule.ts'
import { rfc3339 } from '../domain/time.ts'
import type { Settings } from '../settings.ts'

type RetrySettings = Pick<Settings, 'webhook_retries'>

/** The parts of a delivery that the control stream needs, without headers and bodies, which would fill the memory. */
export interface DeliverySummary {
  readonly id: string
  readonly event_id: string
  readonly event: Delivery['event']
  readonly object_id: string
  readonly shop_id: string
  readonly endpoint_id: string | undefined
  readonly url: string
  readonly status: Delivery['status']
  readonly next_attempt_at: Delivery['next_attempt_at'] | undefined
  readonly no_retries: boolean
  readonly replay: boolean
  readonly edited: boolean
  readonly attempts_made: number
  readonly manual_attempts: number
  /** The newest attempt. */
  readonly attempt: AttemptSummary | undefined
}

type AttemptSummary = Pick<Attempt, 'number' | 'at' | 'sent_at' | 'ms'> & {
  readonly [F in 'status' | 'error' | 'manual' | 'fault']: Attempt[F] | undefined
}

export function toDeliverySummary(row: Delivery): DeliverySummary {
  return {
    id: row.id,
    event_id: row.event_id,
    event: row.event,
    object_id: row.object_id,
    shop_id: row.shop_id,
    endpoint_id: row.endpoint_id,
    url: row.url,
    status: row.status,
    next_attempt_at: row.next_attempt_at,
    no_retries: row.no_retries === true,
    replay: row.replay === true,
    edited: row.edited_body !== undefined,
    attempts_made: row.attempts.length,
    manual_attempts: countManualAttempts(row.attempts),
    attempt: toAttemptSummary(row.attempts.at(-1)),
  }
}

function toAttemptSummary(attempt: Attempt | undefined) {
  if (attempt === undefined) return undefined
  const { number, at, sent_at, ms, status, error, manual, fault } = attempt
  return { number, at, sent_at, ms, status, error, manual, fault }
}

/** Returns the fields of a delivery in the control API and its stream, without those about its attempts. */
export function presentDelivery(row: DeliverySummary | Delivery, edited: boolean) {
  const { id, event_id, event, object_id, shop_id, endpoint_id, url, status, next_attempt_at } = row
  return {
    id,
    event_id,
    event,
    object_id,
    shop_id,
    endpoint_id,
    url,
    ...(row.replay === true ? { replay: true as const } : {}),
    ...(edited ? { edited: true as const } : {}),
    status,
    next_attempt_at: next_attempt_at === undefined ? undefined : rfc3339(next_attempt_at),
  }
}

/** Like {@link presentDelivery}, with the number of attempts that were made and the number that are possible. */
export function presentDeliverySummary(summary: DeliverySummary, { webhook_retries }: RetrySettings) {
  const { attempts_made } = summary
  const attempts_total = Math.max(attempts_made, maxAttempts(summary, webhook_retries))
  return { ...presentDelivery(summary, summary.edited), attempts_made, attempts_total }
}

/** Returns an attempt without headers and bodies. `at` is its due time on the sandbox's clock. */
export function presentAttempt({ number, at, sent_at, ms, status, error, manual, fault }: AttemptSummary | Attempt) {
  return { number, at: rfc3339(at), sent_at: rfc3339(sent_at), ms, status, error, manual, fault }
}
