import { INDEXES, TABLE_NAMES, type TableName } from '../../engine/tables.ts'
import type { Row } from '../memory/row.ts'

/** Fields that are searched in the text of a row. The search finds the first field with the name, even in a nested object. */
const INDEXED_FIELDS: ReadonlyMap<TableName, readonly string[]> = new Map(
  TABLE_NAMES.map((table) => [
    table,
    ['id', ...Object.values(INDEXES[table as keyof typeof INDEXES] ?? {}), ...(table === 'payments' ? ['status'] : [])],
  ]),
)

/**
 * Returns the text of a row in the format of a page. The id is first, and no object precedes an indexed field, because the
 * object may have a field of the same name. Rows that psp wrote already have this order.
 */
export function formatRow(table: TableName, row: Row): string {
  const names = INDEXED_FIELDS.get(table) ?? []
  if (isInOrder(row, names)) return JSON.stringify(row)
  const entries = Object.entries(row)
  const first = names.flatMap((name) => entries.filter(([key]) => key === name))
  return JSON.stringify(Object.fromEntries([...first, ...entries.filter(([key]) => !names.includes(key))]))
}

function isInOrder(row: object, names: readonly string[]): boolean {
  let isFirst = true
  let hadObject = false
  for (const name in row) {
    if (isFirst && name !== 'id') return false
    isFirst = false
    if (names.includes(name)) {
      if (hadObject) return false
    } else if (typeof (row as Record<string, unknown>)[name] === 'object') hadObject = true
  }
  return true
}
