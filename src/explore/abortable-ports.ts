// Stops work that an interruption left unfinished, and measures the use of the ports.
import type { Probe } from '../audit/ports.ts'
import type { ExplorePorts } from './explore-ports.ts'

/** The use of the ports: the number of messages, and the time in ms that the calls of each kind took. */
export interface PortUse {
  sent: number
  readonly ms: { handler: number; probes: number; orders: number }
}

export function createPortUse(): PortUse {
  return { sent: 0, ms: { handler: 0, probes: 0, orders: 0 } }
}

/**
 * Returns ports that add each call to `use`. A call after the signal was aborted never returns: abandoned work would
 * otherwise send more messages and keep the process alive.
 */
export function abortablePorts(
  ports: ExplorePorts,
  signal: AbortSignal | undefined,
  use: PortUse = createPortUse(),
): ExplorePorts {
  const { systemClock } = ports
  const abortable =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>, kind: keyof PortUse['ms'] = 'probes') =>
    async (...args: A): Promise<T> => {
      if (signal?.aborted === true) return await new Promise<T>(() => {})
      const began = systemClock.monotonic()
      try {
        return await call(...args)
      } finally {
        use.ms[kind] += systemClock.monotonic() - began
      }
    }
  const probes = ports.probes.map(
    (probe): Probe => ({
      ...probe,
      once: abortable(probe.once),
      learnVolatile: abortable(probe.learnVolatile),
      settled: abortable(probe.settled),
      awaitEffect: abortable(probe.awaitEffect),
    }),
  )
  return {
    ...ports,
    probes,
    order: abortable((amount) => ports.order(amount), 'orders'),
    send: abortable((message) => {
      use.sent++
      return ports.send(message)
    }, 'handler'),
  }
}
