// The interface that delivery needs of the system clock.
import type { WallTime } from '../domain/time.ts'

/** The system clock and its timers, in ms. */
export interface SystemClockPort {
  now(): WallTime
  /** Returns ms since an arbitrary start. Never decreases. */
  monotonic(): number
  setTimeout(fn: () => void, ms: number): { cancel(): void }
  setInterval(fn: () => void, ms: number): { cancel(): void; unref?(): void }
  /** Calls `fn` in a later turn of the event loop. */
  nextTurn(fn: () => void): void
}
