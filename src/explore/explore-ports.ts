// The interfaces that an exploration needs: sending, probes, time and orders.
import type { Probe, Send } from '../audit/ports.ts'
import type { Randomness } from '../engine/ports.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'

export interface ExplorePorts {
  readonly send: Send
  readonly probes: readonly Probe[]
  /** The webhook secret that signs each delivery. */
  readonly secret: string
  readonly systemClock: Pick<SystemClock, 'now' | 'monotonic' | 'setTimeout'>
  /** Generates the ids of the events and payments that are sent. */
  readonly random: Randomness
  /** Returns the id of an unused order with this amount. `undefined` if there are no more orders. */
  order(amount: number): Promise<string | undefined>
  /**
   * Waits until a handler that works after its response has handled every event that was sent so far.
   * @param until the latest end of the wait, in ms of the monotonic clock
   */
  catchUp?(until: number): Promise<void>
  readonly metadata?: { readonly [key: string]: string }
}

type OrderSource = (amount: number) => Promise<string | undefined>

/**
 * Rejects an id that the source returns a second time, because two stories that share an order could not be judged.
 * @param createError returns the error for an id that was returned before
 */
export function requireNewOrders(source: OrderSource, createError: (id: string) => Error): OrderSource {
  const known = new Set<string>()
  return async (amount) => {
    const id = await source(amount)
    if (id !== undefined && known.has(id)) throw createError(id)
    if (id !== undefined) known.add(id)
    return id
  }
}
