// What an answer says rests on commits that the disk may still refuse: it goes out once they are written.
import type { Engine } from '../engine/engine.ts'

/**
 * `read`: changes nothing; where the disk refused meanwhile it is made again, and says what holds. `change`: what it tells
 * of was done in the turn it ended in. `long_change`: or in turns before, as that of steps and attempts it waited for.
 */
export type Isolation = 'read' | 'change' | 'long_change'

/** Times that a read is made. */
const READS = 3

/**
 * Gives what `run` gave, or throws what it threw, when everything it could have looked at is as durable as was asked for.
 * @throws StoreUnavailableError where the disk refused meanwhile: what it gave is undone
 */
export async function awaitDurability<T>(
  engine: Pick<Engine, 'written' | 'refused'>,
  isolation: Isolation,
  run: () => T | Promise<T>,
): Promise<T> {
  for (let left = isolation === 'read' ? READS : 1; ; left--) {
    let before = engine.refused
    const outcome = await Promise.resolve().then(run).then(returning, throwing)
    if (isolation === 'change') before = engine.refused
    // That it rejects, `refused` says as well.
    await engine.written()?.catch(() => {})
    if (engine.refused === before) return outcome()
    if (left === 1) throw engine.refused?.error
  }
}

const returning =
  <T>(value: T) =>
  () =>
    value

const throwing = (error: unknown) => () => {
  throw error
}
