import type { SandboxTime } from '../domain/time.ts'
import type { Clock } from './clock.ts'
import type { DueQueue } from './due-queue.ts'
import type { Effects } from './effects.ts'
import type { Slice } from './slice.ts'
import type { TimelinePorts } from './timeline-contract.ts'

/** What ran, counted. */
export interface Tally {
  steps: number
  deliveries: number
}

/** An advance that runs; `ended` when the timeline stopped or another clock took over. */
export interface Drive {
  ended: boolean
}

export interface Stepper {
  /** Starts what is due now, in order, until the slice is spent; true when it was spent. */
  runDue(slice: Slice, tally?: Tally): boolean
  /**
   * Goes from instant to instant, up to `limit()`, and lets the effects of each settle before the next.
   * @param moveTo sets the clock to the next instant
   * @param settles false: effects go on by themselves, the next instant does not wait for them
   */
  drive(
    drive: Drive,
    limit: () => number,
    moveTo: (time: SandboxTime) => void | Promise<void>,
    tally?: Tally,
    settles?: boolean,
  ): Promise<void>
}

export function createStepper(
  ports: Pick<TimelinePorts, 'run' | 'onError'>,
  queue: DueQueue,
  clock: Clock,
  effects: Effects,
  newSlice: () => Slice,
): Stepper {
  function runDue(slice: Slice, tally?: Tally): boolean {
    for (let timer = queue.peek(); timer !== undefined && timer.due <= clock.now(); timer = queue.peek()) {
      if (slice.spent()) return true
      queue.pop()
      if (tally !== undefined) {
        tally.steps++
        if (timer.kind === 'deliver') tally.deliveries++
      }
      const step = timer
      try {
        const effect = ports.run(step)
        if (effect !== undefined) effects.track(effect, (error) => ports.onError(error, step))
      } catch (error) {
        ports.onError(error, step)
      }
    }
    return false
  }

  return {
    runDue,
    async drive(drive, limit, moveTo, tally, settles = true) {
      const slice = newSlice()
      while (!drive.ended) {
        if (slice.spent()) await slice.giveWay()
        else if (runDue(slice, tally)) continue
        else if (settles && effects.count > 0) {
          await effects.over()
          // What settled may have left follow-ups in the event loop.
          await slice.giveWay()
        } else {
          const due = queue.peek()?.due
          if (due === undefined || due > limit()) return
          const moved = moveTo(due)
          if (moved !== undefined) await moved
        }
      }
    },
  }
}
