// All commands that change the sandbox. A command is data. `engine.execute` turns it into one commit, stores the commit
// and publishes it.

import type { ShopSecrets } from '../domain/default-shop.ts'
import type { Attempt, Delivery, DuplicateRecord } from '../domain/delivery.ts'
import type { WebhookEventName } from '../domain/events.ts'
import type { Facts, Fault, FaultTarget, Rule } from '../domain/faults.ts'
import type { ImportedEvent } from '../domain/imported-event.ts'
import type { Payment } from '../domain/payment.ts'
import type { PageMethod } from '../domain/payment-methods.ts'
import type { Payout } from '../domain/payout.ts'
import type { Refund } from '../domain/refund.ts'
import type { ApiKey, Endpoint, Mode, Shop } from '../domain/shop.ts'
import type { Plan } from '../domain/simulator-plan.ts'
import type { SandboxTime } from '../domain/time.ts'
import type {
  EndpointChange,
  EndpointInput,
  PagePayer,
  PaymentAction,
  PaymentInput,
  PayoutInput,
  Settlement,
  ShopChange,
  ShopCreated,
  ShopInput,
} from './command-inputs.ts'
import type { PreparedState } from './commit.ts'
import type { Context, Randomness } from './ports.ts'
import type { ClockRow, Timer } from './tables.ts'
import type { World } from './world.ts'

/** The shop and mode of an API key. Objects of another shop or mode are not visible to it. */
export interface Caller {
  readonly shop_id: string
  readonly mode: Mode
}

export interface Idempotency {
  readonly key: string
  readonly fingerprint: string
}

/** A create or refund request after validation. Fields with empty strings are already omitted. */
interface Request {
  readonly caller: Caller
  readonly idempotency?: Idempotency
  /** `X-PSP-Simulate` or the command line's `--outcome`. */
  readonly plan?: Plan
}

export interface Created<T> {
  readonly object: T
  readonly repeated: boolean
  /** Whether the connection is cut after the commit (plan `cut`). */
  readonly cut: boolean
  readonly warnings: readonly string[]
}

/** The state after a full reset. */
export interface ResetState {
  readonly shop: ShopInput
  /** The clock after the reset. The shop is created at its time. */
  readonly clock?: ClockRow
}

/** A seed makes the same shops, rules, faults and objects each time it is applied. */
export interface Seed {
  /** The shops of the seed, with the secrets that it sets. */
  readonly shops: readonly ShopSecrets[]
  /** @param keepsShops if true, existing shops and the settings stay as they are */
  apply(commit: CombinedCommit, keepsShops: boolean): void
}

/** A command that can be part of a larger commit. */
export type CombinedCommand =
  | 'create_shop'
  | 'change_settings'
  | 'add_rule'
  | 'add_fault'
  | 'create_payment'
  | 'create_payout'

/** Several commands that become one commit. Each command sees the changes of the earlier ones. */
export interface CombinedCommit {
  readonly world: World
  readonly context: Context
  /**
   * @param random default: that of the context
   * @throws RefusalError, also if the plan of a rule is `error:<code>`. Nothing is then stored.
   */
  execute<N extends CombinedCommand>(name: N, input: Input<N>, random?: Randomness): CommandResult<N>
}

/** The input and the result of each command, by name. */
export interface Commands {
  create_payment: [Request & { readonly input: PaymentInput }, Created<Payment>]
  cancel_payment: [{ readonly caller: Caller; readonly payment_id: string }, Payment]
  refund_payment: [
    Request & { readonly payment_id: string; readonly amount?: number; readonly reason?: string },
    Created<Refund>,
  ]
  create_payout: [Request & { readonly input: PayoutInput }, Created<Payout>]

  /** Runs a timer that is due. Does nothing if the timer was replaced or deleted. */
  run_timer: [{ readonly timer: Timer }, null]

  act_on_payment: [{ readonly payment_id: string; readonly act: PaymentAction }, Payment]
  settle_refund: [{ readonly refund_id: string } & Settlement, Refund]
  settle_payout: [{ readonly payout_id: string } & Settlement, Payout]

  /** A person opened the hosted page, so the simulated buyer is disabled. */
  open_page: [{ readonly payment_id: string }, Payment]
  /** Pays on the page: starts the session, then the plan decides. A second click changes nothing. */
  pay_on_page: [
    PagePayer & { readonly payment_id: string; readonly method?: PageMethod; readonly plan?: Plan },
    Payment,
  ]

