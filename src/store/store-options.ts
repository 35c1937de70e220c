import type { SettingValues } from '../settings.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { FileSystemPort } from './folder/file-system.ts'

export interface StoreOptions {
  /** The data directory. If `undefined`, the store is in memory only. */
  readonly folder: string | undefined
  /** Settings that override the stored settings while the store is open. They are never stored. */
  readonly settings?: SettingValues | undefined
  /** Whether the promise of a commit resolves only when the commit is durable (fdatasync). */
  readonly durable?: boolean
  /**
   * With `setInterval`, the lock has a heartbeat for other containers, and failed writes are retried without a new commit. With
   * `setTimeout`, the start waits to see whether a lock holder in another container is alive.
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
