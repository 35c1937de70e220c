import type { CombinedCommand, CombinedCommit, Input, Reply } from './command.ts'
import type { Commit } from './commit.ts'
import { createPayment } from './create-payment.ts'
import { createPayout } from './create-payout.ts'
import { createOverlayWorld } from './overlay-world.ts'
import type { Context } from './ports.ts'
import { addFault, addRule } from './rules-and-faults.ts'
import { createShop } from './shops-and-keys.ts'
import { changeSettings } from './state.ts'
import type { TableName } from './tables.ts'
import type { World } from './world.ts'

const COMBINED = {
  create_shop: createShop,
  change_settings: changeSettings,
  add_rule: addRule,
  add_fault: addFault,
  create_payment: createPayment,
  create_payout: createPayout,
} satisfies { readonly [N in CombinedCommand]: (input: Input<N>, world: World, context: Context) => Commit<Reply<N>> }

/** A commit of several commands while they are decided. */
export interface OpenCommit extends CombinedCommit {
  /** Returns the commit of all commands. */
  commit(): Commit<null>
}

/** @param clear tables that are cleared before the first command */
export function createCombinedCommit(world: World, context: Context, clear: readonly TableName[]): OpenCommit {
  const overlay = createOverlayWorld(world, clear)
  const stream: Commit['stream'][number][] = []
  const reserved = { count: 0 }

  return {
    world: overlay,
    context,
    execute<N extends CombinedCommand>(name: N, input: Input<N>, random = context.random): Reply<N> {
      const decide = COMBINED[name] as unknown as (input: Input<N>, world: World, context: Context) => Commit<Reply<N>>
      const commit = decide(input, overlay, { ...context, random, reserved })
      if (commit.refusal !== undefined) throw commit.refusal
      overlay.apply(commit)
      stream.push(...commit.stream)
      return commit.reply
    },
    commit: () => ({ clear, ...overlay.changes(), stream, reply: null }),
  }
}
