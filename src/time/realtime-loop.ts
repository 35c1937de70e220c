import type { SystemClock } from '../system-clock/system-clock.ts'
import { createAlarm } from './alarm.ts'
import type { Clock } from './clock.ts'
import type { DueQueue } from './due-queue.ts'
import type { InFlight } from './in-flight.ts'
import { createTimeBudget } from './time-budget.ts'
import { TimelineStoppedError } from './timeline-types.ts'
import type { TimerRunner } from './timer-runner.ts'

/** Time that goes on by itself: due steps run in turns of the event loop, and a wall timer wakes it for the next. */
export interface RealtimeLoop {
  /** Looks in a later turn at what is due. */
  schedule(): void
  /** Sets the wall timer for the first step. */
  armTimer(): void
  /** Takes the wall timer away. */
  pause(): void
  /** Something ended that an `idle()` may wait for. */
  onSettled(): void
  idle(): Promise<void>
  /** For good: who waits for `idle()` hears of it. */
  stop(): void
}

export interface RealtimeLoopPorts {
  readonly systemClock: SystemClock
  readonly queue: DueQueue
  readonly clock: Clock
  readonly effects: InFlight
  readonly stepper: TimerRunner
  /** False while something else takes the steps. */
  isRunning(): boolean
}

interface Idler {
  resolve(): void
  reject(error: Error): void
}

export function createRealtimeLoop({
  systemClock,
  queue,
  clock,
  effects,
  stepper,
  isRunning: flowing,
}: RealtimeLoopPorts): RealtimeLoop {
  const wake = createAlarm(systemClock, pump)
  const slice = createTimeBudget(systemClock)
  let pumping = false
  let idlers: Idler[] = []

  function soon(): void {
    if (pumping || !flowing()) return
    pumping = true
    systemClock.nextTurn(pump)
  }

  function pump(): void {
    pumping = false
    if (!flowing()) return
    slice.reset()
    if (stepper.runDue(slice)) {
      soon()
      return
    }
    if (idlers.length > 0 && quiet()) {
      const waited = idlers
      idlers = []
      for (const { resolve } of waited) resolve()
    }
    sleep()
  }

  function sleep(): void {
    const due = queue.peek()?.due
    const row = clock.row()
    if (due === undefined || row.mode === 'frozen') wake.clear()
    else wake.set(due, row, idlers.length > 0)
  }

  function quiet(): boolean {
    if (!flowing() || effects.count > 0) return false
    const { mode, virtual } = clock.row()
    const due = queue.peek()?.due
    return (due === undefined || due > virtual) && (mode === 'frozen' || queue.busy === 0)
  }

  return {
    schedule: soon,
    armTimer: sleep,
    pause: wake.clear,
    onSettled() {
      if (idlers.length > 0) soon()
    },
    idle() {
      if (quiet()) return Promise.resolve()
      return new Promise((resolve, reject) => {
        idlers.push({ resolve, reject })
        soon()
      })
    },
    stop() {
      wake.clear()
      for (const idler of idlers) idler.reject(new TimelineStoppedError())
      idlers = []
    },
  }
}
