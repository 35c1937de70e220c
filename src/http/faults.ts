// Faults of the API: a slow response, an error status, a broken connection. The engine counts them.
import { parseFault } from '../domain/fault-syntax.ts'
import type { Facts } from '../domain/faults.ts'
import { consumeFaultsIfAny } from '../engine/consume-faults.ts'
import type { Engine } from '../engine/engine.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { createFaultDelay } from './fault-delay.ts'

/** The faults that apply to one request. */
export interface ApiFaults {
  /** Resolves when the operation may run. `undefined`: it may run now. */
  readonly latency: Promise<void> | undefined
  /** Delays the response after the operation has run. `undefined`: the response is sent immediately. */
  readonly delayResponse: (() => Promise<unknown>) | undefined
  /** Respond with this status, and do nothing else. */
  readonly status: number | undefined
  /** Break the connection after the commit: `cut` without a response, `reset` in the middle of it. */
  readonly abort: 'cut' | 'reset' | undefined
  /** The faults as written, for the request log. */
  readonly names: readonly string[]
  readonly ids: readonly string[]
}

/**
 * Returns a function that returns the faults of a request, or `undefined` if no fault applies. Removing a fault releases the
 * requests that the fault delays.
 */
export function createApiFaults(
  engine: Engine,
  systemClock: Pick<SystemClock, 'setTimeout'>,
  closing?: AbortSignal,
): (facts: () => Facts) => ApiFaults | undefined {
  const delay = createFaultDelay(engine, systemClock, closing)

  return (facts) => {
    const applying = consumeFaultsIfAny(engine, 'api', facts)
    if (applying.length === 0) return undefined
    const delays: Promise<void>[] = []
    const later: (() => Promise<void>)[] = []
    let status: number | undefined
    let end: ApiFaults['abort']
    for (const { id, fault } of applying) {
      const parsed = parseFault('api', fault)
      if (parsed?.name === 'latency') delays.push(delay(id, parsed.value ?? 0))
      else if (parsed?.name === 'late_response') later.push(() => delay(id, parsed.value ?? 0))
      else if (parsed?.name === 'status') status ??= parsed.value
      else if (parsed?.name === 'cut' || parsed?.name === 'reset') end ??= parsed.name
    }
    const latency = delays.length === 0 ? undefined : Promise.all(delays).then(() => {})
    const late = later.length === 0 ? undefined : () => Promise.all(later.map((begin) => begin()))
    const names = applying.map(({ fault }) => fault)
    return { latency, delayResponse: late, status, abort: end, names, ids: applying.map(({ id }) => id) }
  }
}

/** Returns the faults of a dry run: only the first `status` fault applies. Delays and broken connections are ignored. */
export function plannedStatus(engine: Engine, facts: () => Facts): ApiFaults | undefined {
  const statuses = consumeFaultsIfAny(engine, 'api', facts).flatMap(({ fault }) => {
    const parsed = parseFault('api', fault)
    return parsed?.name === 'status' && parsed.value !== undefined ? [parsed.value] : []
  })
  const [status] = statuses
  if (status === undefined) return undefined
  return { latency: undefined, delayResponse: undefined, status, abort: undefined, names: [], ids: [] }
}
