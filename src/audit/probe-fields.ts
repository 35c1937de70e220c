// The value of a probe, as fields by JSON path. Ids, times and versions are masked, because they always differ.

import { parseJson } from '../domain/json-values.ts'
import {
  generalPath,
  isHistoryKey,
  isIdKey,
  isLastKey,
  maskedKey,
  maskedLeaf,
  maskGeneratedIds,
} from './mask-values.ts'
import type { SentIds } from './sent-ids.ts'

/** Values by path. A value that is not JSON has the path `$`. An empty value has no fields. */
export type Fields = ReadonlyMap<string, Leaf>
export type Leaf = string | number | boolean | null

/**
 * Returns the fields of a value. The order of list items is ignored.
 *
 * @param volatile fields to omit, which change by themselves, as paths with `{}` for each placeholder (`generalPath`)
 */
export function fieldsOf(text: string, sentIds: SentIds = [], volatile: ReadonlySet<string> = NONE): Fields {
  const plain = text.trim()
  const fields = new Map<string, Leaf>()
  if (plain !== '') collect(canonical(parsed(plain), '', sentIds), '$', fields)
  if (volatile.size > 0) for (const path of fields.keys()) if (volatile.has(generalPath(path))) fields.delete(path)
  return fields
}

const NONE: ReadonlySet<string> = new Set()

export function differing(left: Fields, right: Fields): string[] {
  return [...new Set([...left.keys(), ...right.keys()])].filter((path) => left.get(path) !== right.get(path))
}

export function isOwnId(path: string): boolean {
  return isIdKey(keyOf(path))
}

export function isInList(path: string): boolean {
  return path.includes('[')
}

/** Returns the path of the entry that contains the field, if object keys are ids: `$.tries.{payment_id}`. */
export function entryOf(path: string): string | undefined {
  return /^(.*\.[^.]*\{(?:[^}]*)\}[^.]*)/.exec(path)?.[1]
}

/** Returns the last key of a path, without list positions. */
export function keyOf(path: string): string {
  return path.replace(/\[\d+\]/g, '').replace(/^.*\./, '')
}

/** Returns whether the value of this field may depend on the order of delivery, even if the handler is correct. */
export function dependsOnDeliveryOrder(path: string): boolean {
  return isLastKey(keyOf(path)) || isHistory(path)
}

/** Returns whether the field counts or lists tries and messages. */
export function isHistory(path: string): boolean {
  const keys = path.replace(/\[\d+\]/g, '').split('.')
  return isHistoryKey(keyOf(path)) || (isInList(path) && keys.some(isHistoryKey))
}

type Canonical = Leaf | Canonical[] | { [key: string]: Canonical }

/** Returns the text itself if it is not JSON, or nested too deeply. */
function parsed(text: string): unknown {
  const value = parseJson(text)
  return value === undefined ? text : value
}

function canonical(value: unknown, key: string, sentIds: SentIds): Canonical {
  if (typeof value === 'string' || typeof value === 'number') return maskedLeaf(key, value, sentIds)
  if (Array.isArray(value)) return value.map((item) => canonical(item, key, sentIds)).sort(byText)
  if (typeof value !== 'object' || value === null) return value as Leaf
  const entries = Object.entries(value)
  // An object whose keys are all numbers is probably a list, so its keys are masked.
  const counted = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name))
  const made: { [key: string]: Canonical } = Object.create(null) as { [key: string]: Canonical }
  for (const [name, item] of entries) {
    const masked = maskedKey(name, sentIds)
    made[unusedKey(made, counted && masked === name ? '{number}' : masked)] = canonical(item, name, sentIds)
  }
  return made
}

/** Adds a number to a masked key that is already used, because two keys may have the same mask. */
function unusedKey(made: object, key: string): string {
  let name = key
  for (let n = 2; Object.hasOwn(made, name); n++) name = key.replace(/\}(?=[^}]*$)/, ` ${n}}`)
  return name
}

/** Sorts list items without regard to generated ids, so that matching items of two lists are compared. */
function byText(a: Canonical, b: Canonical): number {
  return compare(idless(a), idless(b)) || compare(JSON.stringify(a), JSON.stringify(b))
}

function idless(value: Canonical): string {
  return maskGeneratedIds(JSON.stringify(value, (key, item: unknown) => (isIdKey(key) ? undefined : item)) ?? '')
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}

function collect(value: Canonical, path: string, fields: Map<string, Leaf>): void {
  if (typeof value !== 'object' || value === null) fields.set(path, value)
  else if (Array.isArray(value)) for (const [at, item] of value.entries()) collect(item, `${path}[${at}]`, fields)
  else for (const [key, item] of Object.entries(value)) collect(item, `${path}.${key}`, fields)
}

/** Whether two texts differ only in ids that the handler generated. */
export function isSameButForIds(a: Leaf | undefined, b: Leaf | undefined): boolean {
  return typeof a === 'string' && typeof b === 'string' && maskGeneratedIds(a) === maskGeneratedIds(b)
}

/** Returns the number in a field. Amounts are often strings, such as `"1500.00"`. */
export function numberOf(leaf: Leaf | undefined): number | undefined {
  if (typeof leaf === 'number') return leaf
  return typeof leaf === 'string' && /^-?\d+(\.\d+)?$/.test(leaf) ? Number(leaf) : undefined
}
