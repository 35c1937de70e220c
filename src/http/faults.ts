// Faults of the API: a slow response, an error status, a broken connection. The engine counts them.
import { parseFault } from '../domain/fault-syntax.ts'
import type { Facts } from '../domain/faults.ts'
import { consumeFaultsIfAny } from '../engine/consume-faults.ts'
import type { Engine } from '../engine/engine.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { createFaultDelay } from './fault-delay.ts'

export interface ApiFaults {
  /** Resolves when the operation may run. Absent: it may run now. */
  readonly latency?: Promise<unknown> | undefined
  /** Delays the response after the operation has run. Absent: the response is sent immediately. */
  readonly delayResponse?: (() => Promise<unknown>) | undefined
  /** If present, the operation does not run, and the response has this status. */
  readonly status: number | undefined
  /** Break the connection after the commit: `cut` without a response, `reset` in the middle of it. */
  readonly abort?: 'cut' | 'reset' | undefined
  /** The faults as written, for the request log. */
  readonly names: readonly string[]
  readonly ids: readonly string[]
}

/** Returns a function that returns the faults of a request, or `undefined`. Removing a fault releases its requests. */
export function createApiFaults(
  engine: Engine,
  systemClock: Pick<SystemClock, 'setTimeout'>,
  closing?: AbortSignal,
): (facts: () => Facts) => ApiFaults | undefined {
  const delay = createFaultDelay(engine, systemClock, closing)

  return (facts) => {
    const applying = consumeFaultsIfAny(engine, 'api', facts)
    if (applying.length === 0) return undefined
    const parsed = applying.map(({ id, fault }) => ({ id, ...parseFault('api', fault) }))
    const latencies = parsed.filter(({ name }) => name === 'latency')
    const delays = parsed.filter(({ name }) => name === 'late_response')
    const wait = (faults: typeof parsed) => Promise.all(faults.map(({ id, value = 0 }) => delay(id, value)))
    return {
      latency: latencies.length === 0 ? undefined : wait(latencies),
      delayResponse: delays.length === 0 ? undefined : () => wait(delays),
      status: parsed.find(({ name }) => name === 'status')?.value,
      abort: parsed.map(({ name }) => name).find((name) => name === 'cut' || name === 'reset'),
      names: applying.map(({ fault }) => fault),
      ids: applying.map(({ id }) => id),
    }
  }
}

/** Returns the faults of a dry run: the first `status` fault only. Delays and broken connections are ignored. */
export function dryRunFaults(engine: Engine, facts: () => Facts): ApiFaults | undefined {
  const parsed = consumeFaultsIfAny(engine, 'api', facts).map(({ fault }) => parseFault('api', fault))
  const status = parsed.find((fault) => fault?.name === 'status')?.value
  return status === undefined ? undefined : { status, names: [], ids: [] }
}
