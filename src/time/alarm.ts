import type { SystemClock, SystemTimer } from '../system-clock/system-clock.ts'
import { type ClockRow, currentTime } from './clock.ts'

/** The machine may sleep or its time may be set ahead: look again after so many ms of wall time. */
const LONGEST_SLEEP = 30_000

export interface Alarm {
  /** Calls back at or before `due` on the clock of `row`; `keepAlive` keeps the process from ending meanwhile. */
  set(due: number, row: ClockRow, keepAlive: boolean): void
  clear(): void
}

/** One wall timer for the first due step. An earlier call than needed is no fault, so later steps leave it alone. */
export function createAlarm(systemClock: SystemClock, call: () => void): Alarm {
  let timer: SystemTimer | undefined
  let wakesAt = Number.POSITIVE_INFINITY
  let alive = false

  function off(): void {
    timer?.cancel()
    timer = undefined
  }

  return {
    set(due, row, keepAlive) {
      if (timer !== undefined && wakesAt <= due && alive === keepAlive) return
      off()
      wakesAt = due
      alive = keepAlive
      const rest = Math.max(0, due - currentTime(row, systemClock.now()))
      timer = systemClock.setTimeout(
        () => {
          timer = undefined
          call()
        },
        Math.min(Math.ceil(rest / row.speed), LONGEST_SLEEP),
      )
      if (!keepAlive) timer.unref?.()
    },
    clear: off,
  }
}
