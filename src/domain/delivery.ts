// Spec 6.1, Delivery: the delivery of an event to a receiver, with all attempts.
import { beginningOf } from './characters.ts'
import type { WebhookEventName } from './events.ts'
import type { SandboxTime, WallTime } from './time.ts'

/** `sending` exists only in the dispatcher. Such a delivery is stored as `waiting`, so a restart sends it again. */
export const DELIVERY_STATUSES = ['waiting', 'delivered', 'exhausted', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Headers in the order and spelling in which they were sent or received. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/**
 * Returns the value of the first header with this name.
 * @param name in lower case
 */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name)?.[1]
}

/** A body as text if it is UTF-8, and otherwise as base64. */
export interface RecordedBody {
  readonly text?: string
  readonly b64?: string
  /** Whether the body was longer than the stored part. */
  readonly truncated?: true
  /** Why the body may be incorrect, such as a content encoding that could not be decoded. */
  readonly note?: string
}

/** A further copy of an attempt that the fault `duplicate` sent: the same bytes with a separate response. */
export interface DuplicateRecord {
  /** When it was sent, on the system clock. */
  readonly sent_at: WallTime
  readonly ms: number
  /** Same as in {@link Attempt}, but only the response of the first copy determines the delivery. */
  readonly status?: number
  readonly error?: string
  readonly response_headers?: HeaderList
  readonly response_body?: RecordedBody
}

export interface Attempt {
  readonly number: number
  /** When it was due, on the sandbox's clock. */
  readonly at: SandboxTime
  /** When it was sent, on the system clock. */
  readonly sent_at: WallTime
  /** ms from the start of the send, including connecting, to the end of the response or the failure. */
  readonly ms: number
  /** HTTP status. Absent if no response was received. */
  readonly status?: number
  /** Message that explains the failure. Absent on success. */
  readonly error?: string
  /** Started manually, in addition to the retry schedule. */
  readonly manual?: true
  /** The faults that changed this attempt: `tamper`, `drop` … */
  readonly fault?: string
  /** Ids of those faults, in the same order. */
  readonly fault_ids?: readonly string[]
  readonly request_headers: HeaderList
  /** Present only if a fault changed the bytes: `tamper`, `unknown_event` or `reserialised`. */
  readonly request_body?: RecordedBody
  readonly response_headers?: HeaderList
  readonly response_body?: RecordedBody
  /** With the fault `duplicate`: the copies from the second on, in order. They do not count as attempts. */
  readonly copies?: readonly DuplicateRecord[]
}

export interface Delivery {
  readonly id: string
  readonly event_id: string
  readonly event: WebhookEventName
  readonly object_id: string
  readonly merchant_id: string
  readonly shop_id: string
  /** Absent if it is sent to the payment's `webhook_url` or to the `url` of a replay. */
  readonly endpoint_id?: string
  readonly url: string
  readonly status: DeliveryStatus
  readonly created_at: SandboxTime
  /** When the next attempt is due. Absent if no further attempt is scheduled. */
  readonly next_attempt_at?: SandboxTime
  /** Set while a manual attempt is due: when the scheduled retry follows if the manual attempt fails. */
  readonly resume_at?: SandboxTime
  readonly attempts: readonly Attempt[]
  /**
   * Set if the receiver missed the delivery. The first attempts of such deliveries are sent in the order of all events,
   * not per object.
   */
  readonly in_backlog?: true
  /** A replay, or a manual retry of a finished delivery. It has no further retries. */
  readonly no_retries?: true
  readonly replay?: true
  /** The edited body of a replay, sent instead of the event's. */
  readonly edited_body?: string
  /** The time of the first signature for a replay (`--same-timestamp`), Unix seconds. */
  readonly timestamp?: number
}

export function isNextAttemptManual({
  attempts,
  no_retries,
  resume_at,
}: Pick<Delivery, 'attempts' | 'no_retries' | 'resume_at'>): boolean {
  return resume_at !== undefined || (no_retries === true && attempts.length > 0)
}

/** Returns whether the first attempt is over, or was cancelled. */
export function isFirstAttemptOver({
  attempts,
  status,
}: {
  readonly attempts: readonly unknown[]
  readonly status: string
}): boolean {
  return attempts.length > 0 || status === 'cancelled' || status === 'exhausted'
}

export function countManualAttempts(attempts: readonly Attempt[]): number {
  return attempts.filter(({ manual }) => manual === true).length
}

/** Maximum characters of an edited body. */
export const MAX_EDITED_BODY = 64 * 1024

/** Maximum characters of an earlier response's body, or a duplicate's. Error pages name the error near the top. */
export const MAX_EARLIER_BODY = 2048

/** Appends an attempt. Only the newest response keeps its whole body, because error pages can be large. */
export function withAttempt(attempts: readonly Attempt[], attempt: Attempt): readonly Attempt[] {
  const last = attempts.at(-1)
  if (last?.response_body === undefined) return [...attempts, attempt]
  return [...attempts.slice(0, -1), { ...last, response_body: truncateResponse(last.response_body) }, attempt]
}

export function truncateResponse(body: RecordedBody): RecordedBody {
  const { text, b64 = '' } = body
  if ((text ?? b64).length <= MAX_EARLIER_BODY) return body
  if (text !== undefined) return { ...body, text: beginningOf(text, MAX_EARLIER_BODY), truncated: true }
  // Four characters of base64 encode three bytes, so the text is cut between bytes.
  return { ...body, b64: b64.slice(0, MAX_EARLIER_BODY), truncated: true }
}
