// Shops and webhook endpoints, as commands take and return them.
import type { HashedKey } from '../domain/api-key.ts'
import type { WebhookEventName } from '../domain/events.ts'
import type { ApiKey, Endpoint, Merchant, Shop } from '../domain/shop.ts'

export interface ShopInput {
  readonly merchant_id?: string
  readonly name?: string
  readonly live_enabled?: boolean
  readonly require_signature?: boolean
  readonly ip_allow_list?: readonly string[]
  readonly rate_limit?: number
  readonly payout_route?: boolean
  readonly endpoints?: readonly EndpointInput[]
  /** Fixed ids, for the shop of a new data directory. */
  readonly ids?: { readonly merchant_id: string; readonly shop_id: string }
  /** Fixed credentials, for seeds and first starts. */
  readonly api_key?: string
  /** Instead of `api_key`, a key of which only the hash is known. */
  readonly known_key?: HashedKey
  readonly signing_secret?: string
  readonly webhook_secret?: string
}

export interface EndpointInput {
  readonly url: string
  readonly events?: readonly WebhookEventName[]
  readonly signature?: 'v1' | 'v2'
  /** If false, the endpoint signs with the `webhook_secret` of the shop instead of a separate secret. */
  readonly own_secret?: boolean
}

export interface ShopCreated {
  readonly merchant: Merchant
  readonly shop: Shop
  readonly key: ApiKey
  /** The key itself, which is not stored. Empty if only its hash was known. */
  readonly api_key: string
  readonly endpoints: readonly Endpoint[]
}

export type ShopChange = Pick<
  ShopInput,
  'name' | 'live_enabled' | 'require_signature' | 'ip_allow_list' | 'rate_limit' | 'payout_route'
>
export type EndpointChange = Partial<Omit<EndpointInput, 'own_secret'>> & { readonly active?: boolean }
