// Spec 5: the merchant, its shops (terminals), API keys and webhook endpoints, as in the dashboard of the real service.
import type { WebhookEventName } from './events.ts'
import type { SandboxTime } from './time.ts'

export type Mode = 'test' | 'live'

export interface Merchant {
  readonly id: string
  readonly name: string
  readonly created_at: SandboxTime
  /** Activated for live mode (spec 5.2). */
  readonly live_enabled: boolean
  /** Requests per second. 0: no limit. Absent: the setting `rate_limit` applies. */
  readonly rate_limit?: number
}

export interface Shop {
  readonly id: string
  readonly merchant_id: string
  readonly name: string
  readonly created_at: SandboxTime
  /** Signs requests to the service: `thm_…`. */
  readonly signing_secret: string
  /** Signs webhooks to listeners and to endpoints without a secret: `whs_…`. For a `webhook_url`, see `signerOf`. */
  readonly webhook_secret: string
  readonly require_signature: boolean
  /** IPv4, IPv6 and CIDR. Empty: no restriction. */
  readonly ip_allow_list: readonly string[]
  /** If false, payouts get 422 `route_not_configured`. */
  readonly payout_route: boolean
  /** Earlier webhook secrets (newest first, at most 10), so that `verify --explain` can recognize them. */
  readonly former_secrets: readonly string[]
  /** Earlier values of `signing_secret`. Absent: none. */
  readonly former_signing_secrets?: readonly string[]
}

export interface ApiKey {
  readonly id: string
  readonly merchant_id: string
  readonly shop_id: string
  readonly mode: Mode
  /** SHA-256 of the whole key, hex. The key itself is never stored. */
  readonly hash: string
  /** The public part that identifies the key: `sk_test_abc123`. */
  readonly hint: string
  readonly created_at: SandboxTime
  readonly revoked_at?: SandboxTime
}

export interface Endpoint {
  readonly id: string
  readonly merchant_id: string
  readonly shop_id: string
  readonly url: string
  /** Exact names. Empty: all. */
  readonly events: readonly WebhookEventName[]
  readonly signature: 'v1' | 'v2'
  readonly active: boolean
  readonly created_at: SandboxTime
  /** A `whs_…` secret. Absent: the shop's `webhook_secret` is used. */
  readonly secret?: string
  readonly former_secrets: readonly string[]
  /** Set for a listener: a program, such as `psp listen`, that receives these deliveries through the control API. */
  readonly listener?: true
}
