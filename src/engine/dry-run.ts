import type { CommandName, Input, Reply } from './command.ts'
import type { Commit } from './commit.ts'
import { DECISIONS } from './decisions.ts'
import type { Engine } from './engine.ts'
import { createOverlayWorld } from './overlay-world.ts'
import type { Context } from './ports.ts'
import type { World } from './world.ts'

/**
 * Creates an engine that decides like `engine` and discards every commit. Only its own world shows the changes, so that
 * a command may depend on the one before. Listeners are never called.
 */
export function createDryRunEngine(engine: Omit<Engine, 'dryRun'>, context: () => Context): Engine {
  const world = createOverlayWorld(engine.world, [])
  const dryRun: Engine = {
    world,
    execute<N extends CommandName>(name: N, input: Input<N>): Reply<N> {
      const decide = DECISIONS[name] as (input: Input<N>, world: World, context: Context) => Commit<Reply<N>>
      const commit = decide(input, world, context())
      if (commit.refusal !== undefined) throw commit.refusal
      // A replaced state is not read again: its routes return only counts.
      if (commit.clear.length === 0) world.apply(commit)
      return commit.reply
    },
    written: engine.written,
    get generation() {
      return engine.generation
    },
    get refused() {
      return engine.refused
    },
    onCommit() {},
    onWritten() {},
    dryRun: () => dryRun,
  }
  return dryRun
}
