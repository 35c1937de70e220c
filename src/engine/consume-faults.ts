import type { Facts, Fault, FaultTarget } from '../domain/faults.ts'
import type { Commit } from './commit.ts'
import type { Engine } from './engine.ts'
import type { World } from './world.ts'

/** Executes `consume_faults`, unless the target has no fault with uses left. */
export function consumeFaultsIfAny(
  { world, execute }: Pick<Engine, 'world' | 'execute'>,
  target: FaultTarget,
  facts: () => Facts,
): readonly Fault[] {
  return hasFaults(world, target) ? execute('consume_faults', { target, facts: facts() }) : []
}

/**
 * Returns a function that tests whether the commit removes the fault with an id, or `undefined` if it removes no fault.
 * The caller then releases the requests that the fault delays.
 */
export function removedFaultTest({ clear, deletes }: Commit): ((id: string) => boolean) | undefined {
  if (clear.includes('faults')) return () => true
  const removed = deletes.filter(({ table }) => table === 'faults')
  return removed.length === 0 ? undefined : (id) => removed.some((row) => row.id === id)
}

function hasFaults(world: World, target: FaultTarget): boolean {
  if (world.size('faults') === 0) return false
  for (const fault of world.rows('faults')) if (fault.target === target && fault.times !== 0) return true
  return false
}
