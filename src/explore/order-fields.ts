// The probed state of an order as comparable fields, without those that may differ if the handler is correct.

import { generalPath } from '../audit/mask-values.ts'
import {
  dependsOnDeliveryOrder,
  differing,
  type Fields,
  fieldsOf,
  isOwnId,
  isSameButForIds,
  type Leaf,
} from '../audit/probe-fields.ts'
import type { SentIds } from '../audit/sent-ids.ts'
import type { OrderReading } from './read-probes.ts'

/** Identifies a field across orders. */
export function fieldIdOf(probe: string, path: string): string {
  return `${probe} ${generalPath(path)}`
}

export interface FieldRules {
  readonly sentIds: SentIds
  /** The ids of fields that change by themselves, from `fieldIdOf`. */
  readonly volatile: ReadonlySet<string>
}

export function fieldsOfReading(
  { probe, text }: Pick<OrderReading, 'probe' | 'text'>,
  { sentIds, volatile }: FieldRules,
): Fields {
  const fields = new Map(fieldsOf(text, sentIds))
  for (const path of fields.keys()) if (volatile.has(fieldIdOf(probe, path))) fields.delete(path)
  return fields
}

/** Returns the paths in which two states differ, although they would not if the handler were correct. */
export function unexpectedDifferences(left: Fields, right: Fields): string[] {
  return differing(left, right).filter((path) => {
    const [a, b] = [left.get(path), right.get(path)]
    return !dependsOnDeliveryOrder(path) && !isOwnId(path) && !isSameButForIds(a, b)
  })
}

export function showLeaf(leaf: Leaf | undefined): string {
  return leaf === undefined ? '(nothing)' : String(leaf).slice(0, 80)
}
