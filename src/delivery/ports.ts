// What this room asks of the others, as small as it can be.
import type { WallTime } from '../domain/time.ts'

/** The machine's clock and timers; `ms` everywhere. */
export interface WallPort {
  now(): WallTime
  /** Never steps back; from an arbitrary start. */
  monotonic(): number
  setTimeout(fn: () => void, ms: number): { cancel(): void }
  setInterval(fn: () => void, ms: number): { cancel(): void; unref?(): void }
  /** Calls `fn` in a later turn of the event loop. */
  nextTurn(fn: () => void): void
}
