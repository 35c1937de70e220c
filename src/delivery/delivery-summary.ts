import type { Delivery } from '../domain/delivery.ts'
import { rfc3339 } from '../domain/time.ts'
import type { Settings } from '../settings.ts'

type Look = Pick<Settings, 'time_fraction' | 'webhook_retries'>

/** A delivery without the bytes of its attempts: `attempts_made` of at most `attempts_total`. */
export function deliverySummary(delivery: Delivery, look: Look) {
  const { id, event_id, event, object_id, shop_id, endpoint_id, url, status, next_attempt_at, attempts } = delivery
  const steps = delivery.once === true ? 0 : look.webhook_retries.length
  return {
    id,
    event_id,
    event,
    object_id,
    shop_id,
    endpoint_id,
    url,
    status,
    next_attempt_at: next_attempt_at === undefined ? undefined : rfc3339(next_attempt_at, look.time_fraction),
    attempts_made: attempts.length,
    attempts_total: Math.max(attempts.length, steps + 1),
  }
}

/** The newest attempt of a delivery, without headers and bodies. */
export function attemptSummary({ attempts }: Delivery, look: Look) {
  const attempt = attempts.at(-1)
  if (attempt === undefined) return undefined
  const { number, at, sent_at, ms, status, error, fault } = attempt
  return {
    number,
    at: rfc3339(at, look.time_fraction),
    sent_at: rfc3339(sent_at, look.time_fraction),
    ms,
    status,
    error,
    fault,
  }
}
