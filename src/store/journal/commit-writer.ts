import type { Commit } from '../../engine/commit.ts'
import { StoreUnavailableError } from '../errors.ts'
import type { Ownership } from '../folder/ownership.ts'
import type { Memory } from '../memory/memory.ts'
import { createWriteAvailability } from '../write-availability.ts'
import { createCommitBatch } from './commit-batch.ts'
import { createFileSealer } from './file-sealer.ts'
import { GroupFsync } from './group-fsync.ts'
import type { Journal } from './journal.ts'
import { encodeCommit } from './line.ts'
import { createPendingCommits } from './pending-commits.ts'

/** Memory and journal, which move together or not at all. */
export interface CommitWriter {
  /** Number of the last line. */
  readonly seq: number
  /** See `CommitLog.append`. */
  append(at: number, command: string, commit: Commit): void | Promise<void>
  /** Resolves when all that was appended is written, and durable where that was asked for; `undefined`: it is already. */
  flushed(): Promise<void> | undefined
  /** Writes what waits for the end of the turn. Never throws: a refusal goes to those who wait. */
  write(): void
  /** Seals the journal file, so that a checkpoint may read it. @throws StoreUnavailableError */
  seal(): Promise<{ readonly bytes: number; readonly upTo: number }>
  /** Why changes are refused now; `undefined` while they are taken. */
  readOnlyReason(): StoreUnavailableError | undefined
  /** Where the disk refused: asks it whether it takes writes by now. Never throws. */
  retry(): void
  /** Refuses what comes later. */
  close(): void
}

export interface WriterOptions {
  readonly durable: boolean
  /**
   * Calls back in a later turn of the event loop. Present: the lines of one turn are written with one call, and commits
   * promise to be written. Absent: each is written before `append` returns.
   */
  readonly nextTurn?: ((fn: () => void) => void) | undefined
  readonly ownership: Pick<Ownership, 'lostReason' | 'assertNotLost'>
  notice(text: string): void
  /** See `Store.onRecovery`. */
  recovered(): void
}

/** Bytes that may wait for the end of a turn. */
const MAX_WAITING_BYTES = 1024 * 1024

/** @param seq number of the last line */
export function createCommitWriter(
  memory: Memory,
  journal: Journal,
  seq: number,
  options: WriterOptions,
): CommitWriter {
  const { ownership } = options
  const unsafe = createPendingCommits(memory, journal)
  const refusals = createWriteAvailability(ownership, options.notice, options.recovered)
  const group = options.durable ? new GroupFsync(makeDurable) : undefined
  const nextTurn = options.durable ? undefined : options.nextTurn
  const turns = createCommitBatch(() => nextTurn?.(write))
  const sealer = createFileSealer({
    journal,
    ownership,
    pending: unsafe,
    availability: refusals,
    seq: () => seq,
    write,
    rollBack: rollBack,
  })

  return {
    get seq() {
      return seq
    },
    append(at, command, commit) {
      refusals.assertWritable()
      // A start finds an adopted state without reading all lines.
      if (commit.prepared !== undefined) sealer.startFile()
      // After a refusal the disk is asked at once: nobody is told of a commit that it may refuse again.
      const waits = nextTurn !== undefined && !refusals.isRetryable
      const mark = journal.size
      const change = memory.apply(commit)
      try {
        const lines = encodeCommit(seq + 1, at, command, commit, change)
        journal.add(lines)
        if (!waits) writeLines()
        if (waits || group !== undefined) unsafe.add({ seq, startSize: mark, change, commit })
        seq += lines.length
      } catch (error) {
        memory.undo(change, commit)
        throw error instanceof StoreUnavailableError ? refusals.fail(error) : error
      }
      return waits ? addToBatch() : group?.request()
    },
    flushed: () => turns.written ?? (unsafe.size === 0 ? undefined : group?.request()),
    write,
    seal: sealer.seal,
    readOnlyReason: () => refusals.reason,
    retry: () => refusals.retry(journal.testWrite),
    close: refusals.close,
  }

  function addToBatch(): Promise<void> {
    const written = turns.add()
    if (journal.size - (unsafe.startSize ?? 0) > MAX_WAITING_BYTES) write()
    return written
  }

  function write(): void {
    if (turns.written === undefined) return
    try {
      writeLines()
      unsafe.confirm()
      turns.resolve()
    } catch (error) {
      rollBack(error)
    }
  }

  function writeLines(): void {
    ownership.assertNotLost()
    journal.write()
    refusals.recovered()
  }

  async function makeDurable(): Promise<void> {
    refusals.assertWritable()
    const upTo = seq
    try {
      await journal.datasync()
      ownership.assertNotLost()
    } catch (error) {
      throw rollBack(error)
    }
    unsafe.confirm(upTo)
  }

  /** Whoever waits gets an error, so nothing of it stays. */
  function rollBack(error: unknown): StoreUnavailableError {
    seq = unsafe.rollBack() ?? seq
    const refused = refusals.fail(error)
    turns.reject(refused)
    return refused
  }
}
