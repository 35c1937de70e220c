import type { CommitLog } from '../engine/ports.ts'
import { TABLE_NAMES } from '../engine/tables.ts'
import type { World } from '../engine/world.ts'
import type { StoreUnavailable } from './errors.ts'
import type { Snapshots, StoredTables } from './snapshots/snapshots.ts'

export interface Store extends CommitLog {
  /** Number of the last journal line. */
  readonly seq: number
  readonly snapshots: Snapshots
  /** Resolves when every commit so far is as durable as was asked for; `undefined`: it is already. */
  flushed(): Promise<void> | undefined
  /** Why changes are refused now; `undefined` while they are taken. */
  refusal(): StoreUnavailable | undefined
  /**
   * Calls back when changes are taken again, maybe in the middle of one: commits that were told of are undone, and what
   * follows commits must look at the rows anew, in a later turn.
   */
  onRecovery(listener: () => void): void
  /** Why the folder is not this store's any more: removed, moved, or taken over. Then nothing of it is touched. */
  lost(): StoreUnavailable | undefined
  /** Brings the pages up to date. A failure is told by `notice`: the journal keeps what the pages lack. */
  checkpoint(): Promise<void>
  exportAll(): StoredTables
  /** Writes the url of the server that holds the folder into the lock, for clients to find. */
  announce(url: string): void
  /** Checkpoint, then give the folder back, also if it rejects. A second call does nothing. @throws PagesNotWritten */
  close(): Promise<void>
  /**
   * Closes the store of a start that was refused. A new folder is removed; another one without changes stays as it was.
   * Never rejects.
   */
  abandon(): Promise<void>
}

export function exportTables(world: World): StoredTables {
  return Object.fromEntries(TABLE_NAMES.map((name) => [name, [...world.rows(name)]])) as unknown as StoredTables
}
