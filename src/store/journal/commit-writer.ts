import type { Commit } from '../../engine/commit.ts'
import { StoreUnavailableError } from '../errors.ts'
import type { Ownership } from '../folder/ownership.ts'
import type { Memory } from '../memory/memory.ts'
import { createWriteAvailability } from '../write-availability.ts'
import { createCommitBatch } from './commit-batch.ts'
import { createFileSealer } from './file-sealer.ts'
import { GroupFsync } from './group-fsync.ts'
import type { Journal } from './journal.ts'
import { createPendingCommits } from './pending-commits.ts'

/** Applies commits in memory and in the journal: in both, or in neither. */
export interface CommitWriter {
  /** The number of the last journal line. */
  readonly seq: number
  /** See `CommitLog.append`. */
  append(at: number, command: string, commit: Commit): void | Promise<void>
  /** Resolves when all commits so far are written, and durable if that is configured. `undefined` if they already are. */
  flushed(): Promise<void> | undefined
  /** Writes the commits that wait for the end of the turn. Never throws: the waiting callers get the error. */
  write(): void
  /**
   * Ends the journal file, so that a checkpoint may read it.
   * @throws StoreUnavailableError
   */
  seal(): Promise<{ readonly bytes: number; readonly maxSeq: number }>
  /** Returns why the store is read-only, or `undefined` if it is writable. */
  readOnlyReason(): StoreUnavailableError | undefined
  /** After a failed write, tests whether writes succeed again. Never throws. */
  retry(): void
  /** Later commits are rejected. */
  close(): void
}

export interface WriterOptions {
  readonly durable: boolean
  /**
   * Calls back in a later turn of the event loop. If present, the lines of one turn are written with one call, and `append`
   * returns a promise. If absent, each commit is written before `append` returns. With `durable` it is ignored, because a
   * sync groups commits anyway.
   */
  readonly nextTurn?: ((fn: () => void) => void) | undefined
  readonly ownership: Pick<Ownership, 'lostReason' | 'assertNotLost'>
  notice(text: string): void
  /** See `Store.onRecovery`. */
  onRecovered(): void
}

/** The maximum number of bytes that wait for the end of a turn. If there are more, they are written at once. */
const MAX_WAITING_BYTES = 1024 * 1024

/** @param seq the number of the last journal line */
export function createCommitWriter(
  memory: Memory,
  journal: Journal,
  seq: number,
  options: WriterOptions,
): CommitWriter {
  const { ownership } = options
  const pending = createPendingCommits(memory, journal)
  const availability = createWriteAvailability(ownership, options.notice, options.onRecovered)
  const group = options.durable ? new GroupFsync(makeDurable) : undefined
  const nextTurn = options.durable ? undefined : options.nextTurn
  const batch = createCommitBatch(() => nextTurn?.(write))
  const sealer = createFileSealer({
    journal,
    ownership,
    pending,
    availability,
    seq: () => seq,
    write,
    rollBack,
  })

  return {
    get seq() {
      return seq
    },
    append(at, command, commit) {
      availability.assertWritable()
      // At a start, psp looks for an adoption only in the first line of each file.
      if (commit.prepared !== undefined) sealer.startFile()
      // After a failed write each commit is written at once, so that no client sees a commit that fails.
      const waits = nextTurn !== undefined && !availability.isRetryable
      const startSize = journal.size
      const change = memory.apply(commit)
      try {
        const lines = journal.add(seq + 1, at, command, commit, change)
        if (!waits) writeLines()
        if (waits || group !== undefined) pending.add({ previousSeq: seq, startSize, change, commit })
        seq += lines
      } catch (error) {
        memory.undo(change, commit)
        throw error instanceof StoreUnavailableError ? availability.fail(error) : error
      }
      return waits ? addToBatch() : group?.request()
    },
    flushed: () => batch.written ?? (pending.size === 0 ? undefined : group?.request()),
    write,
    seal: sealer.seal,
    readOnlyReason: () => availability.reason,
    retry: () => availability.retry(journal.testWrite),
    close: availability.close,
  }

  function addToBatch(): Promise<void> {
    const written = batch.add()
    if (journal.size - (pending.startSize ?? 0) > MAX_WAITING_BYTES) write()
    return written
  }

  function write(): void {
    if (batch.written === undefined) return
    try {
      writeLines()
      pending.confirm()
      batch.resolve()
    } catch (error) {
      rollBack(error)
    }
  }

  function writeLines(): void {
    ownership.assertNotLost()
    journal.write()
    availability.endReadOnly()
  }

  async function makeDurable(): Promise<void> {
    availability.assertWritable()
    const maxSeq = seq
    try {
      await journal.datasync()
      ownership.assertNotLost()
    } catch (error) {
      throw rollBack(error)
    }
    pending.confirm(maxSeq)
  }

  /** Undoes the pending commits. Their callers get the error. */
  function rollBack(error: unknown): StoreUnavailableError {
    seq = pending.rollBack() ?? seq
    const writeError = availability.fail(error)
    batch.reject(writeError)
    return writeError
  }
}
