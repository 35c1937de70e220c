// Delays a request for as long as a fault requires.
import { refuse } from '../domain/errors.ts'
import { replacesState } from '../engine/commit.ts'
import { removedFaultTest } from '../engine/consume-faults.ts'
import type { Engine } from '../engine/engine.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { ConnectionAbortedError } from './connection-aborted.ts'

/**
 * Resolves after `ms` of the system clock, when the fault of this id is removed, or after an attempt about the object,
 * if one is given. Rejects with `sandbox_reset` if the state is replaced. A request that was delayed before its
 * operation ran then has no effect.
 */
export type FaultDelay = (fault: string, ms: number, objectId?: string) => Promise<void>

/** @param atClose whether a delay rejects with ConnectionAbortedError or resolves when the sandbox closes */
export function createFaultDelay(
  engine: Engine,
  systemClock: Pick<SystemClock, 'setTimeout'>,
  closing: AbortSignal | undefined,
  atClose: 'reject' | 'resolve' = 'reject',
): FaultDelay {
  interface Delay {
    readonly fault: string
    readonly objectId: string | undefined
    /** With an error, the promise rejects. */
    end(error?: Error): void
  }
  const delays = new Set<Delay>()
  const endForClose = ({ end }: Delay) => {
    if (atClose === 'resolve') end()
    else end(new ConnectionAbortedError('The sandbox closed while a fault delayed the request.'))
  }

  engine.onCommit((commit, command) => {
    if (delays.size === 0) return
    if (replacesState(commit)) {
      for (const { end } of delays) end(refuse('sandbox_reset'))
      return
    }
    if (command === 'record_attempt') {
      const objects = commit.puts.flatMap(({ table, row }) => (table === 'deliveries' ? row.object_id : []))
      for (const { objectId, end } of delays) if (objectId !== undefined && objects.includes(objectId)) end()
    }
    const isRemoved = removedFaultTest(commit)
    if (isRemoved !== undefined) for (const { fault, end } of delays) if (isRemoved(fault)) end()
  })
  closing?.addEventListener('abort', () => delays.forEach(endForClose))

  return (fault, ms, objectId) =>
    new Promise((resolve, reject) => {
      const delay: Delay = {
        fault,
        objectId,
        end(error) {
          timer.cancel()
          delays.delete(delay)
          if (error === undefined) resolve()
          else reject(error)
        },
      }
      const timer = systemClock.setTimeout(() => delay.end(), ms)
      delays.add(delay)
      if (closing?.aborted === true) endForClose(delay)
    })
}
