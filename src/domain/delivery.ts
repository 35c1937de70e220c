// Spec 6.1, Delivery: one event on its way to one receiver, with every attempt.
import type { WebhookEventName } from './events.ts'
import type { SandboxTime, WallTime } from './time.ts'

/** `sending` is known to the courier only: on disk such a delivery is `waiting`, so a restart sends it again. */
export const DELIVERY_STATUSES = ['waiting', 'delivered', 'exhausted', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Headers in the order and spelling in which they were sent or came. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** A body: text where it is UTF-8, base64 of the bytes where it is not. */
export interface RecordedBody {
  readonly text?: string
  readonly b64?: string
  /** The receiver sent more than was kept. */
  readonly truncated?: true
  /** Why the body is not what the receiver meant, such as an encoding that could not be undone. */
  readonly note?: string
}

/** A further copy of an attempt that the fault `duplicate` sent: the same bytes, and an answer of its own. */
export interface AttemptCopy {
  /** When it left, on the wall clock. */
  readonly sent_at: WallTime
  readonly ms: number
  /** As in {@link Attempt}: these say what would have been, for the first copy's answer counts. */
  readonly status?: number
  readonly error?: string
  readonly response_headers?: HeaderList
  readonly response_body?: RecordedBody
}

export interface Attempt {
  readonly number: number
  /** When it was due, on the sandbox's clock. */
  readonly at: SandboxTime
  /** When it left, on the wall clock. */
  readonly sent_at: WallTime
  /** From the first byte out to the last byte in. */
  readonly ms: number
  /** HTTP status; absent when no answer came. */
  readonly status?: number
  /** Why it counts as failed, in words; absent on success. */
  readonly error?: string
  /** A fault of the simulator that changed this attempt: `tamper`, `drop` … */
  readonly fault?: string
  /** Ids of those faults, in the same order. */
  readonly fault_ids?: readonly string[]
  readonly request_headers: HeaderList
  /** Present only where the bytes differ from the event's (a `tamper` fault). */
  readonly request_body?: RecordedBody
  readonly response_headers?: HeaderList
  readonly response_body?: RecordedBody
  /** With the fault `duplicate`: what left besides, the second copy first. No tries of their own. */
  readonly copies?: readonly AttemptCopy[]
}

export interface Delivery {
  readonly id: string
  readonly event_id: string
  readonly event: WebhookEventName
  readonly object_id: string
  readonly merchant_id: string
  readonly shop_id: string
  /** Absent: sent to the payment's `webhook_url` or to the `url` of a replay. */
  readonly endpoint_id?: string
  readonly url: string
  readonly status: DeliveryStatus
  readonly created_at: SandboxTime
  /** When the next attempt is due; absent when no more will come by itself. */
  readonly next_attempt_at?: SandboxTime
  readonly attempts: readonly Attempt[]
  /** Missed, and delivered afterwards: its first attempt leaves in the order of all events, whatever their object. */
  readonly in_line?: true
  /** A replay or resend: one attempt, no ladder. */
  readonly once?: true
  /** Replay with the time of the first signature (`--same-timestamp`), Unix seconds. */
  readonly timestamp?: number
}
