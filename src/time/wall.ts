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

export interface ManualWall extends WallClock {
  /** Moves both clocks by `ms`, firing each timer at its own moment, with turns of the event loop between them. */
  advance(ms: number): Promise<void>
  /** Sets the system clock as an administrator would: `now()` jumps, `monotonic()` and the timers do not notice. */
  set(time: number): void
  /** Timers that wait. */
  waiting(): number
}

/** A wall that stands until it is moved by hand; for tests. `nextTurn` is real, so that promises make progress. */
export function manualWall(start = 0): ManualWall {
  let now = start
  let elapsed = 0
  const timers = new Set<{ at: number; every: number; fn: () => void }>()

  function add(fn: () => void, ms: number, every: number): WallTimer {
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

async function turns(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise<void>((resolve) => startImmediate(resolve))
}
