// The probed state of an order as comparable fields, and the rules for fields that may differ in a correct handler.
import type { Names } from '../audit/names.ts'
import { differing, type Fields, fieldsOf, isInList, isOwnId, keyOf, type Leaf } from '../audit/value.ts'
import { generalPath, maskGeneratedIds } from '../audit/volatile-fields.ts'
import type { OrderReading } from './read-orders.ts'

/** Counters and lists of tries and messages. Their values depend on the order of delivery also in correct handlers. */
const HISTORY_KEY =
  /(^|[._-])(tries|try_count|attempts?|attempt_count|history|log|logs|events?|event_count|audit|journal|timeline|messages|notes?|failures|failed_(count|tries|attempts))$|[a-z](Tries|Attempts?|History|Log|Events|Failures)$/i
/** Fields about the last message or the last try. */
const LAST_KEY =
  /(^|[._-])(last|latest|previous|prev|current|reason|message|error|failure_code|fail_reason|seen_event)([._-]|$)|^(last|latest|previous|current)[A-Z]|(Reason|Message|Error)$/i

/** Returns whether a correct handler may have another value in this field after another order of delivery. */
export function dependsOnOrder(path: string): boolean {
  const keys = path.replace(/\[\d+\]/g, '').split('.')
  if (LAST_KEY.test(keyOf(path))) return true
  return HISTORY_KEY.test(keyOf(path)) || (isInList(path) && keys.some((key) => HISTORY_KEY.test(key)))
}

/** Identifies a field across orders. */
export function fieldIdOf(probe: string, path: string): string {
  return `${probe} ${generalPath(path)}`
}

export interface FieldRules {
  readonly names: Names
  /** Fields that change by themselves, see `fieldIdOf`. */
  readonly volatile: ReadonlySet<string>
}

export function fieldsOfReading(
  { probe, text }: Pick<OrderReading, 'probe' | 'text'>,
  { names, volatile }: FieldRules,
): Fields {
  const fields = new Map(fieldsOf(text, names))
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
