// The control API: bodies and responses as JSON. Times are RFC 3339 strings, durations are strings such as 20m.
import type { WebhookEventName } from '../domain/events.ts'
import type { FAULT_FIELDS, FaultTarget, RULE_FIELDS } from '../domain/faults.ts'
import type { SignatureVersion } from '../domain/signatures.ts'
import type { PlanText } from '../domain/simulator-plan.ts'
import type { MessageView } from './request-types.ts'

export interface Page<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
}

export interface PageQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface ObjectFilter extends PageQuery {
  /** The beginning of an id, for payments and payouts. */
  readonly id?: string | undefined
  readonly shop_id?: string | undefined
  readonly status?: string | undefined
  readonly order_id?: string | undefined
  readonly method?: string | undefined
  readonly mode?: 'test' | 'live' | undefined
}

export interface HealthView {
  /** `failing` if the store cannot write; `reason` says why. The only field if the client lacks a required token. */
  readonly status: 'ok' | 'failing'
  readonly store?: 'ok' | 'refuses_changes'
  readonly reason?: string
  readonly version?: string
  /** How psp was started, for commands to copy: `psp` or `npx psp`. */
  readonly command?: string
  readonly api_version?: string
  readonly now?: string
  readonly clock?: string | { readonly mode: string }
  /** By how many ms the sandbox's clock is ahead because the system clock was set back. Omitted if it was not. */
  readonly clock_ahead_ms?: number
  /** The newest id of the control stream. */
  readonly last_event_id?: string
  /** The public event streams since the start. */
  readonly event_streams?: { readonly connections: number; readonly sent: number; readonly dropped: number }
  /** `view`: the client sent the view token, which only permits reading. */
  readonly access?: 'full' | 'view'
  /** The process id of the server. Only present on loopback hosts. */
  readonly pid?: number
  /** The data directory, or null if the sandbox is only in memory. */
  readonly data?: string | null
}

/** A webhook endpoint. If `events` is empty, it receives every event. */
export interface EndpointView {
  readonly id: string
  readonly shop_id?: string
  readonly url: string
  readonly events: readonly WebhookEventName[]
  readonly signature: SignatureVersion
  readonly active: boolean
  readonly created_at?: string
  /** Present only in the response to rotation, and to creation unless `own_secret` is false. */
  readonly secret?: string
}

export interface EndpointBody {
  readonly url?: string | undefined
  readonly events?: readonly WebhookEventName[] | undefined
  readonly signature?: SignatureVersion | undefined
  readonly active?: boolean | undefined
  /** If false, the endpoint signs with the shop's `webhook_secret`. At creation only. */
  readonly own_secret?: boolean | undefined
}

/** A shop and its settings. `rate_limit` is in requests per second. */
export interface ShopView {
  readonly id: string
  readonly merchant_id: string
  readonly name: string
  readonly live_enabled?: boolean
  readonly require_signature: boolean
  readonly ip_allow_list: readonly string[]
  readonly rate_limit?: number | null
  readonly payout_route: boolean
  readonly created_at?: string
}

export interface ShopBody {
  readonly merchant_id?: string | undefined
  readonly name?: string | undefined
  readonly live_enabled?: boolean | undefined
  readonly require_signature?: boolean | undefined
  readonly ip_allow_list?: readonly string[] | undefined
  readonly rate_limit?: number | undefined
  readonly payout_route?: boolean | undefined
  readonly endpoints?: readonly EndpointBody[] | undefined
  /** The first API key. By default the key and the secrets are generated. */
  readonly api_key?: string | undefined
  readonly signing_secret?: string | undefined
  readonly webhook_secret?: string | undefined
}

export interface ShopCreatedView {
  readonly merchant_id: string
  readonly shop_id: string
  readonly api_key: string
  readonly signing_secret: string
  readonly webhook_secret: string
  readonly endpoints?: readonly EndpointView[]
}

export interface KeyView {
  readonly id: string
  readonly shop_id?: string
  readonly mode: 'test' | 'live'
  readonly created_at: string
  readonly hint?: string
  readonly revoked_at?: string | null
}

/** An event, with the object at the time of the event. Times are RFC 3339. */
export interface EventView {
  readonly id: string
  readonly event: WebhookEventName
  readonly created_at: string
  readonly shop_id: string
  readonly object_id: string
  readonly data: { readonly [field: string]: unknown }
}

