import type { CommitLog } from '../engine/ports.ts'
import type { StoreUnavailableError } from './errors.ts'
import type { StateSource } from './import/prepare-state.ts'
import type { Prepared } from './memory/prepared.ts'
import type { StateView } from './memory/state-view.ts'
import type { Snapshots } from './snapshots/snapshots.ts'
import type { KeptStart } from './start-record.ts'

export interface Store extends CommitLog {
  /** Number of the last journal line. */
  readonly seq: number
  readonly snapshots: Snapshots
  readonly start: KeptStart
  /** Resolves when every commit so far is as durable as was asked for; `undefined`: it is already. */
  flushed(): Promise<void> | undefined
  /** Why changes are refused now; `undefined` while they are taken. */
  refusal(): StoreUnavailableError | undefined
  /**
   * Calls back when changes are taken again, maybe in the middle of one: commits that were told of are undone, and what
   * follows commits must look at the rows anew, in a later turn.
   */
  onRecovery(listener: () => void): void
  /** Why the folder is not this store's any more: removed, moved, or taken over. Then nothing of it is touched. */
  lost(): StoreUnavailableError | undefined
  /** Brings the pages up to date. A failure is told by `notice`: the journal keeps what the pages lack. */
  checkpoint(): Promise<void>
  /** All rows as they are now, with those of commits that may still be undone. */
  view(): StateView
  /**
   * Builds the tables of another state next to the present ones, then lets `commit` put them in place with a commit that
   * has them as `prepared`. The event loop is not stopped. If it throws, nothing of the state stays.
   * @throws StateTextError; StoreUnavailableError, or what the disk said; the reason of `signal`; what `commit` threw
   */
  replace<T>(source: StateSource, commit: (prepared: Prepared) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Writes the url of the server that holds the folder into the lock, for clients to find. */
  announce(url: string): void
  /** Checkpoint, then give the folder back, also if it rejects. A second call does nothing. @throws PagesNotWrittenError */
  close(): Promise<void>
  /**
   * Closes the store of a start that was refused. A new folder is removed; another one without changes stays as it was.
   * Never rejects.
   */
  abandon(): Promise<void>
}
