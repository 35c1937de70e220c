import type { SettingValues } from '../settings.ts'
import type { FileSystemPort } from './folder/file-system.ts'

interface StoreSystemClock {
  now(): number
  /** Present: who cannot see this process sees it live, and what the disk refused is tried again without a commit. */
  setInterval?(fn: () => void, ms: number): { cancel(): void; unref?(): void }
  /** Present: the lock of a process that cannot be seen from here is watched for a while. */
  setTimeout?(fn: () => void, ms: number): unknown
}

export interface StoreOptions {
  /** `undefined`: memory only. */
  readonly folder: string | undefined
  /** Laid over the stored settings for as long as the store is open, and never stored. */
  readonly settings?: SettingValues | undefined
  /** Every commit is on the disk before its promise resolves (fdatasync). */
  readonly durable?: boolean
  readonly systemClock: StoreSystemClock
  /** Present: commits of one turn of the event loop are written together; see `WriterOptions`. */
  readonly nextTurn?: (fn: () => void) => void
  readonly fs?: FileSystemPort
  /** One line for people: what was dropped, what failed and how to go on. */
  notice(text: string): void
  /** Where process numbers mean this process. Default: `processPlace()`. */
  readonly place?: string
  /** Bytes of journal that make a checkpoint worth its while. */
  readonly checkpointThreshold?: number
}
