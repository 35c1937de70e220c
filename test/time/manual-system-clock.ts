import type { WallTime } from '../../src/domain/time.ts'
import type { SystemClock, SystemTimer } from '../../src/system-clock/system-clock.ts'

const startImmediate = globalThis.setImmediate

export interface ManualSystemClock extends SystemClock {
  /** Moves both clocks by `ms`, firing each timer at its own moment, with turns of the event loop between them. */
  advance(ms: number): Promise<void>
  /** Sets the system clock as an administrator would: `now()` jumps, `monotonic()` and the timers do not notice. */
  set(time: number): void
  /** Timers that wait. */
  waiting(): number
}

/** A wall that stands until it is moved by hand; for tests. `nextTurn` is real, so that promises make progress. */
export function manualSystemClock(start = 0): ManualSystemClock {
  let now = start
  let elapsed = 0
  const timers = new Set<{ at: number; every: number; fn: () => void }>()

  function add(fn: () => void, ms: number, every: number): SystemTimer {
    const timer = { at: elapsed + Math.max(ms, 0), every, fn }
    timers.add(timer)
    return { cancel: () => void timers.delete(timer), unref() {} }
  }

  function move(ms: number): void {
    now += ms
    elapsed += ms
  }

  return {
    now: () => now as WallTime,
    monotonic: () => elapsed,
    setTimeout: (fn, ms) => add(fn, ms, 0),
    setInterval: (fn, ms) => add(fn, ms, Math.max(ms, 1)),
    nextTurn: (fn) => void startImmediate(fn),
    async advance(ms) {
      const end = elapsed + ms
      await turns()
      for (;;) {
        const next = [...timers].sort((a, b) => a.at - b.at)[0]
        if (next === undefined || next.at > end) break
        move(Math.max(0, next.at - elapsed))
        if (next.every > 0) next.at += next.every
        else timers.delete(next)
        next.fn()
        await turns()
      }
      move(end - elapsed)
      await turns()
    },
    set(time) {
      now = time
    },
    waiting: () => timers.size,
  }
}

async function turns(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise<void>((resolve) => startImmediate(resolve))
}
