// Checks the rows of a state one by one while they are read: their fields, and their references to other rows.
import type * as z from 'zod'
import type { Delivery } from '../../domain/delivery.ts'
import type { Payment } from '../../domain/payment.ts'
import type { Endpoint } from '../../domain/shop.ts'
import { parsePlan } from '../../domain/simulator-plan.ts'
import { expected } from '../../domain/zod-messages.ts'
import { deliveryUrlIssue, REFERENCES } from '../../engine/row-consistency.ts'
import { TABLE_ROWS } from '../../engine/row-schemas.ts'
import { fieldOf, isTableName, TABLE_NAMES, type TableName } from '../../engine/tables.ts'
import { readSettings, SettingError } from '../../settings.ts'
import { suggestion } from '../folder/json-file.ts'
import type { Row } from '../memory/row.ts'
import { StateTextError } from './state-text-error.ts'

/** The place of a row in the text of a state: its index in its table, and its line. */
interface Place {
  readonly table: TableName
  readonly index: number
  readonly line: number
}

/** A payment whose `amount_refunded` exceeds its amount. Its refunds must explain this. */
export interface OverRefunded {
  readonly payment: Pick<Payment, 'id' | 'amount' | 'amount_refunded'>
  readonly index: number
  readonly line: number
}

interface Unresolved {
  readonly place: Place
  readonly field: string
  readonly id: string
  readonly merchant_id: unknown
}

const REFERENCED_TABLES: ReadonlySet<TableName> = new Set(REFERENCES.map(([, , to]) => to))
const REFERENCES_OF: ReadonlyMap<TableName, readonly (readonly [field: string, to: TableName])[]> = new Map(
  TABLE_NAMES.map((table) => [table, REFERENCES.flatMap(([from, field, to]) => (from === table ? [[field, to]] : []))]),
)

/** @throws StateTextError from each method */
export class RowChecks {
  readonly overRefunded: OverRefunded[] = []
  /** The ids of the tables that rows refer to. */
  readonly #ids = new Map<TableName, Set<string>>()
  readonly #merchants = new Map<string, unknown>()
  /** References to rows that are not read yet. */
  readonly #unresolved = new Map<TableName, Unresolved[]>()
  readonly #keyHashes = new Set<string>()
  readonly #endpoints = new Map<string, Pick<Endpoint, 'listener'>>()
  /** Deliveries whose endpoint is deleted, or not read yet. */
  readonly #waiting: { readonly place: Place; readonly delivery: Pick<Delivery, 'url' | 'endpoint_id'> }[] = []

  check(table: TableName, index: number, row: unknown, line: number): Row {
    const issue = TABLE_ROWS[table].safeParse(row, MESSAGES).error?.issues[0]
    const place = { table, index, line }
    if (issue !== undefined) throw rowError(place, issue.path.map(String).join('.'), issue.message)
    const checked = row as Row
    this.#noteId(place, checked)
    for (const [field, to] of REFERENCES_OF.get(table) ?? []) this.#checkOrPostpone(place, checked, field, to)
    if (table === 'keys') this.#checkKeyHash(place, checked)
    if (table === 'state') checkSettings(place, checked)
    if (table === 'payments') this.#noteRefunded(place, checked as Payment)
    if (table === 'endpoints') this.#endpoints.set(checked.id, checked as Endpoint)
    if (table === 'deliveries') this.#checkUrl(place, checked as Delivery)
    return checked
  }

  /** Call it after the last row. */
  end(): void {
    if (this.#merchants.size === 0) throw new StateTextError('tables.shops: a state needs at least one shop', 1)
    for (const [to, rows] of this.#unresolved) {
      for (const each of rows) this.#checkReference(each.place, each.field, to, each.id, each.merchant_id)
    }
    for (const { place, delivery } of this.#waiting) this.#requireUrl(place, delivery)
  }

  #noteId(place: Place, row: Row): void {
    const { table } = place
    if (table === 'shops') this.#merchants.set(row.id, fieldOf(row, 'merchant_id'))
    if (!REFERENCED_TABLES.has(table)) return
    const ids = this.#ids.get(table) ?? new Set()
    if (ids.has(row.id)) throw duplicateError(place, row.id)
    ids.add(row.id)
    this.#ids.set(table, ids)
  }

  #checkOrPostpone(place: Place, row: Row, field: string, to: TableName): void {
    const id = String(fieldOf(row, field))
    const merchant_id = fieldOf(row, 'merchant_id')
    if (this.#ids.get(to)?.has(id) === true) {
      this.#checkReference(place, field, to, id, merchant_id)
      return
    }
    const waiting = this.#unresolved.get(to) ?? []
    waiting.push({ place, field, id, merchant_id })
    this.#unresolved.set(to, waiting)
  }

  #checkReference(place: Place, field: string, to: TableName, id: string, merchant_id: unknown): void {
    if (this.#ids.get(to)?.has(id) !== true) throw rowError(place, field, `tables.${to} has no ${id}`)
    if (field === 'shop_id' && this.#merchants.get(id) !== merchant_id) {
      throw rowError(place, 'merchant_id', 'the shop belongs to another merchant')
    }
  }

  #checkUrl(place: Place, delivery: Delivery): void {
    const { url, endpoint_id } = delivery
    if (endpoint_id === undefined || this.#endpoints.has(endpoint_id)) this.#requireUrl(place, delivery)
    else this.#waiting.push({ place, delivery: { url, endpoint_id } })
  }

  #requireUrl(place: Place, delivery: Pick<Delivery, 'url' | 'endpoint_id'>): void {
    const why = deliveryUrlIssue(delivery, this.#endpoints.get(delivery.endpoint_id ?? ''))
    if (why !== undefined) throw rowError(place, 'url', why)
  }

  #checkKeyHash(place: Place, row: Row): void {
    const hash = String(fieldOf(row, 'hash'))
    if (this.#keyHashes.has(hash)) throw rowError(place, 'hash', 'another key has the same hash')
    this.#keyHashes.add(hash)
  }

  #noteRefunded({ index, line }: Place, { id, amount, amount_refunded }: Payment): void {
    if (amount_refunded > amount) this.overRefunded.push({ payment: { id, amount, amount_refunded }, index, line })
  }
}

/** @throws StateTextError if the table does not exist */
export function requireTable(name: string, line: number): TableName {
  if (isTableName(name)) return name
  throw new StateTextError(
    `tables.${name.slice(0, 60)}: this table does not exist${suggestion(name, TABLE_NAMES)}`,
    line,
  )
}

function checkSettings(place: Place, row: Row): void {
  if (row.id !== 'settings') return
  try {
    const { default_outcome } = readSettings(fieldOf(row, 'values') as { readonly [name: string]: unknown })
    if (parsePlan(default_outcome) === undefined) throw rowError(place, 'values.default_outcome', 'not a plan')
  } catch (error) {
    throw error instanceof SettingError ? rowError(place, 'values', error.message) : error
  }
}

const MESSAGES = { error: (issue: z.core.$ZodRawIssue) => `expected ${expected(issue)}` }

export function duplicateError(place: Place, id: string): StateTextError {
  return rowError(place, 'id', `${id} exists twice`)
}

export function rowError({ table, index, line }: Place, field: string, why: string): StateTextError {
  return new StateTextError(`tables.${table}[${index}]${field === '' ? '' : `.${field}`}: ${why}`, line)
}