export interface AttemptView {
  readonly number: number
  /** The due time, on the sandbox's clock. */
  readonly at: string
  /** The time of sending, on the system clock. */
  readonly sent_at: string
  readonly ms: number
  readonly status?: number | null
  readonly error?: string | null
  /** True for a manual retry, which is made in addition to the retry schedule. */
  readonly manual?: true
  readonly fault?: string
  readonly fault_ids?: readonly string[]
  readonly request: MessageView
  readonly response?: MessageView | null
  /** Further copies of the fault `duplicate`, from 2. The first copy is the attempt, and its response counts. */
  readonly copies?: readonly ({ readonly copy: number } & Omit<AttemptView, 'number' | 'at' | 'request' | 'copies'>)[]
}

/**
 * The delivery of an event to one receiver. Times are RFC 3339 on the sandbox's clock. `next_attempt_at` is null if no
 * further attempt is scheduled.
 */
export interface DeliveryView {
  readonly id: string
  readonly event_id: string
  readonly event: WebhookEventName
  readonly object_id: string
  readonly shop_id: string
  readonly endpoint_id?: string | null
  readonly url: string
  /** True if a replay of the event created it. */
  readonly replay?: true
  /** True if a replay sent an edited body instead of the event's. */
  readonly edited?: true
  readonly status: 'waiting' | 'sending' | 'delivered' | 'exhausted' | 'cancelled'
  readonly created_at?: string
  readonly next_attempt_at?: string | null
  readonly attempts: readonly AttemptView[]
}

/** Fields by name. `*` matches any text. `metadata.cart` is an entry of the payment's metadata. */
type Matching<Field extends string> = { readonly [F in Field]?: string | number } & {
  readonly [path: `metadata.${string}`]: string | number
}

/** The fields that a rule matches. `method` and `payment_method` both mean the payment method. */
export type RuleMatch = Matching<(typeof RULE_FIELDS)[number]>

/** The fields that a fault matches. Each target supports some of these. `method` is the HTTP method. */
export type FaultMatch = Matching<(typeof FAULT_FIELDS)[FaultTarget][number]>

/**
 * A rule that decides how the simulator handles matching operations: `{ plan: 'failed:call_issuer', match: { order_id:
 * 'A-*' }, times: 2 }`. `match` has fields by name, and `*` matches any text; if omitted, everything matches. `times`
 * limits how many times the rule applies. `every: 3` applies it to each third match.
 */
export interface RuleBody {
  readonly match?: RuleMatch | undefined
  readonly plan: PlanText | readonly PlanText[]
  readonly times?: number | undefined
  readonly every?: number | undefined
}

/** A rule, with the counts of its matches and applications. `times` is how many times it can still apply. */
export interface RuleView extends RuleBody {
  readonly id: string
  readonly created_at?: string
  readonly matched?: number
  readonly applied?: number
}

/**
 * A fault to inject: `{ target: 'webhook', fault: 'duplicate:2', times: 1 }`. `match`, `times` and `every` work as in
 * a rule; `probability` is in [0, 1].
 */
export interface FaultBody {
  readonly target: FaultTarget
  readonly fault: string
  readonly match?: FaultMatch | undefined
  readonly times?: number | undefined
  readonly every?: number | undefined
  readonly probability?: number | undefined
}

/** A fault, with the counts of its matches and applications. `times` is how many times it can still apply. */
export interface FaultView extends FaultBody {
  readonly id: string
  readonly created_at?: string
  readonly matched?: number
  readonly applied?: number
}

export interface ReplayBody {
  readonly endpoint_id?: string | undefined
  readonly url?: string | undefined
  readonly same_timestamp?: boolean | undefined
  /** Sent instead of the event's body. */
  readonly body?: string | undefined
}

export type PaymentAction =
  | { readonly action: 'choose_method'; readonly method: string }
  | { readonly action: 'open_session' }
  | { readonly action: 'pay'; readonly method?: string | undefined }
  | { readonly action: 'decline'; readonly failure_code?: string | undefined }
  | { readonly action: 'expire' }

export interface SettleAction {
  readonly action: 'settle'
  readonly status: 'succeeded' | 'failed'
  readonly failure_code?: string | undefined
}

/** The plan of the simulator for an object, and what decided it. */
export interface PlannedView {
  readonly plan: string
  readonly decided_by: string
}
