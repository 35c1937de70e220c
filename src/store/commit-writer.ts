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
  /** Resolves when all that was appended is durable; `undefined`: nothing waits. */
  flushed(): Promise<void> | undefined
  /** Seals the journal file, so that a checkpoint may read it. @throws StoreUnavailable */
  seal(): Promise<{ readonly bytes: number; readonly upTo: number }>
  /** Refuses what comes later. */
  close(): void
}

/** @param seq number of the last line */
export function createCommitWriter(
  memory: Memory,
  journal: Journal,
  seq: number,
  options: { durable: boolean; notice(text: string): void },
): CommitWriter {
  /** Applied, but not durable yet: kept to be undone. */
  let waiting: { seq: number; mark: number; change: Change; commit: Commit }[] = []
  let failure: StoreUnavailable | undefined
  const group = options.durable ? new GroupSync(makeDurable) : undefined

  return {
    get seq() {
      return seq
    },
    append(at, command, commit) {
      if (failure !== undefined) throw failure
      const mark = journal.size
      const change = memory.apply(commit)
      try {
        const lines = journal.append(() => encodeCommit(seq + 1, at, command, commit, change))
        if (group !== undefined) waiting.push({ seq, mark, change, commit })
        seq += lines
      } catch (error) {
        memory.undo(change, commit)
        throw error instanceof StoreUnavailable ? stop(error) : error
      }
      return group?.request()
    },
    flushed: () => (waiting.length === 0 ? undefined : group?.request()),
    async seal() {
      try {
        // The long sync goes beside the event loop; the rest, in `rotate`, is short.
        await journal.datasync()
        const sealed = { bytes: journal.size, upTo: seq }
        journal.rotate(seq + 1)
        waiting = []
        return sealed
      } catch (error) {
        throw takeBack(error)
      }
    },
    close() {
      failure ??= new StoreUnavailable('The store is closed.')
    },
  }

  async function makeDurable(): Promise<void> {
    if (failure !== undefined) throw failure
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
    return stop(new StoreUnavailable(`The journal could not be made durable: ${diskReason(error)}`, error))
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
