import type { Commit } from '../../engine/commit.ts'
import type { Change, Memory } from '../memory/memory.ts'
import type { Journal } from './journal.ts'

/** Commits that are applied, but not as safe yet as was asked for: kept to be undone. */
export interface PendingCommits {
  readonly size: number
  /** Size of the journal file before the first of them. */
  readonly startSize: number | undefined
  add(entry: PendingCommit): void
  /** Those before the line after `seq` are safe; without it, all. */
  confirm(seq?: number): void
  /** Takes them all back, in memory and in the file. @returns the number of the last line that stays */
  rollBack(): number | undefined
}

interface PendingCommit {
  /** Number of the last line before it. */
  readonly seq: number
  readonly startSize: number
  readonly change: Change
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
      entries = seq === undefined ? [] : entries.filter((entry) => entry.seq >= seq)
    },
    rollBack() {
      const first = entries[0]
      if (first === undefined) return undefined
      journal.truncate(first.startSize)
      for (const { change, commit } of entries.toReversed()) memory.undo(change, commit)
      entries = []
      return first.seq
    },
  }
}
