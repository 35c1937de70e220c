import type { SandboxTime } from '../domain/time.ts'
import type { Timer } from '../engine/tables.ts'
import type { AdvanceRun } from './advance-run.ts'
import type { Clock } from './clock.ts'
import type { DueQueue } from './due-queue.ts'
import type { Effect, InFlight } from './in-flight.ts'
import { createTimeBudget, type TimeBudget } from './time-budget.ts'
import type { TimelinePorts } from './timeline-types.ts'

/** The number of timers that ran, and of webhook attempts among them. */
export interface RunCounts {
  steps: number
  deliveries: number
}

export interface TimerRunner {
  /** Runs the timers that are due now, in order, until the budget is spent. Returns true if it was spent. */
  runDue(budget: TimeBudget, counts?: RunCounts, advance?: AdvanceRun): boolean
  /**
   * Runs all timers that are due up to `limit()`. Awaits the effects of the advance before the clock moves to the next
   * due time. Waits at most {@link LONGEST_WAIT_FOR_OTHERS} ms in total for other effects.
   * @param moveTo sets the clock to the next due time
   * @param awaitsEffects whether effects are awaited; default: true
   */
  runUntil(
    advance: AdvanceRun,
    limit: () => number,
    moveTo: (time: SandboxTime) => void | Promise<void>,
    counts?: RunCounts,
    awaitsEffects?: boolean,
  ): Promise<void>
}

/**
 * The longest time that an advance waits for the effects of other work, in ms of system time. It is long enough for the
 * first attempt to a fast receiver, and short enough that a slow receiver of another test does not matter.
 */
const LONGEST_WAIT_FOR_OTHERS = 1000

export function createTimerRunner(
  ports: Pick<TimelinePorts, 'run' | 'onError' | 'systemClock'>,
  queue: DueQueue,
  clock: Clock,
  effects: InFlight,
): TimerRunner {
  const { systemClock } = ports

  function runDue(budget: TimeBudget, counts?: RunCounts, advance?: AdvanceRun): boolean {
    for (let timer = queue.peek(); timer !== undefined && timer.due <= clock.now(); timer = queue.peek()) {
      if (budget.isSpent()) return true
      queue.pop()
      if (counts !== undefined) {
        counts.steps++
        if (timer.kind === 'deliver') counts.deliveries++
      }
      const step = timer
      if (advance === undefined) run(step)
      else advance.runTimer(step, () => run(step))
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

  /** Waits until nothing is in flight, but at most `limit` ms. Returns how long it waited, in ms. */
  async function settle(limit: number): Promise<number> {
    const began = systemClock.monotonic()
    const timer = systemClock.setTimeout(effects.interrupt, limit)
    await effects.settled()
    timer.cancel()
    return systemClock.monotonic() - began
  }

  return {
    runDue,
    async runUntil(advance, limit, moveTo, counts, awaitsEffects = true) {
      const budget = createTimeBudget(systemClock)
      let waitLeft = LONGEST_WAIT_FOR_OTHERS
      while (!advance.ended) {
        if (budget.isSpent()) await budget.yield()
        else if (runDue(budget, counts, advance)) continue
        else if (awaitsEffects && advance.ownEffects.count > 0) {
          await advance.ownEffects.settled()
          // Settled effects may have follow-up work in the event loop.
          await budget.yield()
        } else if (awaitsEffects && effects.count > 0 && waitLeft > 0) {
          waitLeft -= await settle(waitLeft)
          await budget.yield()
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
