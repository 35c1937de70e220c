// Ends work that an interruption left behind.
import type { Probe } from '../audit/ports.ts'
import type { ExplorePorts } from './explore-ports.ts'

/** Number of messages that were sent through the ports. */
export interface SentCount {
  sent: number
}

/**
 * Returns ports whose calls never end once the signal is aborted. Abandoned work would send more messages otherwise, and keep
 * the process alive.
 */
export function abortablePorts(
  ports: ExplorePorts,
  signal: AbortSignal | undefined,
  count: SentCount = { sent: 0 },
): ExplorePorts {
  const unless =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> =>
      signal?.aborted === true ? new Promise<T>(() => {}) : call(...args)
  const probes = ports.probes.map(
    (probe): Probe => ({
      ...probe,
      once: unless(probe.once),
      value: unless(probe.value),
      settled: unless(probe.settled),
      awaitEffect: unless(probe.awaitEffect),
    }),
  )
  return {
    ...ports,
    probes,
    order: unless((amount) => ports.order(amount)),
    send: unless((message) => {
      count.sent++
      return ports.send(message)
    }),
  }
}
