// The control API: bodies and answers, as they travel. Times are RFC 3339 texts, durations texts such as 20m.
import type { WebhookEventName } from '../domain/events.ts'
import type { FAULT_FIELDS, FaultTarget, RULE_FIELDS } from '../domain/faults.ts'
import type { PlanText } from '../domain/simulator-plan.ts'
import type { SignatureVersion } from '../domain/webhook-signature.ts'
import type { MessageView } from './message-types.ts'

export interface Page<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
}

export interface PageQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface ObjectFilter extends PageQuery {
  /** Payments and payouts: the beginning of an id. */
  readonly id?: string | undefined
  readonly shop_id?: string | undefined
  readonly status?: string | undefined
  readonly order_id?: string | undefined
  readonly method?: string | undefined
  readonly mode?: 'test' | 'live' | undefined
}

export interface HealthView {
  /** `failing` while the store cannot write; `reason` says why. A caller without a needed token gets the status alone. */
  readonly status: 'ok' | 'failing'
  readonly store?: 'ok' | 'refuses_changes'
  readonly reason?: string
  readonly version?: string
  readonly api_version?: string
  readonly now?: string
  readonly clock?: string | { readonly mode: string }
  /** By how much the sandbox's clock is ahead because its machine's was set back; absent: it was not. */
  readonly clock_ahead_ms?: number
  /** The newest id of the control stream. */
  readonly last_event_id?: string
  /** Of the public event stream, since the start. */
  readonly event_streams?: { readonly connections: number; readonly sent: number; readonly dropped: number }
  /** Of the server; told on loopback hosts only. */
  readonly pid?: number
  /** Its data folder; null: in memory only. */
  readonly data?: string | null
}

/** How many rows each table of the state holds. */
export type Counts = { readonly [table: string]: number }

/** Where webhooks go. No `events`: all of them. */
export interface EndpointView {
  readonly id: string
  readonly shop_id?: string
  readonly url: string
  readonly events: readonly WebhookEventName[]
  readonly signature: SignatureVersion
  readonly active: boolean
  readonly created_at?: string
  /** Shown by creation and rotation only. */
  readonly secret?: string
}

export interface EndpointBody {
  readonly url?: string | undefined
  readonly events?: readonly WebhookEventName[] | undefined
  readonly signature?: SignatureVersion | undefined
  readonly active?: boolean | undefined
  /** False: it signs with the shop's `webhook_secret`. At creation only. */
  readonly own_secret?: boolean | undefined
}

/** A shop and its settings; `rate_limit` in requests per second. */
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
  /** Of its first key. Default: a new one, as are the secrets. */
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

/** Something that happened, with the object as it was then. Times in RFC 3339. */
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
  /** Due, on the sandbox's clock. */
  readonly at: string
  /** Sent, on the wall clock. */
  readonly sent_at: string
  readonly ms: number
  readonly status?: number | null
  readonly error?: string | null
  readonly fault?: string
  readonly fault_ids?: readonly string[]
  readonly request: MessageView
  readonly response?: MessageView | null
  /** Further ones of the fault `duplicate`, from 2: the first is the attempt itself, and its answer counts. */
  readonly copies?: readonly ({ readonly copy: number } & Omit<AttemptView, 'number' | 'at' | 'request' | 'copies'>)[]
}

/** An event on its way to one receiver. Times in RFC 3339 on the sandbox's clock; `null`: no attempt is to come. */
export interface DeliveryView {
  readonly id: string
  readonly event_id: string
  readonly event: WebhookEventName
  readonly object_id: string
  readonly shop_id: string
  readonly endpoint_id?: string | null
  readonly url: string
  readonly status: 'waiting' | 'sending' | 'delivered' | 'exhausted' | 'cancelled'
  readonly created_at?: string
  readonly next_attempt_at?: string | null
  readonly attempts: readonly AttemptView[]
}

/** Fields by name; `*` in a text stands for any text. `metadata.cart` is a pair of the payment's metadata. */
type Matching<Field extends string> = { readonly [F in Field]?: string | number } & {
  readonly [path: `metadata.${string}`]: string | number
}

/** What a rule is matched on. `method` and `payment_method` are both the way to pay. */
export type RuleMatch = Matching<(typeof RULE_FIELDS)[number]>

/** What a fault is matched on; each target takes some of these. `method` is the HTTP method. */
export type FaultMatch = Matching<(typeof FAULT_FIELDS)[FaultTarget][number]>

/**
 * What the simulator is to do with operations that match: `{ plan: 'failed:call_issuer', match: { order_id: 'A-*' }, times: 2 }`.
 * `match`: fields by name, `*` stands for any text; absent: all. `times`: how often it applies, default always.
 * `every`: 3 applies to each third match.
 */
export interface RuleBody {
  readonly match?: RuleMatch | undefined
  readonly plan: PlanText | readonly PlanText[]
  readonly times?: number | undefined
  readonly every?: number | undefined
}

/** A rule as it stands: `matched` so often, `applied` so often; `times` are those left. */
export interface RuleView extends RuleBody {
  readonly id: string
  readonly created_at?: string
  readonly matched?: number
  readonly applied?: number
}

/**
 * A fault of the transport: `{ target: 'webhook', fault: 'duplicate:2', times: 1 }`. `match`, `times` and `every` as in a rule;
 * `probability` in [0, 1].
 */
export interface FaultBody {
  readonly target: FaultTarget
  readonly fault: string
  readonly match?: FaultMatch | undefined
  readonly times?: number | undefined
  readonly every?: number | undefined
  readonly probability?: number | undefined
}

/** A fault as it stands: `matched` so often, `applied` so often; `times` are those left. */
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
}

export type PaymentAction =
  | { readonly action: 'choose_method'; readonly method: string }
  | { readonly action: 'open_session' }
  | { readonly action: 'pay'; readonly method?: string | undefined }
  | { readonly action: 'decline'; readonly failure_code?: string | undefined }
  | { readonly action: 'expire' }

export interface SettleAct {
  readonly action: 'settle'
  readonly status: 'succeeded' | 'failed'
  readonly failure_code?: string | undefined
}

/** What the simulator does with an object, and what chose it. */
export interface PlannedView {
  readonly plan: string
  readonly decided_by: string
}
