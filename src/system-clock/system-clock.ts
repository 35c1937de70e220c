// The machine's clock and timers. Globals are taken at import: fake timers of a test suite must not stop the sandbox.
import type { WallTime } from '../domain/time.ts'

const { now: dateNow } = Date
const monotonicNow = performance.now.bind(performance)
const {
  setTimeout: startTimeout,
  clearTimeout: endTimeout,
  setInterval: startInterval,
  clearInterval: endInterval,
} = globalThis
const startImmediate = globalThis.setImmediate

/** Node fires at once when a delay does not fit in 31 bits. */
const LONGEST_DELAY = 2 ** 31 - 1

export interface WallTimer {
  cancel(): void
  /** Lets the process end although the timer waits. */
  unref?(): void
}

/** The machine's clock and timers, as everything here takes them. */
export interface WallClock {
  /** ms since the Unix epoch; may step back when the system clock is set. */
  now(): WallTime
  /** ms since an arbitrary start, with fractions; never steps back. */
  monotonic(): number
  /** Calls `fn` once after `ms`, of any length. */
  setTimeout(fn: () => void, ms: number): WallTimer
  /** Calls `fn` every `ms` (at most 2^31 - 1). */
  setInterval(fn: () => void, ms: number): WallTimer
  /** Calls `fn` in a later turn of the event loop, after waiting I/O had its chance. */
  nextTurn(fn: () => void): void
}

/** The machine's own clock and timers, as they were when this was imported: fake timers do not stop them. */
export function systemWall(): WallClock {
  return {
    now: () => dateNow() as WallTime,
    monotonic: monotonicNow,
    setTimeout: longTimeout,
    setInterval(fn, ms) {
      const handle = startInterval(fn, Math.min(ms, LONGEST_DELAY))
      return { cancel: () => endInterval(handle), unref: () => void handle.unref() }
    },
    nextTurn: (fn) => void startImmediate(fn),
  }
}

function longTimeout(fn: () => void, ms: number): WallTimer {
  let rest = ms
  let held = true
  let handle: NodeJS.Timeout
  const wait = () => {
    const part = Math.min(rest, LONGEST_DELAY)
    rest -= part
    handle = startTimeout(rest > 0 ? wait : fn, part)
    if (!held) handle.unref()
  }
  wait()
  return {
    cancel: () => endTimeout(handle),
    unref() {
      held = false
      handle.unref()
    },
  }
}
