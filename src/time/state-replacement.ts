import type { AdvanceQueue } from './advance-queue.ts'
import type { Clock } from './clock.ts'
import type { DueQueue } from './due-queue.ts'
import type { PersistentClock } from './persistent-clock.ts'
import type { RealtimeLoop } from './realtime-loop.ts'
import type { Timeline } from './timeline-types.ts'

interface StateReplacementPorts {
  readonly queue: DueQueue
  readonly clock: Clock
  readonly persistentClock: Pick<PersistentClock, 'accept'>
  readonly advances: AdvanceQueue
  readonly realtimeLoop: RealtimeLoop
  /** Checks for due timers again. */
  resumeLoop(): void
}

/** Creates the operations by which a reset, an import or a restore replaces the timers and the clock. */
export function createStateReplacement(
  ports: StateReplacementPorts,
): Pick<Timeline, 'abandon' | 'adopt' | 'restoreClock'> {
  const { queue, clock, persistentClock, advances, realtimeLoop, resumeLoop } = ports
  return {
    abandon() {
      queue.clear()
      if (!advances.hasStarted()) return
      advances.abandon()
      clock.release()
      resumeLoop()
      realtimeLoop.onSettled()
    },
    adopt(timers) {
      queue.takeOver(timers.queue)
      realtimeLoop.onSettled()
      if (advances.isIdle()) resumeLoop()
      else advances.interrupt()
    },
    restoreClock(row) {
      if (!persistentClock.accept(row)) return
      advances.abandon()
      clock.replace(row)
      resumeLoop()
    },
  }
}
