import type { AdvanceQueue } from './advance-queue.ts'
import { advanceGoal, type Clock, LAST_INSTANT } from './clock.ts'
import type { DueQueue } from './due-queue.ts'
import type { InFlight } from './in-flight.ts'
import type { PersistentClock } from './persistent-clock.ts'
import type { AdvanceRequest, AdvanceResult, Timeline } from './timeline-types.ts'
import type { TimerRunner } from './timer-runner.ts'

interface AdvancePorts {
  readonly queue: Pick<DueQueue, 'busy'>
  readonly clock: Pick<Clock, 'now'>
  readonly effects: Pick<InFlight, 'all'>
  readonly stepper: Pick<TimerRunner, 'drive'>
  readonly keeper: Pick<PersistentClock, 'holding' | 'moveTo'>
  readonly drives: Pick<AdvanceQueue, 'add'>
}

/** Creates `Timeline.advance`. */
export function createAdvance(ports: AdvancePorts): Timeline['advance'] {
  const { queue, clock, effects, stepper, drives } = ports
  const { holding, moveTo } = ports.keeper

  return (request: AdvanceRequest): Promise<AdvanceResult> =>
    drives.add((drive) =>
      holding(drive, async (from) => {
        const tally = { steps: 0, deliveries: 0 }
        if ('until' in request) {
          // Idle means that no attempt waits, whoever began it.
          for (const effect of effects.all()) drive.adopt(effect)
          await stepper.drive(drive, () => (queue.busy > 0 ? LAST_INSTANT : clock.now()), moveTo, tally)
          if (!drive.ended && queue.busy > 0) return { now: clock.now(), ...tally, never: queue.busy }
        } else {
          const goal = advanceGoal(request, from)
          await stepper.drive(drive, () => goal, moveTo, tally)
          if (!drive.ended && goal > clock.now()) await moveTo(goal)
        }
        return { now: clock.now(), ...tally }
      }),
    )
}
