import { deferred } from '../../domain/promises.ts'
import type { StoreUnavailableError } from '../errors.ts'

/** Commits of one turn of the event loop, which are written together at its end. */
export interface CommitBatch {
  /** That of the turn whose commits wait; undefined where none do. */
  readonly written: Promise<void> | undefined
  /** One commit more; the first of a turn has the end called later. */
  add(): Promise<void>
  resolve(): void
  reject(error: StoreUnavailableError): void
}

interface Batch {
  readonly written: Promise<void>
  resolve(): void
  reject(error: StoreUnavailableError): void
}

/** @param later calls the end of the turn */
export function createCommitBatch(later: () => void): CommitBatch {
  let turn: Batch | undefined
  return {
    get written() {
      return turn?.written
    },
    add() {
      if (turn === undefined) {
        turn = createBatch()
        later()
      }
      return turn.written
    },
    resolve() {
      turn?.resolve()
      turn = undefined
    },
    reject(error) {
      turn?.reject(error)
      turn = undefined
    },
  }
}

function createBatch(): Batch {
  const { promise: written, resolve, reject } = deferred()
  // Not everybody waits.
  written.catch(() => {})
  return { written, resolve, reject }
}
