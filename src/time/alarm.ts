import type { WallClock, WallTimer } from '../system-clock/system-clock.ts'
import { type ClockRow, shown } from './clock.ts'

/** The machine may sleep or its time may be set ahead: look again after so many ms of wall time. */
const LONGEST_SLEEP = 30_000

export interface Wake {
  /** Calls back at or before `due` on the clock of `row`; `keepAlive` keeps the process from ending meanwhile. */
  at(due: number, row: ClockRow, keepAlive: boolean): void
  off(): void
}

/** One wall timer for the first due step. An earlier call than needed is no fault, so later steps leave it alone. */
export function createWake(wall: WallClock, call: () => void): Wake {
  let timer: WallTimer | undefined
  let wakesAt = Number.POSITIVE_INFINITY
  let alive = false

  function off(): void {
    timer?.cancel()
    timer = undefined
  }

  return {
    at(due, row, keepAlive) {
      if (timer !== undefined && wakesAt <= due && alive === keepAlive) return
      off()
      wakesAt = due
      alive = keepAlive
      const rest = Math.max(0, due - shown(row, wall.now()))
      timer = wall.setTimeout(
        () => {
          timer = undefined
          call()
        },
        Math.min(Math.ceil(rest / row.speed), LONGEST_SLEEP),
      )
      if (!keepAlive) timer.unref?.()
    },
    off,
  }
}
