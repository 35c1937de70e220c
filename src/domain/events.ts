// Spec 6.1 and 6.2: the events of webhooks and of the stream.
import { rfc3339, type SandboxTime } from './time.ts'

export const WEBHOOK_EVENTS = [
  'payment.succeeded',
  'payment.failed',
  'payment.cancelled',
  'payment.expired',
  'payment.refunded',
  'payout.succeeded',
  'payout.failed',
] as const
/** The name of a webhook event. */
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number]

export const STREAM_KINDS = [
  'payment.created',
  'payment.status_changed',
  'payout.created',
  'payout.status_changed',
  'refund.created',
] as const
export type StreamKind = (typeof STREAM_KINDS)[number]

/** A stored webhook event. `body` is serialized once, so all attempts and replays send the same bytes. */
export interface WebhookEvent {
  /** `evt_…`, stable across retries. */
  readonly id: string
  readonly event: WebhookEventName
  readonly created_at: SandboxTime
  readonly merchant_id: string
  readonly shop_id: string
  /** The payment or the payout. For a refund, its payment. */
  readonly object_id: string
  readonly body: string
}

/** Returns the event as the control API and its stream show it. */
export function presentEvent({ id, event, created_at, shop_id, object_id, body }: WebhookEvent) {
  const { data } = JSON.parse(body) as { readonly data: object }
  return { id, event, created_at: rfc3339(created_at), shop_id, object_id, data }
}

/** A message of the public stream. It is sent after the commit and not stored. */
export interface StreamMessage {
  readonly kind: StreamKind
  readonly shop_id: string
  readonly mode: 'test' | 'live'
  readonly at: SandboxTime
  readonly payload: { readonly [field: string]: unknown }
}
