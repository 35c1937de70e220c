// The probed state of an order as comparable fields, and the rules for fields that may differ in a correct handler.
import type { SentIds } from '../audit/sent-ids.ts'
import { dependsOnOrder, differing, type Fields, fieldsOf, isOwnId, type Leaf } from '../audit/value.ts'
import { generalPath, maskGeneratedIds } from '../audit/volatile-fields.ts'
import type { OrderReading } from './read-orders.ts'

/** Identifies a field across orders. */
export function fieldIdOf(probe: string, path: string): string {
  return `${probe} ${generalPath(path)}`
}

export interface FieldRules {
  readonly sentIds: SentIds
  /** Fields that change by themselves, see `fieldIdOf`. */
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

/** Returns the paths in which two states differ, and a correct handler's would not. */
export function unexpectedDifferences(left: Fields, right: Fields): string[] {
  return differing(left, right).filter((path) => {
    const [a, b] = [left.get(path), right.get(path)]
    return !dependsOnOrder(path) && !isOwnId(path) && !isSameButForIds(a, b)
  })
}

function isSameButForIds(a: Leaf | undefined, b: Leaf | undefined): boolean {
  return typeof a === 'string' && typeof b === 'string' && maskGeneratedIds(a) === maskGeneratedIds(b)
}

/** Amounts are often text, such as `"1500.00"`. */
export function numberOf(leaf: Leaf | undefined): number | undefined {
  if (typeof leaf === 'number') return leaf
  return typeof leaf === 'string' && /^-?\d+(\.\d+)?$/.test(leaf) ? Number(leaf) : undefined
}

export function showLeaf(leaf: Leaf | undefined): string {
  return leaf === undefined ? '(nothing)' : String(leaf).slice(0, 80)
}
