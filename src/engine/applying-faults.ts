// What layers above ask of faults: which apply now, and which are gone.
import type { Facts, Fault, FaultTarget } from '../domain/faults.ts'
import type { Commit } from './commit.ts'
import type { Engine } from './engine.ts'
import type { World } from './world.ts'

/** Counts and gives the faults that apply now, newest first. Where there are none of this target, nothing is counted or written. */
export function applyingFaults(
  { world, execute }: Pick<Engine, 'world' | 'execute'>,
  target: FaultTarget,
  facts: () => Facts,
): readonly Fault[] {
  return hasFaults(world, target) ? execute('take_faults', { target, facts: facts() }) : []
}

/** Which faults a commit removes, for whoever lets go what they held; `undefined` where it removes none. */
export function removedFaults({ clear, deletes }: Commit): ((id: string) => boolean) | undefined {
  if (clear.includes('faults')) return () => true
  if (!deletes.some(({ table }) => table === 'faults')) return undefined
  const ids = new Set(deletes.filter(({ table }) => table === 'faults').map(({ id }) => id))
  return (id) => ids.has(id)
}

function hasFaults(world: World, target: FaultTarget): boolean {
  if (world.size('faults') === 0) return false
  for (const fault of world.rows('faults')) if (fault.target === target && fault.times !== 0) return true
  return false
}
