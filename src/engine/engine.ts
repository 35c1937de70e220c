import type { SandboxTime } from '../domain/time.ts'
import type { CommandName, Input, Reply } from './command.ts'
import type { Commit } from './commit.ts'
import { DECISIONS } from './decisions.ts'
import type { CommitListener, CommitLog, Context, Randomness } from './ports.ts'
import { createWordOut } from './word-out.ts'
import type { World } from './world.ts'

export interface Engine {
  readonly world: World
  /**
   * Decides the command, stores the commit, tells the listeners and replies. Nothing of it may leave the program before
   * `written()`: the disk may still refuse it.
   * @throws Refusal where the rules say no; nothing is changed then, but for the counts of a rule that refused
   */
  execute<N extends CommandName>(name: N, input: Input<N>): Reply<N>
  /**
   * Resolves when every commit so far is as durable as was asked for. `undefined`: it is already. Rejects when the disk
   * refuses; then what it refused is undone.
   */
  written(): Promise<void> | undefined
  /** Why the disk last refused a commit, at once or later: another object each time. */
  readonly refused: { readonly error: unknown } | undefined
  /** For what follows inside: told of each commit as soon as it is applied. The disk may still refuse it. */
  onCommit(listener: CommitListener): void
  /** For what leaves: told of each commit, in the same order, once it is written; never of one that was refused. */
  onWritten(listener: CommitListener): void
}

/**
 * Commands that come when a receiver answers, not when a caller asks. They neither number what is made nor draw from the
 * sequence of ids, so that a seeded run makes the same whatever the network did.
 */
const UNFORESEEN: ReadonlySet<CommandName> = new Set([
  'record_attempt',
  'record_copies',
  'postpone_delivery',
  'take_faults',
])

/**
 * @param now the sandbox's clock
 * @param chance what {@link UNFORESEEN} commands draw from; default: `random`
 */
export function createEngine(log: CommitLog, random: Randomness, now: () => SandboxTime, chance = random): Engine {
  const listeners: CommitListener[] = []
  const out = createWordOut()
  let refused: Engine['refused']
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
        const stored = append(at, name, commit)
        if (stored !== undefined && stored !== waited) remember(stored)
        if (!unforeseen) made++
      }
      for (const listener of listeners) listener(commit, name, at)
      out.tell(pending, commit, name, at)
      if (commit.refusal !== undefined) throw commit.refusal
      return commit.reply
    },
    written: () => pending,
    get refused() {
      return refused
    },
    onCommit: (listener) => listeners.push(listener),
    onWritten: out.listen,
  }

  function append(at: SandboxTime, name: CommandName, commit: Commit): void | Promise<void> {
    try {
      return log.append(at, name, commit)
    } catch (error) {
      // By name: the store is another room. Anything else is no refusal of the disk.
      if (error instanceof Error && error.name === 'StoreUnavailable') refused = { error }
      throw error
    }
  }

  function remember(stored: Promise<void>): void {
    const mine = stored.finally(() => {
      if (pending === mine) pending = undefined
    })
    mine.catch((error: unknown) => {
      refused = { error }
    })
    waited = stored
    pending = mine
  }
}
