// The words between the sandbox and a listener: a delivery to forward, and what became of it.
import type { Delivery, HeaderList, RecordedBody } from '../domain/delivery.ts'
import type { WebhookEventName } from '../domain/events.ts'
import { mostAttempts } from '../domain/retry-schedule.ts'
import { rfc3339 } from '../domain/time.ts'
import { MAX_STORED_BYTES, recordBody } from '../receiver-client/response-body.ts'
import type { ReceiverResponse } from '../receiver-client/transport.ts'
import type { Settings } from '../settings.ts'
import type { WebhookRequest } from './prepare-request.ts'

/** What a listener is told of a delivery, as the JSON of an SSE message `delivery`. */
export interface ForwardRequest {
  readonly delivery_id: string
  readonly event: WebhookEventName
  readonly event_id: string
  readonly object_id: string
  /** The listener's own forward url. */
  readonly url: string
  readonly headers: HeaderList
  readonly body_b64: string
  readonly attempt: number
  readonly attempts_total: number
  /** When the attempt is due on the sandbox's clock, RFC 3339. */
  readonly due_at: string
  /** How long the receiver may take, in ms; the listener may have a limit of its own. */
  readonly timeout_ms: number
  /** Which state of the sandbox it is of. A result with another one is not taken. */
  readonly generation: number
}

/** What a listener reports: the receiver's answer, or why there was none. `ms` as it measured. */
export interface ForwardResult {
  readonly delivery_id: string
  /** Of which attempt; absent: of the one that waits. A result that comes too late is not taken for the next attempt. */
  readonly attempt?: number
  /** As in the forward; absent: of the present state. */
  readonly generation?: number
  readonly status?: number
  readonly error?: string
  readonly ms: number
  readonly response_headers?: HeaderList
  readonly response_body?: string
  /** Instead of `response_body` where the answer is not UTF-8. */
  readonly response_body_b64?: string
  /** The receiver sent more than this. */
  readonly response_truncated?: boolean
  /** Why the body is reported as received. */
  readonly response_note?: string
}

export function toForwardRequest(
  delivery: Delivery,
  { headers, body }: WebhookRequest,
  { webhook_retries, webhook_timeout }: Pick<Settings, 'webhook_retries' | 'webhook_timeout'>,
  generation: number,
): ForwardRequest {
  const attempt = delivery.attempts.length + 1
  return {
    delivery_id: delivery.id,
    event: delivery.event,
    event_id: delivery.event_id,
    object_id: delivery.object_id,
    url: delivery.url,
    headers,
    body_b64: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
    attempt,
    attempts_total: Math.max(attempt, mostAttempts(delivery, webhook_retries)),
    due_at: rfc3339(delivery.next_attempt_at ?? delivery.created_at),
    timeout_ms: webhook_timeout,
    generation,
  }
}

/** The result as an answer like any other transport's. */
export function toResponse(result: ForwardResult): ReceiverResponse {
  const { status, error, ms, response_headers, response_body, response_body_b64, response_note } = result
  const bytes = Buffer.from(response_body ?? response_body_b64 ?? '', response_body === undefined ? 'base64' : 'utf8')
  return {
    ms,
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    ...(response_headers === undefined ? {} : { headers: response_headers }),
    ...(bytes.length === 0 && response_note === undefined ? {} : { body: reportedBody(bytes, result) }),
  }
}

function reportedBody(bytes: Buffer, { response_truncated, response_note }: ForwardResult): RecordedBody {
  const isCut = response_truncated === true || bytes.length > MAX_STORED_BYTES
  const body = recordBody(bytes.subarray(0, MAX_STORED_BYTES), isCut)
  return response_note === undefined ? body : { ...body, note: response_note }
}
