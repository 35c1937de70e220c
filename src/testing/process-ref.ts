// Keeps the process alive during a call to the sandbox, and at no other time.
import type { Timers } from '../domain/time.ts'

export interface ProcessRef {
  /** Returns the result of `work`, and keeps the process alive until it settles. */
  during<T>(work: Promise<T>): Promise<T>
}

/** @param systemClock the timers that keep the process alive */
export function createProcessRef(systemClock: Timers): ProcessRef {
  let running = 0
  let hold: { cancel(): void } | undefined

  return {
    async during(work) {
      if (running++ === 0) hold = systemClock.setTimeout(() => {}, MAX_TIMER_MS)
      try {
        return await work
      } finally {
        if (--running === 0) hold?.cancel()
      }
    },
  }
}

/** The longest possible delay of a timer, in ms. */
const MAX_TIMER_MS = 2 ** 31 - 1
