// The tables of the store. Every row has an `id`.
import type { Delivery } from '../domain/delivery.ts'
import type { WebhookEvent } from '../domain/events.ts'
import type { Fault, Rule } from '../domain/faults.ts'
import type { ImportedEvent } from '../domain/imported-event.ts'
import { PAYMENT_STEPS, type Payment } from '../domain/payment.ts'
import type { Payout } from '../domain/payout.ts'
import type { Refund } from '../domain/refund.ts'
import type { ApiKey, Endpoint, Merchant, Shop } from '../domain/shop.ts'
import type { SandboxTime } from '../domain/time.ts'

/** Timers that are fields of payment rows, see `payment-timer.ts`. */
export const PAYMENT_TIMERS = [...PAYMENT_STEPS, 'session_timeout', 'link_timeout'] as const

export const ROW_TIMERS = ['settle_refund', 'settle_payout', 'deliver'] as const

/** The kind of a timer. `run-timer.ts` has a function for each kind. */
export type TimerKind = (typeof PAYMENT_TIMERS)[number] | (typeof ROW_TIMERS)[number]

/** Timers for which `advance --until-idle` and `idle()` do not wait. */
export const EXPIRY_TIMERS: readonly TimerKind[] = ['session_timeout', 'link_timeout']

/** A future step. Timers run in the order of `due`, then `seq`. Timers of payments are not rows. */
export interface Timer {
  /** `<kind>:<object id>`, so a new timer replaces the old one of its kind. */
  readonly id: string
  readonly kind: TimerKind
  readonly object_id: string
  readonly due: SandboxTime
  readonly seq: number
}

/** The object that an Idempotency-Key created (Spec 5.7). */
export interface IdempotencyRecord {
  /** `<merchant id>:<mode>:<key>`. */
  readonly id: string
  /** SHA-256 over shop, operation, path and the canonical body. */
  readonly fingerprint: string
  readonly object_id: string
  readonly expires_at: SandboxTime
}

/** The rows in `state.json`: stored settings and the clock. */
export type StateRow = { readonly id: 'settings'; readonly values: { readonly [name: string]: unknown } } | ClockRow

/** The stored clock: how sandbox time follows the system clock, and the anchor from which sandbox time is counted. */
export type ClockRow = {
  readonly id: 'clock'
  readonly mode: 'real' | 'frozen' | 'scaled'
  readonly speed: number
  /** The anchor: sandbox time and system time in ms at the last change. */
  readonly virtual: number
  readonly wall: number
}

export interface Tables {
  state: StateRow
  merchants: Merchant
  shops: Shop
  keys: ApiKey
  endpoints: Endpoint
  payments: Payment
  refunds: Refund
  payouts: Payout
  idempotency: IdempotencyRecord
  events: WebhookEvent
  deliveries: Delivery
  timers: Timer
  rules: Rule
  faults: Fault
  imported_events: ImportedEvent
}

export type TableName = keyof Tables

/** Secondary indexes: table, name, and the indexed field. A row without the field is not indexed. */
export const INDEXES = {
  keys: { by_hash: 'hash', by_shop: 'shop_id' },
  shops: { by_merchant: 'merchant_id' },
  endpoints: { by_shop: 'shop_id' },
  refunds: { by_payment: 'payment_id' },
  events: { by_object: 'object_id' },
  deliveries: { by_event: 'event_id' },
} as const satisfies { readonly [T in TableName]?: { readonly [name: string]: string } }

export type IndexedTable = keyof typeof INDEXES

/** Returns the field of a row that an index or a reference names. */
export function fieldOf(row: object, field: string): unknown {
  return (row as { readonly [name: string]: unknown })[field]
}

export const TABLE_NAMES = [
  'state',
  'merchants',
  'shops',
  'keys',
  'endpoints',
  'payments',
  'refunds',
  'payouts',
  'idempotency',
  'events',
  'deliveries',
  'timers',
  'rules',
  'faults',
  'imported_events',
] as const satisfies readonly TableName[]

export function isTableName(name: unknown): name is TableName {
  return TABLE_NAMES.includes(name as TableName)
}
