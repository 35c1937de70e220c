import type { WallClock } from './system-clock.ts'

/**
 * The same clock and timers, where the timer alone says whether it keeps the process from ending: one of up to `longest`
 * ms does, whoever set it. What is soon still happens; what waits for hours holds up nobody who is done.
 */
export function looseWall(wall: WallClock, longest: number): WallClock {
  return {
    ...wall,
    setTimeout(fn, ms) {
      const timer = wall.setTimeout(fn, ms)
      if (ms > longest) timer.unref?.()
      return { cancel: timer.cancel }
    },
    setInterval(fn, ms) {
      const timer = wall.setInterval(fn, ms)
      timer.unref?.()
      return timer
    },
  }
}
