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
  readonly timerRunner: Pick<TimerRunner, 'runUntil'>
  readonly persistentClock: Pick<PersistentClock, 'whileHeld' | 'moveTo'>
  readonly advances: Pick<AdvanceQueue, 'add'>
}

/** Creates `Timeline.advance`. */
export function createAdvance(ports: AdvancePorts): Timeline['advance'] {
  const { queue, clock, effects, timerRunner, advances } = ports
  const { whileHeld, moveTo } = ports.persistentClock

  return (request: AdvanceRequest): Promise<AdvanceResult> =>
    advances.add((advance) =>
      whileHeld(advance, async (from) => {
        const counts = { steps: 0, deliveries: 0 }
        if ('until' in request) {
          // The sandbox is idle only if no attempt is in flight, including those started earlier.
          for (const effect of effects.all()) advance.adopt(effect)
          await timerRunner.runUntil(advance, () => (queue.busy > 0 ? LAST_INSTANT : clock.now()), moveTo, counts)
          if (queue.busy > 0) return { now: clock.now(), ...counts, never: queue.busy }
        } else {
          const goal = advanceGoal(request, from)
          await timerRunner.runUntil(advance, () => goal, moveTo, counts)
          if (!advance.ended && goal > clock.now()) await moveTo(goal)
        }
        return { now: clock.now(), ...counts }
      }),
    )
}
