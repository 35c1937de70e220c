import type { Settings, SettingValues } from '../settings.ts'
import type { RetentionCursor } from './commit.ts'
import type { INDEXES, IndexedTable, TableName, Tables } from './tables.ts'

/** The state that a decision may read. Rows are immutable: to change a row, put a new row with the same id. */
export interface World {
  readonly settings: Settings
  /** Settings of this run (flags, environment, configuration), except those that a later command has changed. */
  readonly run_settings: SettingValues
  /** All settings of this run. When `state` is cleared, they become the `run_settings` again. */
  readonly start_settings: SettingValues
  get<T extends TableName>(table: T, id: string): Tables[T] | undefined
  /** Rows whose indexed field equals `key`, oldest first. */
  find<T extends IndexedTable>(table: T, index: string & keyof (typeof INDEXES)[T], key: string): readonly Tables[T][]
  /** Every row in the given order. Default: oldest first. Rows that are put during iteration may be included or not. */
  rows<T extends TableName>(table: T, order?: 'oldest' | 'newest'): Iterable<Tables[T]>
  /** Rows after the one with this id, oldest first; every row if there is no such id. */
  rowsAfter<T extends TableName>(table: T, id: string | undefined): Iterable<Tables[T]>
  /** Rows before the one with this id, newest first; every row if there is no such id. */
  rowsBefore<T extends TableName>(table: T, id: string): Iterable<Tables[T]>
  /** Rows whose string field has one of these values, oldest first. No nested object may precede the field in a row. */
  rowsWith<T extends TableName>(
    table: T,
    field: string & keyof Tables[T],
    values: readonly string[],
  ): Iterable<Tables[T]>
  size(table: TableName): number
  /** The position where retention stopped, so that it can skip many unfinished rows. */
  readonly retentionCursor: RetentionCursor
}
