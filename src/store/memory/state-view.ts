import type { TableName, Tables } from '../../engine/tables.ts'
import type { TablePages } from './table-pages.ts'

/** All rows at one moment. Later commits do not change it. */
export interface StateView {
  readonly tables: ReadonlyMap<TableName, TablePages>
  rows<T extends TableName>(table: T): Iterable<Tables[T]>
  /** Returns the JSON of each row, as text or bytes. */
  lines(table: TableName): Iterable<string | Uint8Array>
}

export function createStateView(tables: StateView['tables']): StateView {
  return {
    tables,
    rows: <T extends TableName>(name: T) => (tables.get(name)?.rows() ?? []) as Iterable<Tables[T]>,
    lines: (name) => tables.get(name)?.lines() ?? [],
  }
}
