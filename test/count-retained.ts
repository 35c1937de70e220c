import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Counts how many of the objects are still in memory after a garbage collection. */
export async function countRetained(objects: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // An object that was used in this turn of the event loop stays until the turn ends.
  await new Promise<void>((resolve) => setImmediate(resolve))
  collect()
  return objects.filter((object) => object.deref() !== undefined).length
}
