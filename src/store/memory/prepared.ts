import type { PreparedState } from '../../engine/commit.ts'
import type { TableName } from '../../engine/tables.ts'
import type { Table } from './table.ts'

/** What the store knows of a prepared state. */
export interface Prepared extends PreparedState {
  readonly tables: ReadonlyMap<TableName, Table>
  /** The folder with its pages, below the data directory; absent in memory. */
  readonly folder: string | undefined
  /** Size of its pages. */
  readonly bytes: number
}
