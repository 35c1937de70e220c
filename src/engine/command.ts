// Every way to change the sandbox. A command is data; `engine.execute` decides it in one step.
import type { Attempt, AttemptCopy, Delivery } from '../domain/delivery.ts'
import type { WebhookEventName } from '../domain/events.ts'
import type { Facts, Fault, FaultTarget, Rule } from '../domain/faults.ts'
import type { Metadata, Payment } from '../domain/payment.ts'
import type { PageMethod, PaymentMethod } from '../domain/payment-methods.ts'
import type { Payout } from '../domain/payout.ts'
import type { Refund } from '../domain/refund.ts'
import type { ApiKey, Endpoint, Merchant, Mode, Shop } from '../domain/shop.ts'
import type { Plan } from '../domain/simulator-plan.ts'
import type { SandboxTime } from '../domain/time.ts'
import type { PagePayer } from './page-payer.ts'
import type { StateRow, TableName, Tables, Timer } from './tables.ts'

/** Who asks: derived from the API key. Objects of another shop or mode do not exist for it. */
export interface Caller {
  readonly shop_id: string
  readonly mode: Mode
}

/** Key and fingerprint of a repeatable request, see {@link file://./idempotency.ts}. */
export interface Idempotency {
  readonly key: string
  readonly fingerprint: string
}

/** A create or refund request, after its shape was checked; empty strings are already absent. */
interface Request {
  readonly caller: Caller
  readonly idempotency?: Idempotency
  /** `X-PSP-Simulate` or the command line's `--outcome`. */
  readonly plan?: Plan
}

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

export interface Created<T> {
  readonly object: T
  readonly replayed: boolean
  /** The connection is to be cut after the commit (plan `cut`). */
  readonly cut: boolean
  readonly warnings: readonly string[]
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
  /** Fixed ids, for the shop of a new data folder. */
  readonly ids?: { readonly merchant_id: string; readonly shop_id: string }
  /** Fixed credentials, for seeds and first starts. */
  readonly api_key?: string
  readonly signing_secret?: string
  readonly webhook_secret?: string
}

export interface EndpointInput {
  readonly url: string
  readonly events?: readonly WebhookEventName[]
  readonly signature?: 'v1' | 'v2'
  /** False: the endpoint signs with the shop's `webhook_secret` instead of one of its own. */
  readonly own_secret?: boolean
}

export interface ShopCreated {
  readonly merchant: Merchant
  readonly shop: Shop
  readonly key: ApiKey
  /** Shown once. */
  readonly api_key: string
  readonly endpoints: readonly Endpoint[]
}

type ShopChange = Pick<
  ShopInput,
  'name' | 'live_enabled' | 'require_signature' | 'ip_allow_list' | 'rate_limit' | 'payout_route'
>
type EndpointChange = Partial<Omit<EndpointInput, 'own_secret'>> & { readonly active?: boolean }

/** What a reset of everything begins with. */
export interface Start {
  readonly shop: ShopInput
  /** The clock from here on; the shop is made at the instant it shows. */
  readonly clock?: ClockRow
}

type ClockRow = Extract<StateRow, { id: 'clock' }>

/** Name to what the command takes and what it replies. */
export interface Commands {
  create_payment: [Request & { readonly input: PaymentInput }, Created<Payment>]
  cancel_payment: [{ readonly caller: Caller; readonly payment_id: string }, Payment]
  refund_payment: [
    Request & { readonly payment_id: string; readonly amount?: number; readonly reason?: string },
    Created<Refund>,
  ]
  create_payout: [Request & { readonly input: PayoutInput }, Created<Payout>]

  /** A stored step is due. A timer that was replaced or deleted meanwhile changes nothing. */
  run_timer: [{ readonly timer: Timer }, null]

  act_on_payment: [{ readonly payment_id: string; readonly act: PaymentAction }, Payment]
  settle_refund: [{ readonly refund_id: string } & Settlement, Refund]
  settle_payout: [{ readonly payout_id: string } & Settlement, Payout]

