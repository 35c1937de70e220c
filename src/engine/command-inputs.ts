// The inputs of commands, and results that are not single rows.
import type { HashedKey } from '../domain/api-key.ts'
import type { WebhookEventName } from '../domain/events.ts'
import type { Metadata } from '../domain/payment.ts'
import type { PageMethod, PaymentMethod } from '../domain/payment-methods.ts'
import type { ApiKey, Endpoint, Merchant, Shop } from '../domain/shop.ts'
import type { Plan } from '../domain/simulator-plan.ts'

export interface PaymentInput {
  readonly amount: number
  readonly currency: string
  readonly method: PaymentMethod
  readonly order_id?: string
  readonly customer_id?: string
  readonly return_url?: string
  readonly description?: string
  readonly webhook_url?: string
  readonly metadata: Metadata
}

export interface PayoutInput {
  readonly amount: number
  readonly currency: string
  readonly phone: string
  readonly bank_id: string
  readonly full_name?: string
}

export type PaymentAction =
  | { readonly action: 'choose_method'; readonly method: PageMethod }
  | { readonly action: 'open_session' }
  | { readonly action: 'pay'; readonly method?: PageMethod }
  | { readonly action: 'decline'; readonly failure_code?: string; readonly method?: PageMethod }
  | { readonly action: 'expire' }

export interface Settlement {
  readonly status: 'succeeded' | 'failed'
  readonly failure_code?: string
}

/** The fields of the payer that the hosted page knows. The simulator generates the other fields. */
export interface PagePayer {
  readonly card?: PageCard
  /** The name of the bank chosen for SBP. */
  readonly bank?: string
}

/** The card as the page reports it, without its number. */
export interface PageCard {
  readonly brand: string
  readonly mask: string
  readonly holder?: string
  /** The plan of a magic card. Rules, header and metadata have priority over it. */
  readonly plan?: Plan
}

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
