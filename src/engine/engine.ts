import type { SandboxTime } from '../domain/time.ts'
import type { CommandName, Input, Reply } from './command.ts'
import { DECISIONS } from './decisions.ts'
import type { CommitListener, CommitLog, Context, Randomness } from './ports.ts'
import type { World } from './world.ts'

export interface Engine {
  readonly world: World
  /**
   * Decides the command, stores the commit, tells the listeners and replies.
   * @throws Refusal where the rules say no; nothing is changed then, but for the counts of a rule that refused
   */
  execute<N extends CommandName>(name: N, input: Input<N>): Reply<N>
  /** Resolves when every commit so far is as durable as was asked for. `undefined`: it is already. */
  settled(): Promise<void> | undefined
  onCommit(listener: CommitListener): void
}

/**
 * Commands that come when a receiver answers, not when a caller asks. They neither number what is made nor draw from the
 * sequence of ids, so that a seeded run makes the same whatever the network did.
 */
const UNFORESEEN: ReadonlySet<CommandName> = new Set(['record_attempt', 'postpone_delivery', 'take_faults'])

/**
 * @param now the sandbox's clock
 * @param chance what {@link UNFORESEEN} commands draw from; default: `random`
 */
export function createEngine(log: CommitLog, random: Randomness, now: () => SandboxTime, chance = random): Engine {
  const listeners: CommitListener[] = []
  let pending: Promise<void> | undefined
  /** What `pending` is made of. */
  let waited: Promise<void> | undefined
  // Not above the number of the last commit: after a restart, numbers go on from there.
  let made = log.seq

  return {
    world: log.world,
    execute(name, input) {
      const at = now()
      const unforeseen = UNFORESEEN.has(name)
      // The disk refused some that were made: they are undone, and their numbers are free.
      made = Math.min(made, log.seq)
      const context: Context = unforeseen ? { now: at, random: chance, seq: made } : { now: at, random, seq: made + 1 }
      const commit = DECISIONS[name](input, log.world, context)
      if (commit.puts.length + commit.deletes.length + commit.clear.length > 0) {
        const stored = log.append(at, name, commit)
        if (stored !== undefined && stored !== waited) remember(stored)
        if (!unforeseen) made++
      }
      for (const listener of listeners) listener(commit, name, at)
      if (commit.refusal !== undefined) throw commit.refusal
      return commit.reply
    },
    settled: () => pending,
    onCommit: (listener) => listeners.push(listener),
  }

  function remember(stored: Promise<void>): void {
    const mine = stored.finally(() => {
      if (pending === mine) pending = undefined
    })
    mine.catch(() => {})
    waited = stored
    pending = mine
  }
}
