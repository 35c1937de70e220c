import type { CommitLog } from '../engine/ports.ts'
import type { SettingValues } from '../settings.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { StoreUnavailableError } from './errors.ts'
import type { FileSystemPort } from './folder/file-system.ts'
import type { StateSource } from './import/prepare-state.ts'
import type { PreparedTablesState } from './memory/prepared-tables-state.ts'
import type { StateView } from './memory/state-view.ts'
import type { Snapshots } from './snapshots/snapshots.ts'
import type { StartRecordStorage } from './start-record.ts'

export interface StoreOptions {
  /** The data directory. If `undefined`, the store is in memory only. */
  readonly folder: string | undefined
  /** Settings that override the stored settings while the store is open. They are never stored. */
  readonly settings?: SettingValues | undefined
  /** Whether the promise of a commit resolves only when the commit is durable (fdatasync). */
  readonly durable?: boolean
  /**
   * With `setInterval`, the lock has a heartbeat for other containers, and failed writes are retried without a new
   * commit. With `setTimeout`, the start waits to see whether a lock holder in another container is alive.
   */
  readonly systemClock: { now(): number } & Partial<Pick<SystemClock, 'setInterval' | 'setTimeout'>>
  /** If present, commits of one turn of the event loop are written together. See `WriterOptions`. */
  readonly nextTurn?: (fn: () => void) => void
  readonly fs?: FileSystemPort
  /** Prints a line for the user: what was dropped or failed, and what to do next. */
  notice(text: string): void
  /** The PID namespace of this process. Default: `pidNamespace()`. */
  readonly pidNamespace?: string
  /** The journal size, in bytes, that triggers a checkpoint. */
  readonly checkpointThreshold?: number
}

export interface Store extends CommitLog {
  readonly snapshots: Snapshots
  readonly start: StartRecordStorage
  /** Resolves when every commit so far is as durable as requested, or returns `undefined` if it already is. */
  flushed(): Promise<void> | undefined
  /** Returns why the store is read-only, or `undefined` if it is writable. */
  readOnlyReason(): StoreUnavailableError | undefined
  /**
   * Registers a listener that is called when the store is writable again, possibly in the middle of a commit. Commits
   * that were already applied in memory may have been rolled back. So a listener must read the rows again, in a later
   * turn.
   */
  onRecovery(listener: () => void): void
  /** Returns why the store lost its directory: removed, moved or taken over. The store then leaves the files alone. */
  lostReason(): StoreUnavailableError | undefined
  /** Brings the pages up to date. A failure is reported through `notice`. The journal keeps the missing changes. */
  checkpoint(): Promise<void>
  /** Returns all current rows, including those of commits that may still be rolled back. */
  view(): StateView
  /**
   * Builds the tables of another state next to the current tables. Then `commit` makes a commit with `prepared`, which
   * replaces the current tables. The event loop is not blocked. If this throws, the new state is discarded, unless
   * `commit` has already replaced the tables.
   * @throws StateTextError; StoreUnavailableError, or the error of the disk; the reason of `signal`; what `commit`
   *   threw
   */
  replace<T>(
    source: StateSource,
    commit: (prepared: PreparedTablesState) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>
  /** Writes the URL of the server into the lock, so that commands find the server. */
  publishUrl(url: string): void
  /**
   * Runs a checkpoint and releases the directory. If the checkpoint fails, the directory is released and the promise
   * rejects. A second call returns the same promise.
   * @throws PagesNotWrittenError; StoreUnavailableError if the last commits could not be made durable
   */
  close(): Promise<void>
  /** Closes after a failed start: removes a new directory, leaves one without changes as it was. Never rejects. */
  abandon(): Promise<void>
}
