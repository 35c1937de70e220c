import type { WallClock } from '../system-clock/system-clock.ts'
import { createWake } from './alarm.ts'
import type { Clock } from './clock.ts'
import type { DueQueue } from './due-queue.ts'
import type { Effects } from './in-flight.ts'
import { createSlice } from './time-budget.ts'
import { TimelineStopped } from './timeline-types.ts'
import type { Stepper } from './timer-runner.ts'

/** Time that goes on by itself: due steps run in turns of the event loop, and a wall timer wakes it for the next. */
export interface Flow {
  /** Looks in a later turn at what is due. */
  soon(): void
  /** Sets the wall timer for the first step. */
  sleep(): void
  /** Takes the wall timer away. */
  pause(): void
  /** Something ended that an `idle()` may wait for. */
  calmer(): void
  idle(): Promise<void>
  /** For good: who waits for `idle()` hears of it. */
  stop(): void
}

export interface FlowPorts {
  readonly wall: WallClock
  readonly queue: DueQueue
  readonly clock: Clock
  readonly effects: Effects
  readonly stepper: Stepper
  /** False while something else takes the steps. */
  flowing(): boolean
}

interface Idler {
  resolve(): void
  reject(error: Error): void
}

export function createFlow({ wall, queue, clock, effects, stepper, flowing }: FlowPorts): Flow {
  const wake = createWake(wall, pump)
  const slice = createSlice(wall)
  let pumping = false
  let idlers: Idler[] = []

  function soon(): void {
    if (pumping || !flowing()) return
    pumping = true
    wall.nextTurn(pump)
  }

  function pump(): void {
    pumping = false
    if (!flowing()) return
    slice.renew()
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
    if (due === undefined || row.mode === 'frozen') wake.off()
    else wake.at(due, row, idlers.length > 0)
  }

  function quiet(): boolean {
    if (!flowing() || effects.count > 0) return false
    const { mode, virtual } = clock.row()
    const due = queue.peek()?.due
    return (due === undefined || due > virtual) && (mode === 'frozen' || queue.busy === 0)
  }

  return {
    soon,
    sleep,
    pause: wake.off,
    calmer() {
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
      wake.off()
      for (const idler of idlers) idler.reject(new TimelineStopped())
      idlers = []
    },
  }
}
