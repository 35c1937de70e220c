import type { PreparedState } from '../../engine/commit.ts'
import type { TableName } from '../../engine/tables.ts'
import type { Table } from './table.ts'

/** A prepared state with its tables, as the store uses it. */
export interface PreparedTablesState extends PreparedState {
  readonly tables: ReadonlyMap<TableName, Table>
  /** The name of its pages directory. Absent if the store is in memory. */
  readonly folder: string | undefined
  /** The size of its pages. */
  readonly bytes: number
}
