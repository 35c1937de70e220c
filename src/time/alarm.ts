import type { SystemClock, SystemTimer } from '../system-clock/system-clock.ts'
import { type ClockRow, currentTime } from './clock.ts'

/** In ms of system time. The machine may sleep, or its time may be set ahead, so the timer is rechecked this often. */
const LONGEST_SLEEP = 30_000

/** A single system timer for the first due timer. */
export interface Alarm {
  /** Calls back at or before `due` on the clock of `row`. With `keepAlive`, the pending timer keeps the process alive. */
  set(due: number, row: ClockRow, keepAlive: boolean): void
  clear(): void
}

/** Calling back early is harmless, so `set` with a later `due` keeps the current timer. */
export function createAlarm(systemClock: SystemClock, call: () => void): Alarm {
  let timer: SystemTimer | undefined
  let wakesAt = Number.POSITIVE_INFINITY
  let keepsAlive = false

  function clear(): void {
    timer?.cancel()
    timer = undefined
  }

  return {
    set(due, row, keepAlive) {
      if (timer !== undefined && wakesAt <= due && keepsAlive === keepAlive) return
      clear()
      wakesAt = due
      keepsAlive = keepAlive
      const remaining = Math.max(0, due - currentTime(row, systemClock.now()))
      timer = systemClock.setTimeout(
        () => {
          timer = undefined
          call()
        },
        Math.min(Math.ceil(remaining / row.speed), LONGEST_SLEEP),
      )
      if (!keepAlive) timer.unref?.()
    },
    clear,
  }
}
