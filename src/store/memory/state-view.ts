import type { TableName, Tables } from '../../engine/tables.ts'
import type { TableView } from './table.ts'

/** All rows at one moment. Later commits do not change it. */
export interface StateView {
  readonly tables: ReadonlyMap<TableName, TableView>
  rows<T extends TableName>(table: T): Iterable<Tables[T]>
  /** Returns the JSON of each row, as text or bytes. */
  lines(table: TableName): Iterable<string | Uint8Array>
}

export function createStateView(views: readonly TableView[]): StateView {
  const tables = new Map(views.map((view) => [view.name, view]))
  return {
    tables,
    rows: <T extends TableName>(name: T) => (tables.get(name)?.rows.rows() ?? []) as Iterable<Tables[T]>,
    lines: (name) => tables.get(name)?.rows.lines() ?? [],
  }
}
