import type { Settings, SettingValues } from '../settings.ts'
import type { Looked } from './commit.ts'
import type { INDEXES, IndexedTable, TableName, Tables } from './tables.ts'

/** What a decision may look at. Rows are values: never change one, put a new one. */
export interface World {
  readonly settings: Settings
  /** Settings of this run alone (flags, environment, configuration) that nothing was set over since; the rest is stored. */
  readonly run_settings: SettingValues
  get<T extends TableName>(table: T, id: string): Tables[T] | undefined
  /** Rows whose indexed field equals `key`, oldest first. */
  find<T extends IndexedTable>(table: T, index: string & keyof (typeof INDEXES)[T], key: string): readonly Tables[T][]
  /** Every row, oldest first; `newest` first with `reverse`. Rows put meanwhile may or may not be seen. */
  rows<T extends TableName>(table: T, order?: 'oldest' | 'newest'): Iterable<Tables[T]>
  /** Rows that came after the one with this id, oldest first; every row where there is none. */
  rowsAfter<T extends TableName>(table: T, id: string | undefined): Iterable<Tables[T]>
  /** Rows whose text field has one of these values, oldest first; it may stand in no object within the row before. */
  rowsWith<T extends TableName>(
    table: T,
    field: string & keyof Tables[T],
    values: readonly string[],
  ): Iterable<Tables[T]>
  size(table: TableName): number
  /** Where looks for finished rows stopped, so that behind many unfinished ones they are found, too. */
  readonly looked: Looked
}
