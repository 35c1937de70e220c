import { deferred } from '../../domain/promises.ts'
import type { StoreUnavailableError } from '../errors.ts'

/** Collects the commits of one turn of the event loop. They are written together at the end of the turn. */
export interface CommitBatch {
  /** Resolves when the waiting commits are written. `undefined` if none wait. */
  readonly written: Promise<void> | undefined
  /** Adds a commit. The first commit of a turn schedules the write. */
  add(): Promise<void>
  resolve(): void
  reject(error: StoreUnavailableError): void
}

interface Batch {
  readonly written: Promise<void>
  resolve(): void
  reject(error: StoreUnavailableError): void
}

/** @param scheduleWrite schedules the write at the end of the turn */
export function createCommitBatch(scheduleWrite: () => void): CommitBatch {
  let batch: Batch | undefined
  return {
    get written() {
      return batch?.written
    },
    add() {
      if (batch === undefined) {
        batch = createBatch()
        scheduleWrite()
      }
      return batch.written
    },
    resolve() {
      batch?.resolve()
      batch = undefined
    },
    reject(error) {
      batch?.reject(error)
      batch = undefined
    },
  }
}

function createBatch(): Batch {
  const { promise: written, resolve, reject } = deferred()
  // A commit without a waiting caller must not cause an unhandled rejection.
  written.catch(() => {})
  return { written, resolve, reject }
}
