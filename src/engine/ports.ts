// The ports of the engine.
import type { SandboxTime } from '../domain/time.ts'
import type { Commit } from './commit.ts'
import type { World } from './world.ts'

/** Ids and random numbers. With a seed, every run gets the same sequence. */
export interface Randomness {
  /** A UUIDv4 in lower case. */
  uuid(): string
  /** Returns `length` characters of `[a-z0-9]`. */
  token(length: number): string
  /** Returns a number in [0, 1). */
  draw(): number
  /** The number of this server among several behind one address, 0 to 255. It is part of new API keys and UUIDs. */
  readonly shard?: number | undefined
}

/** The arguments of a decision in addition to the world: time, ids and randomness. */
export interface Context {
  readonly now: SandboxTime
  readonly random: Randomness
  /**
   * The number of this commit. It is unique in a data directory, even after resets and restarts. The exception is a
   * command whose timing depends on receivers: it gets a number that is already in use, and must not derive ids from
   * it.
   */
  readonly commitNumber: number
  /** Numbers that earlier commands of this commit have reserved, see `Draft.reserveTimerSeq`. Default: none. */
  readonly reserved?: { count: number }
}

/** Stores commits. `append` either applies the whole commit or throws and changes nothing. */
export interface CommitLog {
  readonly world: World
  /** The number of the last journal line. A large commit has several lines. */
  readonly lastLine: number
  /**
   * @param at the time of the decision
   * @param command the name of the command, for people who read the journal.
   * @returns a promise if the commit is not written yet (with `--durable`: not synced). It rejects if the write fails.
   *   The commit is then rolled back. Commits of one write share a promise.
   * @throws StoreUnavailableError if the write fails at once; memory is unchanged
   */
  append(at: SandboxTime, command: string, commit: Commit): void | Promise<void>
}

/** Called for each commit after it was applied, in order. It must not throw. */
export type CommitListener = (commit: Commit, command: string, at: SandboxTime) => void
