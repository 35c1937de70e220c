import type { Commit } from '../engine/commit.ts'
import { diskReason, StoreUnavailable } from './errors.ts'
import { quietly } from './file-system.ts'
import { GroupSync } from './group-sync.ts'
import type { Journal } from './journal.ts'
import { encodeCommit } from './line.ts'
import type { Change, Memory } from './memory.ts'

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
  /** Applied, but not as safe yet as was asked for: kept to be undone. */
  let waiting: { seq: number; mark: number; change: Change; commit: Commit }[] = []
  let failure: StoreUnavailable | undefined
  const group = options.durable ? new GroupSync(makeDurable) : undefined
  const nextTurn = options.durable ? undefined : options.nextTurn
  let turn: Turn | undefined

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
        if (group !== undefined || nextTurn !== undefined) waiting.push({ seq, mark, change, commit })
        seq += lines.length
      } catch (error) {
        memory.undo(change, commit)
        throw error instanceof StoreUnavailable ? stop(error) : error
      }
      return nextTurn === undefined ? group?.request() : inTurn(nextTurn)
    },
    flushed: () => turn?.written ?? (waiting.length === 0 ? undefined : group?.request()),
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
        waiting = []
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

  function inTurn(later: (fn: () => void) => void): Promise<void> {
    if (turn === undefined) {
      turn = newTurn()
      later(write)
    }
    const { written } = turn
    if (journal.size - (waiting[0]?.mark ?? 0) > MOST_WAITING) write()
    return written
  }

  function write(): void {
    const ended = turn
    if (ended === undefined) return
    turn = undefined
    try {
      journal.write()
      waiting = []
      ended.resolve()
    } catch (error) {
      turn = ended
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
    waiting = waiting.filter((entry) => entry.seq >= upTo)
  }

  /** After a failed sync nobody knows what the disk holds: whoever waits gets an error, so nothing of it stays. */
  function takeBack(error: unknown): StoreUnavailable {
    const first = waiting[0]
    if (first !== undefined) {
      quietly(() => journal.truncate(first.mark))
      for (const { change, commit } of waiting.toReversed()) memory.undo(change, commit)
      seq = first.seq
      waiting = []
    }
    const why =
      error instanceof StoreUnavailable
        ? error
        : new StoreUnavailable(`The journal could not be made durable: ${diskReason(error)}`, error)
    const stopped = stop(why)
    turn?.reject(stopped)
    turn = undefined
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

/** Commits that are written together. */
interface Turn {
  readonly written: Promise<void>
  resolve(): void
  reject(error: StoreUnavailable): void
}

function newTurn(): Turn {
  let resolve = () => {}
  let reject = (_: StoreUnavailable) => {}
  const written = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  // Not everybody waits.
  written.catch(() => {})
  return { written, resolve, reject }
}
