// Checks a state that comes from a file, whole, before anything of it is used: rows, unique ids, and what rows refer to.

import type * as z from 'zod'
import { type Refusal, refuse } from '../../domain/errors.ts'
import { expected } from '../../domain/expected.ts'
import { parsePlan } from '../../domain/simulator-plan.ts'
import { refundTotalIssue } from '../../engine/check-refund-total.ts'
import { deliveryUrlIssue } from '../../engine/delivery-url.ts'
import { REFERENCES } from '../../engine/references.ts'
import { fieldOf } from '../../engine/row-field.ts'
import { TABLE_ROWS } from '../../engine/row-schemas.ts'
import { TABLE_NAMES, type TableName, type Tables } from '../../engine/tables.ts'
import { readSettings, SettingError } from '../../settings.ts'

export type CheckedTables = { readonly [T in TableName]?: readonly Tables[T][] }

/**
 * The very tables it was given: a parsed copy would lose keys such as `__proto__`. A missing table is empty.
 * @throws Refusal `bad_request` that names the path
 */
export function checkTables(tables: { readonly [name: string]: unknown }): CheckedTables {
  for (const name of Object.keys(tables)) {
    if (!TABLE_NAMES.some((known) => known === name)) throw wrong(`tables.${name}`, 'there is no such table')
  }
  for (const name of TABLE_NAMES) checkRows(name, Object.hasOwn(tables, name) ? tables[name] : [])
  const checked = tables as CheckedTables
  if ((checked.shops ?? []).length === 0) throw wrong('tables.shops', 'a state needs at least one shop')
  checkReferences(checked)
  checkUrls(checked)
  checkSums(checked)
  checkKeys(checked)
  checkSettings(checked)
  return checked
}

const WORDS = { error: (issue: z.core.$ZodRawIssue) => `expected ${expected(issue)}` }

function checkRows(name: TableName, rows: unknown): void {
  if (!Array.isArray(rows)) throw wrong(`tables.${name}`, 'expected a list of rows')
  const seen = new Set<string>()
  rows.forEach((row: unknown, index) => {
    const path = `tables.${name}[${index}]`
    const issue = TABLE_ROWS[name].safeParse(row, WORDS).error?.issues[0]
    if (issue !== undefined) throw wrong([path, ...issue.path.map(String)].join('.'), issue.message)
    const { id } = row as { id: string }
    if (seen.has(id)) throw wrong(`${path}.id`, `${id} is there twice`)
    seen.add(id)
  })
}

function checkReferences(tables: CheckedTables): void {
  const merchants = new Map((tables.shops ?? []).map(({ id, merchant_id }) => [id, merchant_id]))
  const ids = new Map<TableName, ReadonlySet<string>>()
  for (const [from, field, to] of REFERENCES) {
    const known = ids.get(to) ?? new Set((tables[to] ?? []).map(({ id }) => id))
    ids.set(to, known)
    tables[from]?.forEach((row, index) => {
      const id = String(fieldOf(row, field))
      const path = `tables.${from}[${index}]`
      if (!known.has(id)) throw wrong(`${path}.${field}`, `tables.${to} has no ${id}`)
      if (field === 'shop_id' && merchants.get(id) !== fieldOf(row, 'merchant_id')) {
        throw wrong(`${path}.merchant_id`, 'the shop is of another merchant')
      }
    })
  }
}

function checkUrls({ deliveries = [], endpoints = [] }: CheckedTables): void {
  const known = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  deliveries.forEach((delivery, index) => {
    const why = deliveryUrlIssue(delivery, known.get(delivery.endpoint_id ?? ''))
    if (why !== undefined) throw wrong(`tables.deliveries[${index}].url`, why)
  })
}

function checkSums({ payments = [], refunds = [] }: CheckedTables): void {
  payments.forEach((payment, index) => {
    const why = refundTotalIssue(payment, refunds)
    if (why !== undefined) throw wrong(`tables.payments[${index}].amount_refunded`, why)
  })
}

function checkKeys({ keys = [] }: CheckedTables): void {
  const hashes = new Set<string>()
  keys.forEach(({ hash }, index) => {
    if (hashes.has(hash)) throw wrong(`tables.keys[${index}].hash`, 'another key has the same one')
    hashes.add(hash)
  })
}

function checkSettings({ state = [] }: CheckedTables): void {
  state.forEach((row, index) => {
    if (row.id !== 'settings') return
    const path = `tables.state[${index}].values`
    try {
      const { default_outcome } = readSettings(row.values)
      if (parsePlan(default_outcome) === undefined) throw wrong(`${path}.default_outcome`, 'not a plan')
    } catch (error) {
      throw error instanceof SettingError ? wrong(path, error.message) : error
    }
  })
}

function wrong(path: string, why: string): Refusal {
  return refuse('bad_request', `${path}: ${why.replace(/\.$/, '')}. Nothing was changed.`)
}