  /** The hosted page was opened by a person: the automatic buyer stands down. */
  open_page: [{ readonly payment_id: string }, Payment]
  /** Pay on the page: starts the session, then the plan decides. A second click changes nothing. */
  pay_on_page: [
    PagePayer & { readonly payment_id: string; readonly method?: PageMethod; readonly plan?: Plan },
    Payment,
  ]

  record_copies: [
    { readonly delivery_id: string; readonly number: number; readonly copies: readonly AttemptCopy[] },
    Delivery | null,
  ]
  record_attempt: [{ readonly delivery_id: string; readonly attempt: Attempt; readonly delivered: boolean }, Delivery]
  /** New deliveries of an old event: to one endpoint, to a url, or to all that would get it now. */
  replay_event: [
    {
      readonly event_id: string
      readonly endpoint_id?: string
      readonly url?: string
      readonly same_timestamp?: boolean
    },
    readonly Delivery[],
  ]
  /** Puts a waiting delivery off to `due`, on the sandbox's clock (a fault, a listener that is away). */
  postpone_delivery: [{ readonly delivery_id: string; readonly due: SandboxTime; readonly in_line?: true }, null]
  retry_delivery: [{ readonly delivery_id: string }, Delivery]
  /** A signed sample event to one endpoint. */
  test_endpoint: [{ readonly endpoint_id: string }, Delivery]

  /** Counts the faults of a target that match, and replies those that apply now, newest first. */
  take_faults: [{ readonly target: FaultTarget; readonly facts: Facts }, readonly Fault[]]

  create_shop: [ShopInput, ShopCreated]
  update_shop: [{ readonly shop_id: string; readonly change: ShopChange }, Shop]
  rotate_shop_secret: [{ readonly shop_id: string; readonly secret: 'signing' | 'webhook' }, Shop]
  create_key: [
    { readonly shop_id: string; readonly mode: Mode; readonly api_key?: string },
    { readonly key: ApiKey; readonly api_key: string },
  ]
  revoke_key: [{ readonly key_id: string }, ApiKey]
  create_endpoint: [{ readonly shop_id: string; readonly input: EndpointInput }, Endpoint]
  update_endpoint: [{ readonly endpoint_id: string; readonly change: EndpointChange }, Endpoint]
  delete_endpoint: [{ readonly endpoint_id: string }, null]
  rotate_endpoint_secret: [{ readonly endpoint_id: string }, Endpoint]
  /** A listener is an endpoint whose deliveries leave through the control API. The same id again goes on with it. */
  open_listener: [
    {
      readonly id?: string
      readonly shop_id: string
      readonly url: string
      readonly events: readonly WebhookEventName[]
      readonly signature: 'v1' | 'v2'
      /** Also events of the last so many ms that this listener has not had. */
      readonly backfill?: number
    },
    Endpoint,
  ]

  /** @see Commit.overrides: `beneath` leaves the settings of this run in force. */
  change_settings: [{ readonly values: { readonly [name: string]: unknown }; readonly beneath?: true }, null]
  set_clock: [{ readonly clock: ClockRow }, null]
  add_rule: [
    {
      readonly match?: Rule['match']
      readonly plan: Rule['plan']
      readonly times?: number
      readonly every?: number
    },
    Rule,
  ]
  add_fault: [
    {
      readonly target: FaultTarget
      readonly fault: string
      readonly match?: Fault['match']
      readonly times?: number
      readonly every?: number
      readonly probability?: number
    },
    Fault,
  ]
  remove_rules: [{ readonly id?: string }, null]
  remove_faults: [{ readonly id?: string }, null]
  /** @param remove ids; one that is gone already is no fault */
  replace_faults: [
    { readonly remove: readonly string[]; readonly add: readonly Commands['add_fault'][0][] },
    readonly Fault[],
  ]
  /** Clears what the simulator made; with `all` everything, and the start comes anew: one commit. */
  reset: [{ readonly all?: Start }, null]
  /** Replaces everything by these rows: one commit. */
  import_state: [{ readonly tables: { readonly [T in TableName]?: readonly Tables[T][] } }, null]
}

export type CommandName = keyof Commands
export type Input<N extends CommandName> = Commands[N][0]
export type Reply<N extends CommandName> = Commands[N][1]
