// The start and the reset of a sandbox: each one commit, with everything that the seed makes.
import type { SandboxTime } from '../domain/time.ts'
import { createCombinedCommit } from './combined-commit.ts'
import type { Input } from './command.ts'
import { type Commit, put } from './commit.ts'
import type { Context } from './ports.ts'
import { TABLE_NAMES, type TableName } from './tables.ts'
import type { World } from './world.ts'

/** Kept by a plain reset: settings and clock (both in `state`) and what a dashboard manages. */
const KEPT: ReadonlySet<TableName> = new Set(['state', 'merchants', 'shops', 'keys', 'endpoints'])

/** Cleared by a plain reset. */
const MADE = TABLE_NAMES.filter((name) => !KEPT.has(name))

/** Creates the first shop of an empty sandbox, and what the seed makes. */
export function begin({ shop, seed }: Input<'begin'>, world: World, context: Context): Commit<null> {
  const combined = createCombinedCommit(world, context, [])
  combined.execute('create_shop', shop)
  seed?.apply(combined, false)
  return combined.commit()
}

export function reset({ all, seed }: Input<'reset'>, world: World, context: Context): Commit<null> {
  if (all === undefined) {
    const combined = createCombinedCommit(world, context, MADE)
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
