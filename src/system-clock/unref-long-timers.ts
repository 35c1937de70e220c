import type { SystemClock } from './system-clock.ts'

/**
 * Timers of up to `longest` ms keep the process alive; longer ones and intervals do not. So short delays still fire
 * after the last test, and an expiry in some hours does not hold up the exit.
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
