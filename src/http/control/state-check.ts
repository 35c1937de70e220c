// Checks a state that comes from a file, whole, before anything of it is used.
import * as z from 'zod'
import { DELIVERY_STATUSES } from '../../domain/delivery.ts'
import { refuse } from '../../domain/errors.ts'
import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { PAYMENT_STATUSES } from '../../domain/payment-states.ts'
import { PAYOUT_STATUSES } from '../../domain/payout-states.ts'
import { REFUND_STATUSES } from '../../domain/refund.ts'
import { parsePlan } from '../../domain/simulator-plan.ts'
import { TABLE_NAMES, type TableName, type Tables, TIMER_KINDS } from '../../engine/tables.ts'
import { readSettings, SettingError } from '../../settings.ts'

type StoredTables = { readonly [T in TableName]?: readonly Tables[T][] }

const id = z.string().min(1)
const money = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const time = z.number().int()
const plan = z.object({ outcome: z.string(), decided_by: z.string() })
const owned = { id, merchant_id: id, shop_id: id }

/** What must hold of a row; fields that are not named are kept as they are. */
const ROWS: { readonly [T in TableName]: z.ZodType } = {
  state: z.discriminatedUnion('id', [
    z.object({ id: z.literal('settings'), values: z.record(z.string(), z.unknown()) }),
    z.object({
      id: z.literal('clock'),
      mode: z.enum(['real', 'frozen', 'scaled']),
      speed: z.number().positive(),
      virtual: time,
      wall: time,
    }),
  ]),
  merchants: z.object({ id, name: z.string(), created_at: time, live_enabled: z.boolean() }),
  shops: z.object({
    id,
    merchant_id: id,
    name: z.string(),
    created_at: time,
    signing_secret: id,
    webhook_secret: id,
    require_signature: z.boolean(),
    ip_allow_list: z.array(z.string()),
    payout_route: z.boolean(),
    former_secrets: z.array(z.string()),
  }),
  keys: z.object({
    ...owned,
    mode: z.enum(['test', 'live']),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    hint: z.string(),
    created_at: time,
  }),
  endpoints: z.object({
    ...owned,
    url: id,
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    signature: z.enum(['v1', 'v2']),
    active: z.boolean(),
    created_at: time,
    former_secrets: z.array(z.string()),
  }),
  payments: z.object({
    ...owned,
    mode: z.enum(['test', 'live']),
    order_id: z.string(),
    amount: money.min(1),
    amount_refunded: money,
    amount_usdt: z.number(),
    currency: z.string(),
    method: z.enum(PAYMENT_METHODS),
    status: z.enum(PAYMENT_STATUSES),
    created_at: time,
    expires_at: time,
    metadata: z.unknown().refine(isText, 'an object of strings'),
    plan,
  }),
  refunds: z.object({
    ...owned,
    payment_id: id,
    amount: money,
    status: z.enum(REFUND_STATUSES),
    created_at: time,
    plan,
  }),
  payouts: z.object({
    ...owned,
    mode: z.enum(['test', 'live']),
    amount: money.min(1),
    currency: z.string(),
    status: z.enum(PAYOUT_STATUSES),
    fail_reason: z.string(),
    recipient: z.object({ phone: z.string(), bank_id: z.string() }),
    created_at: time,
    plan,
  }),
  idempotency: z.object({ id, fingerprint: id, object_id: id, expires_at: time }),
  events: z.object({
    ...owned,
    event: z.enum(WEBHOOK_EVENTS),
    created_at: time,
    object_id: id,
    body: z.string().refine(isJson, 'a JSON text'),
  }),
  deliveries: z.object({
    ...owned,
    event_id: id,
    event: z.enum(WEBHOOK_EVENTS),
    object_id: id,
    url: id,
    status: z.enum(DELIVERY_STATUSES),
    created_at: time,
    attempts: z.array(z.object({ number: z.number().int(), at: time, sent_at: time, ms: z.number() })),
  }),
  timers: z.object({ id, kind: z.enum(TIMER_KINDS), object_id: id, due: time, seq: z.number().int() }),
  rules: z.object({
    id,
    plan: z.union([z.string(), z.array(z.string())]).refine(arePlans, 'a plan'),
    match: z.record(z.string(), z.union([z.string(), z.number()])),
    matched: z.number().int(),
    applied: z.number().int(),
    created_at: time,
  }),
  faults: z.object({
    id,
    target: z.string(),
    fault: z.string(),
    match: z.record(z.string(), z.union([z.string(), z.number()])),
    matched: z.number().int(),
    applied: z.number().int(),
    created_at: time,
  }),
}

/**
 * The tables of an export, checked: shapes, unique ids, and owners that exist.
 * @throws Refusal `bad_request` that names the path
 */
export function checkTables(tables: { readonly [name: string]: unknown }): StoredTables {
  for (const name of Object.keys(tables)) {
    if (!TABLE_NAMES.some((known) => known === name)) throw refuse('bad_request', `tables.${name}: unknown table.`)
  }
  for (const name of TABLE_NAMES) checkTable(name, tables[name] ?? [])
  const checked = tables as StoredTables
  checkOwners(checked)
  checkSettings(checked)
  return checked
}

function checkTable(name: TableName, rows: unknown): void {
  if (!Array.isArray(rows)) throw refuse('bad_request', `tables.${name}: expected a list of rows.`)
  const seen = new Set<string>()
  rows.forEach((row: unknown, index) => {
    const result = ROWS[name].safeParse(row)
    const issue = result.error?.issues[0]
    if (issue !== undefined) {
      const path = [`tables.${name}[${index}]`, ...issue.path.map(String)].join('.')
      throw refuse('bad_request', `${path}: ${issue.message}. Nothing was changed.`)
    }
    const { id: own } = row as { id: string }
    if (seen.has(own))
      throw refuse('bad_request', `tables.${name}[${index}].id: ${own} is there twice. Nothing was changed.`)
    seen.add(own)
  })
}

function checkOwners(tables: StoredTables): void {
  const shops = new Set((tables.shops ?? []).map((shop) => shop.id))
  if (shops.size === 0)
    throw refuse('bad_request', 'tables.shops: a state needs at least one shop. Nothing was changed.')
  for (const name of ['keys', 'endpoints', 'payments', 'refunds', 'payouts', 'events', 'deliveries'] as const) {
    tables[name]?.forEach(({ shop_id }, index) => {
      if (shops.has(shop_id)) return
      throw refuse('bad_request', `tables.${name}[${index}].shop_id: there is no such shop. Nothing was changed.`)
    })
  }
}

function checkSettings(tables: StoredTables): void {
  for (const row of tables.state ?? []) {
    if (row.id !== 'settings') continue
    try {
      readSettings(row.values)
    } catch (error) {
      if (error instanceof SettingError)
        throw refuse('bad_request', `tables.state: ${error.message}. Nothing was changed.`)
      throw error
    }
  }
}

/** By entries: `__proto__` is an ordinary key. */
function isText(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((inner) => typeof inner === 'string')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function arePlans(value: string | readonly string[]): boolean {
  const plans = typeof value === 'string' ? [value] : value
  return plans.length > 0 && plans.every((text) => parsePlan(text) !== undefined)
}
