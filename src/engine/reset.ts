// The start and the reset of a sandbox: each one commit, with everything that the seed makes.
import type { SandboxTime } from '../domain/time.ts'
import type { CombinedCommand, CombinedCommit, CommandResult, Input } from './command.ts'
import { type Commit, put } from './commit.ts'
import { createPayment } from './create-payment.ts'
import { createPayout } from './create-payout.ts'
import { createOverlayWorld } from './overlay-world.ts'
import type { Context } from './ports.ts'
import { addFault, addRule } from './rules-and-faults.ts'
import { changeSettings } from './settings-and-clock.ts'
import { createShop } from './shops-and-keys.ts'
import { TABLE_NAMES, type TableName } from './tables.ts'
import type { World } from './world.ts'

/** The tables that a plain reset keeps. `state` contains the settings and the clock. */
const KEPT: ReadonlySet<TableName> = new Set(['state', 'merchants', 'shops', 'keys', 'endpoints'])

const CLEARED = TABLE_NAMES.filter((name) => !KEPT.has(name))

export function initialize({ shop, seed }: Input<'initialize'>, world: World, context: Context): Commit<null> {
  const combined = createCombinedCommit(world, context, [])
  combined.execute('create_shop', shop)
  seed?.apply(combined, false)
  return combined.commit()
}

export function reset({ all, seed }: Input<'reset'>, world: World, context: Context): Commit<null> {
  if (all === undefined) {
    const combined = createCombinedCommit(world, context, CLEARED)
    seed?.apply(combined, true)
    return combined.commit()
  }
  const { shop, clock } = all
  const now = clock === undefined ? context.now : (clock.virtual as SandboxTime)
  const combined = createCombinedCommit(world, { ...context, now }, TABLE_NAMES)
  combined.execute('create_shop', shop)
  seed?.apply(combined, false)
  const commit = combined.commit()
  return clock === undefined ? commit : { ...commit, puts: [...commit.puts, put('state', clock)] }
}

const COMBINED = {
  create_shop: createShop,
  change_settings: changeSettings,
  add_rule: addRule,
  add_fault: addFault,
  create_payment: createPayment,
  create_payout: createPayout,
} satisfies {
  readonly [N in CombinedCommand]: (input: Input<N>, world: World, context: Context) => Commit<CommandResult<N>>
}

/** A combined commit to which more commands can be added. */
interface OpenCommit extends CombinedCommit {
  commit(): Commit<null>
}

/** @param clear tables that are cleared before the first command */
function createCombinedCommit(world: World, context: Context, clear: readonly TableName[]): OpenCommit {
  const overlay = createOverlayWorld(world, clear)
  const stream: Commit['stream'][number][] = []
  const reserved = { count: 0 }

  return {
    world: overlay,
    context,
    execute<N extends CombinedCommand>(name: N, input: Input<N>, random = context.random): CommandResult<N> {
      const decide = COMBINED[name] as unknown as (
        input: Input<N>,
        world: World,
        context: Context,
      ) => Commit<CommandResult<N>>
      const commit = decide(input, overlay, { ...context, random, reserved })
      if (commit.refusal !== undefined) throw commit.refusal
      overlay.apply(commit)
      stream.push(...commit.stream)
      return commit.result
    },
    commit: () => ({ clear, ...overlay.changes(), stream, result: null }),
  }
}
