import type { WallTime } from '../../src/domain/time.ts'
import type { SystemClock, SystemTimer } from '../../src/system-clock/system-clock.ts'

const startImmediate = globalThis.setImmediate

export interface ManualSystemClock extends SystemClock {
  /** Moves both clocks by `ms`. Each timer fires at its time, with turns of the event loop in between. */
  advance(ms: number): Promise<void>
  /** Sets the system clock as an administrator would. Only `now()` jumps; `monotonic()` and timers do not change. */
  set(time: number): void
  /** The number of timers that wait. */
  waiting(): number
}

/** Creates a system clock that a test moves by hand. `nextTurn` is real, so that promises make progress. */
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
