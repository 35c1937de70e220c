import type { CommandName, CommandResult, Input } from './command.ts'
import type { Commit } from './commit.ts'
import { DECISIONS } from './decisions.ts'
import { createOverlayWorld } from './overlay-world.ts'
import type { Context } from './ports.ts'
import type { World } from './world.ts'

interface DryRun {
  readonly world: World
  execute<N extends CommandName>(name: N, input: Input<N>): CommandResult<N>
}

/**
 * Decides commands like the engine and discards every commit. Only the world of the dry run shows the changes, so that a
 * command may depend on an earlier one.
 */
export function createDryRun(base: World, context: () => Context): DryRun {
  const world = createOverlayWorld(base, [])
  return {
    world,
    execute<N extends CommandName>(name: N, input: Input<N>): CommandResult<N> {
      const decide = DECISIONS[name] as (input: Input<N>, world: World, context: Context) => Commit<CommandResult<N>>
      const commit = decide(input, world, context())
      if (commit.refusal !== undefined) throw commit.refusal
      // Routes that replace the state return only counts, so the new state is not needed.
      if (commit.clear.length === 0) world.apply(commit)
      return commit.result
    },
  }
}
