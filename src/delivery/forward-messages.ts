// The messages between the sandbox and a listener: a delivery to forward, and its result.

import {
  countManualAttempts,
  type Delivery,
  type HeaderList,
  isNextAttemptManual,
  type RecordedBody,
} from '../domain/delivery.ts'
import type { WebhookEventName } from '../domain/events.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { maxAttempts } from '../domain/retry-schedule.ts'
import { rfc3339 } from '../domain/time.ts'
import { MAX_STORED_BYTES, recordBody } from '../receiver-client/response-body.ts'
import type { ReceiverResponse } from '../receiver-client/transport.ts'
import type { Settings } from '../settings.ts'
import type { WebhookRequest } from './prepare-request.ts'

/** A delivery as a listener receives it: the JSON of an SSE message `delivery`. */
export interface ForwardRequest {
  readonly delivery_id: string
  readonly event: WebhookEventName
  readonly event_id: string
  readonly object_id: string
  /** The forward URL of the listener. */
  readonly url: string
  readonly headers: HeaderList
  readonly body_b64: string
  /** True if a replay sends the event again. */
  readonly replay?: true
  /** True if a replay sends an edited body. */
  readonly edited?: true
  readonly attempt: number
  readonly attempts_total: number
  /** The due time of the attempt on the sandbox's clock, RFC 3339. */
  readonly due_at: string
  /** The response deadline of the receiver, in ms. The listener may use its own. */
  readonly timeout_ms: number
  /** See `Engine.generation`. A result with a different generation is rejected. */
  readonly generation: number
}

/** The report of a listener: the receiver's response, or why there is none. `ms` is measured by the listener. */
export interface ForwardResult {
  readonly delivery_id: string
  /** The number of the attempt, so that a late result does not count for a later attempt. Default: the pending one. */
  readonly attempt?: number
  /** The generation of the request. Default: any. */
  readonly generation?: number
  readonly status?: number
  readonly error?: string
  readonly ms: number
  readonly response_headers?: HeaderList
  readonly response_body?: string
  /** Instead of `response_body` if the response is not UTF-8. */
  readonly response_body_b64?: string
  /** The response was larger than the reported part. */
  readonly response_truncated?: boolean
  /** Why the body could not be decoded, or is missing. */
  readonly response_note?: string
}

export function toForwardRequest(
  delivery: Delivery,
  { headers, body }: WebhookRequest,
  { webhook_retries, webhook_timeout }: Pick<Settings, 'webhook_retries' | 'webhook_timeout'>,
  generation: number,
): ForwardRequest {
  const attempt = delivery.attempts.length + 1
  const manual_attempts = countManualAttempts(delivery.attempts) + Number(isNextAttemptManual(delivery))
  return omitUndefined({
    delivery_id: delivery.id,
    event: delivery.event,
    event_id: delivery.event_id,
    object_id: delivery.object_id,
    url: delivery.url,
    headers,
    body_b64: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
    replay: delivery.replay,
    edited: delivery.edited_body === undefined ? undefined : (true as const),
    attempt,
    attempts_total: Math.max(attempt, maxAttempts({ ...delivery, manual_attempts }, webhook_retries)),
    due_at: rfc3339(delivery.next_attempt_at ?? delivery.created_at),
    timeout_ms: webhook_timeout,
    generation,
  })
}

export function toReceiverResponse(result: ForwardResult): ReceiverResponse {
  const { status, error, ms, response_headers, response_body, response_body_b64, response_note } = result
  const bytes = Buffer.from(response_body ?? response_body_b64 ?? '', response_body === undefined ? 'base64' : 'utf8')
  const isEmpty = bytes.length === 0 && response_note === undefined
  return omitUndefined({
    ms,
    status,
    error,
    headers: response_headers,
    body: isEmpty ? undefined : reportedBody(bytes, result),
  })
}

function reportedBody(bytes: Buffer, result: ForwardResult): RecordedBody {
  const { response_truncated, response_note, response_headers } = result
  const isCut = response_truncated === true || bytes.length > MAX_STORED_BYTES
  const body = recordBody(bytes.subarray(0, MAX_STORED_BYTES), isCut, response_headers)
  return response_note === undefined ? body : { ...body, note: response_note }
}
