// How a listener receives deliveries through the control API and reports their results.
import type { WebhookEventName } from '../domain/events.ts'
import type { DeliveryView } from './control-types.ts'

export interface ListenerBody {
  /** The id of an earlier listener that this one continues. */
  readonly id?: string | undefined
  readonly url: string
  /** Exact event names. If empty: all. */
  readonly events: readonly WebhookEventName[]
  readonly signature?: 'v1' | 'v2' | undefined
  /** Also sends the events of this period, such as `10m`. */
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
  /** True if another client was already connected as this listener. */
  readonly connected?: boolean
}

/** A listener in a list. Connection times are on the system clock. */
export interface ListedListener {
  readonly id: string
  readonly shop_id: string
  readonly url: string
  readonly events: readonly WebhookEventName[]
  readonly created_at: string
  /** `null` if the listener is not connected. */
  readonly connected_at: string | null
  readonly forwarded_at: string | null
}

/** One attempt that the listener must make. `body_b64` contains the signed bytes. */
export interface ListenerDelivery {
  readonly delivery_id: string
  readonly event_id: string
  readonly event: WebhookEventName
  readonly object_id: string
  readonly attempt: number
  readonly attempts_total: number
  readonly url: string
  /** The due time on the sandbox's clock. */
  readonly due_at?: string
  /** The response deadline of the receiver, in ms. */
  readonly timeout_ms?: number
  /** Identifies the state of the sandbox to which the delivery belongs. The result repeats this number. */
  readonly generation?: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body_b64: string
  /** True if a replay sends the event again. */
  readonly replay?: true
  /** True if a replay sends an edited body. */
  readonly edited?: true
}

export interface ListenerResult {
  readonly delivery_id: string
  readonly attempt: number
  /** The generation of the delivery. */
  readonly generation?: number | undefined
  /** Omitted if there was no response. */
  readonly status?: number | undefined
  /** Why there is no complete response. */
  readonly error?: string | undefined
  readonly ms: number
  readonly response_headers?: readonly (readonly [name: string, value: string])[] | undefined
  readonly response_body?: string | undefined
  readonly response_body_b64?: string | undefined
  /** The response was larger than the reported part. */
  readonly response_truncated?: boolean | undefined
  /** Why the body could not be decoded, or is missing. */
  readonly response_note?: string | undefined
}

/** The state of a delivery after an attempt whose result was reported. */
export type DeliveryState = Pick<DeliveryView, 'status' | 'next_attempt_at'>
