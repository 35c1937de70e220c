// Deliveries as the control API returns them, with the request and the response of each attempt.

import {
  presentAttempt,
  presentDelivery,
  presentDeliverySummary,
  toDeliverySummary,
} from '../../delivery/delivery-summary.ts'
import type { Attempt, Delivery, DuplicateRecord, HeaderList, RecordedBody } from '../../domain/delivery.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { rfc3339 } from '../../domain/time.ts'
import type { Services } from '../services.ts'

/** Returns the status. Only the dispatcher knows which deliveries are `sending`. */
export function deliveryStatus({ dispatcher }: Pick<Services, 'dispatcher'>, { id, status }: Delivery) {
  return status === 'waiting' && dispatcher.isInFlight(id) ? 'sending' : status
}

export function showDelivery(services: Pick<Services, 'dispatcher' | 'engine'>, delivery: Delivery) {
  const body = delivery.edited_body ?? services.engine.world.get('events', delivery.event_id)?.body
  return { ...showState(services, delivery), attempts: delivery.attempts.map((attempt) => showAttempt(attempt, body)) }
}

/** Returns a delivery with its last attempt only, without headers and bodies, which can be megabytes long. */
export function showDeliverySummary(services: Pick<Services, 'dispatcher' | 'engine'>, delivery: Delivery) {
  const { attempts_made, attempts_total } = presentDeliverySummary(
    toDeliverySummary(delivery),
    services.engine.world.settings,
  )
  const last = delivery.attempts.at(-1)
  return {
    ...showState(services, delivery),
    attempts_made,
    attempts_total,
    last_attempt: last === undefined ? null : showAttemptSummary(last),
  }
}

function showState(services: Pick<Services, 'dispatcher'>, delivery: Delivery) {
  const shown = presentDelivery(delivery, delivery.edited_body !== undefined)
  return {
    ...shown,
    endpoint_id: shown.endpoint_id ?? null,
    status: deliveryStatus(services, delivery),
    created_at: rfc3339(delivery.created_at),
    next_attempt_at: shown.next_attempt_at ?? null,
  }
}

function showAttemptSummary(attempt: Attempt) {
  const { status = null, error = null, manual, fault, ...rest } = presentAttempt(attempt)
  return { ...rest, status, error, ...omitUndefined({ manual, fault, fault_ids: attempt.fault_ids }) }
}

function showAttempt(attempt: Attempt, storedBody: string | undefined) {
  const sent = attempt.request_body ?? (storedBody === undefined ? undefined : { text: storedBody })
  return {
    ...showAttemptSummary(attempt),
    request: { headers: headersOf(attempt.request_headers), ...bodyOf(sent) },
    response: showResponse(attempt),
    ...(attempt.copies === undefined ? {} : { copies: attempt.copies.map(showCopy) }),
  }
}

/** Copies are numbered from 2, because the attempt itself is the first. */
function showCopy(copy: DuplicateRecord, at: number) {
  const { sent_at, ms, status, error } = copy
  return {
    copy: at + 2,
    sent_at: rfc3339(sent_at),
    ms,
    status: status ?? null,
    error: error ?? null,
    response: showResponse(copy),
  }
}

/** Returns the response. A listener may report only a status. */
function showResponse({ status, response_headers, response_body }: Attempt | DuplicateRecord) {
  if (status === undefined && response_headers === undefined && response_body === undefined) return null
  return { headers: headersOf(response_headers ?? []), ...bodyOf(response_body ?? { text: '' }) }
}

/** Converts headers to an object with names in lower case. Repeated headers are joined as in HTTP. */
function headersOf(list: HeaderList): Record<string, string> {
  const headers = new Map<string, string>()
  for (const [name, value] of list) {
    const key = name.toLowerCase()
    const before = headers.get(key)
    headers.set(key, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}

function bodyOf(body: RecordedBody | undefined) {
  if (body === undefined) return {}
  const { text, b64, truncated, note } = body
  return {
    ...(b64 === undefined ? { body: text ?? '' } : { body_b64: b64 }),
    ...(truncated === true ? { truncated } : {}),
    ...(note === undefined ? {} : { note }),
  }
}
