// What the engine asks of the rooms around it, as small as it can be.
import type { SandboxTime } from '../domain/time.ts'
import type { Commit } from './commit.ts'
import type { World } from './world.ts'

/** Ids and draws. With a seed, the same sequence on every run. */
export interface Randomness {
  /** A UUIDv4 in lower case. */
  uuid(): string
  /** `length` characters of `[a-z0-9]`. */
  token(length: number): string
  /** In [0, 1). */
  draw(): number
  /** Of several servers behind one address, which one makes these ids: 0 to 255. */
  readonly shard?: number | undefined
}

/** Everything a decision may know besides the world: time, ids and chance are arguments. */
export interface Context {
  readonly now: SandboxTime
  readonly random: Randomness
  /** Rises with each commit that makes something: unique among them in a data folder, also after resets and restarts. */
  readonly seq: number
}

/** Keeps commits. `append` either stores and applies the whole commit or throws and changes nothing. */
export interface CommitLog {
  readonly world: World
  /** The number of the last commit; the next one is one more. */
  readonly seq: number
  /**
   * @param at instant of the decision
   * @param command name of the command, for the journal's reader
   * @returns a promise where the line is not as safe yet as was asked for; it rejects, and the memory is put back, when
   *   the disk refuses. Commits that become safe together share one.
   * @throws StoreUnavailable when the disk refuses at once; memory is unchanged
   */
  append(at: SandboxTime, command: string, commit: Commit): void | Promise<void>
}

/** Told of each commit after it was applied, in order; must not throw. */
export type CommitListener = (commit: Commit, command: string, at: SandboxTime) => void