  /** Stores the responses to the other copies of attempt `number`, which the fault `duplicate` sent. */
  record_duplicates: [
    { readonly delivery_id: string; readonly number: number; readonly copies: readonly DuplicateRecord[] },
    Delivery | null,
  ]
  record_attempt: [{ readonly delivery_id: string; readonly attempt: Attempt; readonly delivered: boolean }, Delivery]
  /** Creates deliveries of an event to one endpoint, to a URL, or to the receivers of a new event of its object. */
  replay_event: [
    {
      readonly event_id: string
      readonly endpoint_id?: string
      readonly url?: string
      readonly same_timestamp?: boolean
      /** Sent instead of the event's body. */
      readonly body?: string
    },
    readonly Delivery[],
  ]
  /**
   * Postpones a waiting delivery, for a fault or a disconnected listener. With `in_backlog`, the delivery joins the
   * backlog of its listener, whose first attempts are sent in the order of all events.
   */
  postpone_delivery: [{ readonly delivery_id: string; readonly due: SandboxTime; readonly in_backlog?: true }, null]
  retry_delivery: [{ readonly delivery_id: string }, Delivery]
  /** Sends a signed sample event to one endpoint. */
  test_endpoint: [{ readonly endpoint_id: string }, Delivery]

  /** Counts a match for each matching fault of a target, and returns the faults that apply now, newest first. */
  consume_faults: [{ readonly target: FaultTarget; readonly facts: Facts }, readonly Fault[]]

  create_shop: [ShopInput, ShopCreated]
  update_shop: [{ readonly shop_id: string; readonly change: ShopChange }, Shop]
  rotate_shop_secret: [{ readonly shop_id: string; readonly secret: 'signing' | 'webhook' }, Shop]
  /** Removes the public development secrets from the lists of former secrets. */
  forget_development_secrets: [Record<never, never>, null]
  create_key: [
    { readonly shop_id: string; readonly mode: Mode; readonly api_key?: string },
    { readonly key: ApiKey; readonly api_key: string },
  ]
  revoke_key: [{ readonly key_id: string }, ApiKey]
  create_endpoint: [{ readonly shop_id: string; readonly input: EndpointInput }, Endpoint]
  update_endpoint: [{ readonly endpoint_id: string; readonly change: EndpointChange }, Endpoint]
  delete_endpoint: [{ readonly endpoint_id: string }, null]
  rotate_endpoint_secret: [{ readonly endpoint_id: string }, Endpoint]
  /** Opens a listener, whose deliveries are sent through the control API. A known `id` resumes that listener. */
  open_listener: [
    {
      readonly id?: string
      readonly shop_id: string
      readonly url: string
      readonly events: readonly WebhookEventName[]
      readonly signature: 'v1' | 'v2'
      /** In ms. Events of the last `backfill` ms that were not sent to the listener are delivered too. */
      readonly backfill?: number
    },
    Endpoint,
  ]

  /** With `keepRunSettings`, the settings of this run still override the stored settings, see `Commit.overrides`. */
  change_settings: [{ readonly values: { readonly [name: string]: unknown }; readonly keepRunSettings?: true }, null]
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
  /** Removes the rule with `id`, or the rules whose `match` contains `shop_id`, or all rules. */
  remove_rules: [{ readonly id?: string; readonly shop_id?: string }, null]
  remove_faults: [{ readonly id?: string; readonly shop_id?: string }, null]
  /** @param remove ids; an unknown id is ignored */
  replace_faults: [
    { readonly remove: readonly string[]; readonly add: readonly Commands['add_fault'][0][] },
    readonly Fault[],
  ]
  /** Stores the events of a recording. `replace` first removes all imported events. `known` ones existed before. */
  import_events: [
    { readonly events: readonly Omit<ImportedEvent, 'created_at'>[]; readonly replace?: boolean },
    { readonly imported: number; readonly known: number; readonly total: number },
  ]
  remove_imported_events: [Record<never, never>, null]
  /** Creates the first shop of an empty sandbox, and what the seed makes, in one commit. */
  initialize: [{ readonly shop: ShopInput; readonly seed?: Seed }, null]
  /**
   * Clears what the simulator created. With `all` it clears everything and restores the start state. In both cases the
   * seed is applied again. One commit.
   */
  reset: [{ readonly all?: ResetState; readonly seed?: Seed }, null]
  /** Replaces everything with a state that the store prepared. One commit. */
  import_state: [{ readonly prepared: PreparedState; readonly clock: ClockRow }, null]
}

export type CommandName = keyof Commands
export type Input<N extends CommandName> = Commands[N][0]
export type CommandResult<N extends CommandName> = Commands[N][1]
