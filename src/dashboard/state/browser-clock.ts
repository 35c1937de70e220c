// The clock of the browser. The only module of the dashboard that reads it.
import type { Timers } from '../../domain/time.ts'

export const browserClock: Timers & { now(): number } = {
  now: () => Date.now(),
  setTimeout(fn, ms) {
    const id = window.setTimeout(fn, ms)
    return { cancel: () => window.clearTimeout(id) }
  },
}
