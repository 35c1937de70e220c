// Delays requests for faults.
import { refuse } from '../domain/errors.ts'
import { replacesState } from '../engine/commit.ts'
import { removedFaultTest } from '../engine/consume-faults.ts'
import type { Engine } from '../engine/engine.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { ConnectionAbortedError } from './connection-aborted.ts'

/**
 * Resolves after `ms`, or when the fault of this id is removed.
 * @throws ConnectionAbortedError if the sandbox closes, and RefusalError sandbox_reset if its state is replaced. A request
 *   that was delayed before its operation ran then has no effect.
 */
export type FaultDelay = (fault: string, ms: number) => Promise<void>

export function createFaultDelay(
  engine: Engine,
  systemClock: Pick<SystemClock, 'setTimeout'>,
  closing?: AbortSignal,
): FaultDelay {
  const held = new Set<{ readonly fault: string; release(): void; refuse(error: Error): void }>()

  engine.onCommit((commit) => {
    if (held.size === 0) return
    if (replacesState(commit)) {
      for (const each of held) each.refuse(refuse('sandbox_reset'))
      return
    }
    const isRemoved = removedFaultTest(commit)
    if (isRemoved !== undefined) for (const each of held) if (isRemoved(each.fault)) each.release()
  })
  closing?.addEventListener('abort', () => {
    for (const each of held) each.refuse(closed())
  })

  return (fault, ms) =>
    new Promise((resolve, reject) => {
      const timer = systemClock.setTimeout(() => each.release(), ms)
      const end = (settle: () => void) => {
        timer.cancel()
        held.delete(each)
        settle()
      }
      const each = {
        fault,
        release: () => end(resolve),
        refuse: (error: Error) => end(() => reject(error)),
      }
      held.add(each)
      if (closing?.aborted === true) each.refuse(closed())
    })
}

function closed(): ConnectionAbortedError {
  return new ConnectionAbortedError('The sandbox closed while a fault delayed the request.')
}
