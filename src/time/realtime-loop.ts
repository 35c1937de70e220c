import { type Deferred, deferred } from '../domain/promises.ts'
import type { ClockRow } from '../engine/tables.ts'
import type { SystemClock, SystemTimer } from '../system-clock/system-clock.ts'
import { type Clock, currentTime } from './clock.ts'
import type { DueQueue } from './due-queue.ts'
import type { InFlight } from './in-flight.ts'
import { createTimeBudget } from './time-budget.ts'
import { TimelineStoppedError } from './timeline-types.ts'
import type { TimerRunner } from './timer-runner.ts'

/** Runs due timers in turns of the event loop, as real time passes. One system timer waits for the next due time. */
export interface RealtimeLoop {
  /** Runs due timers in a later turn of the event loop. */
  schedule(): void
  /** Sets the system timer for the first timer in the queue. */
  setAlarm(): void
  clearAlarm(): void
  /** Called when work ends that `idle()` may be waiting for. */
  onSettled(): void
  idle(): Promise<void>
  /** Stops permanently. Pending `idle()` calls reject. */
  stop(): void
}

export interface RealtimeLoopPorts {
  readonly systemClock: SystemClock
  readonly queue: DueQueue
  readonly clock: Clock
  readonly effects: InFlight
  readonly timerRunner: TimerRunner
  /** Returns false before the start, while an advance runs the timers, and after the stop. */
  mayRunTimers(): boolean
}

export function createRealtimeLoop({
  systemClock,
  queue,
  clock,
  effects,
  timerRunner,
  mayRunTimers,
}: RealtimeLoopPorts): RealtimeLoop {
  const alarm = createAlarm(systemClock, runDue)
  const budget = createTimeBudget(systemClock)
  let scheduled = false
  /** Settles the pending `idle()` calls. */
  let idlers: Deferred<void> | undefined

  function schedule(): void {
    if (scheduled || !mayRunTimers()) return
    scheduled = true
    systemClock.nextTurn(runDue)
  }

  function runDue(): void {
    scheduled = false
    if (!mayRunTimers()) return
    budget.reset()
    if (timerRunner.runDue(budget)) {
      schedule()
      return
    }
    if (idlers !== undefined && isIdle()) {
      idlers.resolve()
      idlers = undefined
    }
    setAlarm()
  }

  function setAlarm(): void {
    const due = queue.peek()?.due
    const row = clock.row()
    if (due === undefined || row.mode === 'frozen') alarm.clear()
    else alarm.set(due, row, idlers !== undefined)
  }

  function isIdle(): boolean {
    if (!mayRunTimers() || effects.count > 0) return false
    const { mode, virtual } = clock.row()
    const due = queue.peek()?.due
    return (due === undefined || due > virtual) && (mode === 'frozen' || queue.busy === 0)
  }

  return {
    schedule,
    setAlarm,
    clearAlarm: alarm.clear,
    onSettled() {
      if (idlers !== undefined) schedule()
    },
    idle() {
      if (isIdle()) return Promise.resolve()
      idlers ??= deferred()
      schedule()
      return idlers.promise
    },
    stop() {
      alarm.clear()
      idlers?.reject(new TimelineStoppedError())
      idlers = undefined
    },
  }
}

/** In ms of system time. The machine may sleep, or its time may be set ahead, so the timer is rechecked this often. */
const LONGEST_SLEEP = 30_000

/** A single system timer for the first due timer. */
interface Alarm {
  /** Calls back once the clock of `row` has reached `due`, or earlier. `keepAlive` keeps the process alive. */
  set(due: number, row: ClockRow, keepAlive: boolean): void
  clear(): void
}

/** An early callback is harmless, so `set` with a later `due` keeps the current timer. */
function createAlarm(systemClock: SystemClock, call: () => void): Alarm {
  let alarm: { readonly timer: SystemTimer; readonly wakesAt: number; readonly keepAlive: boolean } | undefined

  function clear(): void {
    alarm?.timer.cancel()
    alarm = undefined
  }

  return {
    set(due, row, keepAlive) {
      if (alarm !== undefined && alarm.wakesAt <= due && alarm.keepAlive === keepAlive) return
      clear()
      const remaining = Math.max(0, due - currentTime(row, systemClock.now()))
      const timer = systemClock.setTimeout(
        () => {
          alarm = undefined
          call()
        },
        Math.min(Math.ceil(remaining / row.speed), LONGEST_SLEEP),
      )
      alarm = { timer, wakesAt: due, keepAlive }
      if (!keepAlive) timer.unref?.()
    },
    clear,
  }
}
