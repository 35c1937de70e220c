import type { Commit } from '../engine/commit.ts'
import { diskReason, StoreUnavailable } from './errors.ts'
import { GroupSync } from './group-sync.ts'
import type { Journal } from './journal.ts'
import { encodeCommit } from './line.ts'
import type { Memory } from './memory.ts'
import { createTurns } from './turns.ts'
import { createUnsafeCommits } from './unsafe-commits.ts'

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
  /** Seals the journal file, so that a checkpoint may read it. @throws StoreUnavailable */
  seal(): Promise<{ readonly bytes: number; readonly upTo: number }>
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
  notice(text: string): void
}

/** Bytes that may wait for the end of a turn. */
const MOST_WAITING = 1024 * 1024

/** @param seq number of the last line */
export function createCommitWriter(
  memory: Memory,
  journal: Journal,
  seq: number,
  options: WriterOptions,
): CommitWriter {
  const unsafe = createUnsafeCommits(memory, journal)
  let failure: StoreUnavailable | undefined
  const group = options.durable ? new GroupSync(makeDurable) : undefined
  const nextTurn = options.durable ? undefined : options.nextTurn
  const turns = createTurns(() => nextTurn?.(write))

  return {
    get seq() {
      return seq
    },
    append(at, command, commit) {
      refuseAfterFailure()
      const mark = journal.size
      const change = memory.apply(commit)
      try {
        const lines = encodeCommit(seq + 1, at, command, commit, change)
        journal.add(lines)
        if (nextTurn === undefined) journal.write()
        if (group !== undefined || nextTurn !== undefined) unsafe.push({ seq, mark, change, commit })
        seq += lines.length
      } catch (error) {
        memory.undo(change, commit)
        throw error instanceof StoreUnavailable ? stop(error) : error
      }
      return nextTurn === undefined ? group?.request() : joinTurn()
    },
    flushed: () => turns.written ?? (unsafe.size === 0 ? undefined : group?.request()),
    write,
    async seal() {
      write()
      refuseAfterFailure()
      try {
        // The long sync goes beside the event loop; the rest, in `rotate`, is short.
        await journal.datasync()
        // Lines that came meanwhile are in the sealed file too.
        write()
        refuseAfterFailure()
        const sealed = { bytes: journal.size, upTo: seq }
        journal.rotate(seq + 1)
        unsafe.safe()
        return sealed
      } catch (error) {
        throw failure ?? takeBack(error)
      }
    },
    close() {
      failure ??= new StoreUnavailable('The store is closed.')
    },
  }

  function refuseAfterFailure(): void {
    if (failure !== undefined) throw failure
  }

  function joinTurn(): Promise<void> {
    const written = turns.join()
    if (journal.size - (unsafe.mark ?? 0) > MOST_WAITING) write()
    return written
  }

  function write(): void {
    if (turns.written === undefined) return
    try {
      journal.write()
      unsafe.safe()
      turns.resolve()
    } catch (error) {
      takeBack(error)
    }
  }

  async function makeDurable(): Promise<void> {
    refuseAfterFailure()
    const upTo = seq
    try {
      await journal.datasync()
    } catch (error) {
      throw takeBack(error)
    }
    unsafe.safe(upTo)
  }

  /** After a failed sync nobody knows what the disk holds: whoever waits gets an error, so nothing of it stays. */
  function takeBack(error: unknown): StoreUnavailable {
    seq = unsafe.undo() ?? seq
    const stopped = stop(error instanceof StoreUnavailable ? error : notDurable(error))
    turns.reject(stopped)
    return stopped
  }

  function stop(error: StoreUnavailable): StoreUnavailable {
    failure ??= new StoreUnavailable(
      `${error.message}. Nothing was changed; the data can be read, but not changed, until the disk takes writes and psp is started again.`,
      error.cause,
    )
    options.notice(failure.message)
    return failure
  }
}

function notDurable(error: unknown): StoreUnavailable {
  return new StoreUnavailable(`The journal could not be made durable: ${diskReason(error)}`, error)
}
