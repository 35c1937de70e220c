import type { Commit } from '../../engine/commit.ts'
import type { AppliedChange, Memory } from '../memory/memory.ts'
import type { Journal } from './journal.ts'

/** Commits that are applied in memory, but not yet written, or not yet durable. They can be rolled back. */
export interface PendingCommits {
  readonly size: number
  /** The size of the journal file before the first pending commit. */
  readonly startSize: number | undefined
  add(entry: PendingCommit): void
  /** Removes the commits up to line `seq`, or all if it is absent. They cannot fail any more. */
  confirm(seq?: number): void
  /** Undoes the pending commits in memory and in the file. Returns the number of the line before them, if any. */
  rollBack(): number | undefined
}

interface PendingCommit {
  /** The number of the last journal line before the commit. */
  readonly previousSeq: number
  readonly startSize: number
  readonly change: AppliedChange
  readonly commit: Commit
}

export function createPendingCommits(memory: Memory, journal: Journal): PendingCommits {
  let entries: PendingCommit[] = []
  return {
    get size() {
      return entries.length
    },
    get startSize() {
      return entries[0]?.startSize
    },
    add: (entry) => void entries.push(entry),
    confirm(seq) {
      entries = seq === undefined ? [] : entries.filter((entry) => entry.previousSeq >= seq)
    },
    rollBack() {
      const first = entries[0]
      if (first === undefined) return undefined
      journal.truncate(first.startSize)
      for (const { change, commit } of entries.toReversed()) memory.undo(change, commit)
      entries = []
      return first.previousSeq
    },
  }
}
