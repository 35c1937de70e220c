// The system clock, and wrappers that change how its timers behave. Other modules get it as an argument. The exceptions
// are in docs/contributing.md.
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

/** Node fires at once if a delay does not fit in 31 bits. */
const LONGEST_DELAY = 2 ** 31 - 1

export interface SystemTimer {
  cancel(): void
  /** Lets the process exit before the timer fires. */
  unref?(): void
}

/** The system clock and its timers. Every module takes them as an argument. */
export interface SystemClock {
  /** ms since the Unix epoch; may go back if the user or NTP sets the system clock. */
  now(): WallTime
  /** ms since an arbitrary start, with fractions; never goes back. */
  monotonic(): number
  /** Calls `fn` once after `ms`, of any length. */
  setTimeout(fn: () => void, ms: number): SystemTimer
  /** Calls `fn` every `ms` (at most 2^31 - 1). */
  setInterval(fn: () => void, ms: number): SystemTimer
  /** Calls `fn` in a later turn of the event loop, after pending I/O. */
  nextTurn(fn: () => void): void
}

/** Uses the global clock and timers as they were at import, so fake timers of a test suite do not affect it. */
export function createSystemClock(): SystemClock {
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

function longTimeout(fn: () => void, ms: number): SystemTimer {
  let rest = ms
  let keepsAlive = true
  let handle: NodeJS.Timeout
  const wait = () => {
    const part = Math.min(rest, LONGEST_DELAY)
    rest -= part
    handle = startTimeout(rest > 0 ? wait : fn, part)
    if (!keepsAlive) handle.unref()
  }
  wait()
  return {
    cancel: () => endTimeout(handle),
    unref() {
      keepsAlive = false
      handle.unref()
    },
  }
}

/** Timer callbacks have no caller to catch errors. So errors go to `onInternalError` and do not end the process. */
export function catchTimerErrors(systemClock: SystemClock, onInternalError: (error: unknown) => void): SystemClock {
  const guarded = (fn: () => void) => () => {
    try {
      fn()
    } catch (error) {
      onInternalError(error)
    }
  }
  return {
    now: systemClock.now,
    monotonic: systemClock.monotonic,
    setTimeout: (fn, ms) => systemClock.setTimeout(guarded(fn), ms),
    setInterval: (fn, ms) => systemClock.setInterval(guarded(fn), ms),
    nextTurn: (fn) => systemClock.nextTurn(guarded(fn)),
  }
}

/** Returns a handler that also prints a notice, because background work has no caller that could see the error. */
export function reportAndContinue(
  notice: (text: string) => void,
  onInternalError: (error: unknown) => void,
): (error: unknown) => void {
  return (error) => {
    onInternalError(error)
    notice(`Background work failed, and psp continues: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * Timers of up to `longest` ms keep the process alive. Longer timers and intervals do not. So short delays still fire
 * after the last test, and an expiry that is hours away does not delay the exit.
 */
export function unrefLongTimers(systemClock: SystemClock, longest: number): SystemClock {
  return {
    ...systemClock,
    setTimeout(fn, ms) {
      const timer = systemClock.setTimeout(fn, ms)
      if (ms > longest) timer.unref?.()
      return { cancel: timer.cancel }
    },
    setInterval(fn, ms) {
      const timer = systemClock.setInterval(fn, ms)
      timer.unref?.()
      return timer
    },
  }
}
