// Spec 5: the merchant, its shops (terminals), keys and webhook endpoints: what the dashboard holds.
import type { WebhookEventName } from './events.ts'
import type { SandboxTime } from './time.ts'

export type Mode = 'test' | 'live'

export interface Merchant {
  readonly id: string
  readonly name: string
  readonly created_at: SandboxTime
  /** Activated for live mode (spec 5.2). */
  readonly live_enabled: boolean
  /** Requests per second; absent: the setting `rate_limit`. 0: no limit. */
  readonly rate_limit?: number
}

export interface Shop {
  readonly id: string
  readonly merchant_id: string
  readonly name: string
  readonly created_at: SandboxTime
  /** `thm_…`: signs requests to the service. */
  readonly signing_secret: string
  /** `whs_…`: signs webhooks of listeners, of `webhook_url` and of endpoints without a secret of their own. */
  readonly webhook_secret: string
  readonly require_signature: boolean
  /** IPv4, IPv6 and CIDR; empty: no restriction. */
  readonly ip_allow_list: readonly string[]
  /** False: payouts get 422 `route_not_configured`. */
  readonly payout_route: boolean
  /** Webhook secrets that were rotated away (newest first, at most 10), so that `verify --explain` can name them. */
  readonly former_secrets: readonly string[]
  /** The same of `signing_secret`; absent: none. */
  readonly former_signing_secrets?: readonly string[]
}

export interface ApiKey {
  readonly id: string
  readonly merchant_id: string
  readonly shop_id: string
  readonly mode: Mode
  /** SHA-256 of the whole key, hex. The key itself is never stored. */
  readonly hash: string
  /** The public part, `sk_test_abc123`, to recognise it by. */
  readonly hint: string
  readonly created_at: SandboxTime
  readonly revoked_at?: SandboxTime
}

export interface Endpoint {
  readonly id: string
  readonly merchant_id: string
  readonly shop_id: string
  readonly url: string
  /** Exact names; empty: all. */
  readonly events: readonly WebhookEventName[]
  readonly signature: 'v1' | 'v2'
  readonly active: boolean
  readonly created_at: SandboxTime
  /** `whs_…`; absent: the shop's `webhook_secret`. */
  readonly secret?: string
  readonly former_secrets: readonly string[]
  /** Set when `psp listen` takes these deliveries through the control API; `url` is where it forwards to. */
  readonly listener?: true
}
