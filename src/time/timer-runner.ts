import type { SandboxTime } from '../domain/time.ts'
import type { Timer } from '../engine/tables.ts'
import type { AdvanceRun } from './advance-run.ts'
import type { Clock } from './clock.ts'
import type { DueQueue } from './due-queue.ts'
import type { Effect, InFlight } from './in-flight.ts'
import type { TimeBudget } from './time-budget.ts'
import type { TimelinePorts } from './timeline-types.ts'

/** What ran, counted. */
export interface RunCounts {
  steps: number
  deliveries: number
}

export interface TimerRunner {
  /** Starts what is due now, in order, until the slice is spent; true when it was spent. */
  runDue(slice: TimeBudget, tally?: RunCounts, drive?: AdvanceRun): boolean
  /**
   * Goes from instant to instant, up to `limit()`, and lets the drive's effects of each settle before the next. Effects of
   * others get {@link PATIENCE} ms in all.
   * @param moveTo sets the clock to the next instant
   * @param settles false: effects go on by themselves, the next instant does not wait for them
   */
  drive(
    drive: AdvanceRun,
    limit: () => number,
    moveTo: (time: SandboxTime) => void | Promise<void>,
    tally?: RunCounts,
    settles?: boolean,
  ): Promise<void>
}

/**
 * ms on the machine's clock that one advance waits for work of others. A test that pays and then advances finds the first
 * attempt done, if its receiver is quick; a slow receiver of another test does not hold up the advance.
 */
const PATIENCE = 1000

export function createTimerRunner(
  ports: Pick<TimelinePorts, 'run' | 'onError' | 'systemClock'>,
  queue: DueQueue,
  clock: Clock,
  effects: InFlight,
  newSlice: () => TimeBudget,
): TimerRunner {
  const { systemClock } = ports

  function runDue(slice: TimeBudget, tally?: RunCounts, drive?: AdvanceRun): boolean {
    for (let timer = queue.peek(); timer !== undefined && timer.due <= clock.now(); timer = queue.peek()) {
      if (slice.isSpent()) return true
      queue.pop()
      if (tally !== undefined) {
        tally.steps++
        if (timer.kind === 'deliver') tally.deliveries++
      }
      const step = timer
      if (drive === undefined) run(step)
      else drive.step(step, () => run(step))
    }
    return false
  }

  function run(step: Timer): Effect | undefined {
    try {
      const work = ports.run(step)
      if (work === undefined) return undefined
      return effects.track(work, (error) => ports.onError(error, step), step.object_id)
    } catch (error) {
      ports.onError(error, step)
      return undefined
    }
  }

  /** Waits for everything in flight, at most `limit` ms. @returns how many ms it took */
  async function settle(limit: number): Promise<number> {
    const began = systemClock.monotonic()
    const timer = systemClock.setTimeout(effects.interrupt, limit)
    await effects.settled()
    timer.cancel()
    return systemClock.monotonic() - began
  }

  return {
    runDue,
    async drive(drive, limit, moveTo, tally, settles = true) {
      const slice = newSlice()
      let patience = PATIENCE
      while (!drive.ended) {
        if (slice.isSpent()) await slice.yield()
        else if (runDue(slice, tally, drive)) continue
        else if (settles && drive.own.count > 0) {
          await drive.own.settled()
          // What settled may have left follow-ups in the event loop.
          await slice.yield()
        } else if (settles && effects.count > 0 && patience > 0) {
          patience -= await settle(patience)
          await slice.yield()
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
