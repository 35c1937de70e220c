// Delays a response until the commits it is based on are written, and with `--durable` synced.
import type { Engine } from '../engine/engine.ts'

/**
 * `read` changes nothing. If a write fails while a read runs, the read is repeated, so the response contains stored
 * data. `change` makes its commits in the turn of the event loop in which it ends. `long_change` also depends on
 * commits of earlier turns: those of the steps or attempts that it waited for.
 */
export type OperationKind = 'read' | 'change' | 'long_change'

const MAX_READS = 3

/**
 * Returns the result of `run`, or throws its error, once all commits that `run` could have read are written, and with
 * `--durable` synced.
 * @throws StoreUnavailableError if a write failed in the meantime, because the changes are then undone
 */
export async function awaitWrites<T>(
  engine: Pick<Engine, 'written' | 'lastWriteError'>,
  kind: OperationKind,
  run: () => T | Promise<T>,
): Promise<T> {
  for (let left = kind === 'read' ? MAX_READS : 1; ; left--) {
    let before = engine.lastWriteError
    const outcome = await Promise.resolve().then(run).then(returning, throwing)
    if (kind === 'change') before = engine.lastWriteError
    // A rejection is also recorded in `lastWriteError`.
    await engine.written()?.catch(() => {})
    if (engine.lastWriteError === before) return outcome()
    if (left === 1) throw engine.lastWriteError?.error
  }
}

const returning =
  <T>(value: T) =>
  () =>
    value

const throwing = (error: unknown) => () => {
  throw error
}
