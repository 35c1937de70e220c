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
  /** Waits until a handler that works after its response has handled every event that was sent so far. */
  catchUp?(): Promise<void>
  /** The metadata of each payment. */
  readonly metadata?: { readonly [key: string]: string }
}
