// How a listener takes deliveries through the control API and reports what became of each.
import type { WebhookEventName } from '../domain/events.ts'

export interface ListenerBody {
  /** The id of an earlier run: goes on with it. */
  readonly id?: string | undefined
  readonly url: string
  /** Exact names; empty: all. */
  readonly events: readonly WebhookEventName[]
  readonly signature?: 'v1' | 'v2' | undefined
  /** Also what happened in the last `10m`. */
  readonly backfill?: string | undefined
  readonly shop_id?: string | undefined
}

export interface ListenerView {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly shop_id?: string
  readonly events?: readonly WebhookEventName[]
  readonly signature?: 'v1' | 'v2'
  /** Somebody else had its stream when it was opened. */
  readonly connected?: boolean
}

/** One attempt to make. `body_b64` holds the signed bytes. */
export interface ListenerDelivery {
  readonly delivery_id: string
  readonly event_id: string
  readonly event: WebhookEventName
  readonly object_id: string
  readonly attempt: number
  readonly attempts_total: number
  readonly url: string
  /** When it is due on the sandbox's clock. */
  readonly due_at?: string
  /** What the service gives a receiver, ms. */
  readonly timeout_ms?: number
  /** Which state of the sandbox it is of: the result names it. */
  readonly generation?: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body_b64: string
}

export interface ListenerResult {
  readonly delivery_id: string
  readonly attempt: number
  /** As in the delivery. */
  readonly generation?: number | undefined
  /** Absent when no answer came. */
  readonly status?: number | undefined
  /** Why there is no whole answer. */
  readonly error?: string | undefined
  readonly ms: number
  readonly response_headers?: readonly (readonly [name: string, value: string])[] | undefined
  readonly response_body?: string | undefined
  readonly response_body_b64?: string | undefined
  /** The receiver sent more. */
  readonly response_truncated?: boolean | undefined
  /** Why the body is reported as received. */
  readonly response_note?: string | undefined
}

export interface ListenerVerdict {
  readonly status: 'waiting' | 'sending' | 'delivered' | 'exhausted' | 'cancelled'
  readonly next_attempt_at?: string | null
}
