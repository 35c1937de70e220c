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

/** @param now the sandbox's clock */
export function createEngine(log: CommitLog, random: Randomness, now: () => SandboxTime): Engine {
  const listeners: CommitListener[] = []
  let pending: Promise<void> | undefined

  return {
    world: log.world,
    execute(name, input) {
      const at = now()
      const context: Context = { now: at, random, seq: log.seq + 1 }
      const commit = DECISIONS[name](input, log.world, context)
      if (commit.puts.length + commit.deletes.length + commit.clear.length > 0) {
        const stored = log.append(at, name, commit)
        if (stored !== undefined) pending = remember(stored)
      }
      for (const listener of listeners) listener(commit, name, at)
      if (commit.refusal !== undefined) throw commit.refusal
      return commit.reply
    },
    settled: () => pending,
    onCommit: (listener) => listeners.push(listener),
  }

  function remember(stored: Promise<void>): Promise<void> {
    const mine = stored.finally(() => {
      if (pending === mine) pending = undefined
    })
    mine.catch(() => {})
    return mine
  }
}
