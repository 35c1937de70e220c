import type { AdvanceQueue } from './advance-queue.ts'
import type { Clock } from './clock.ts'
import type { DueQueue } from './due-queue.ts'
import type { PersistentClock } from './persistent-clock.ts'
import type { RealtimeLoop } from './realtime-loop.ts'
import type { Timeline } from './timeline-types.ts'

interface TakeoverPorts {
  readonly queue: DueQueue
  readonly clock: Clock
  readonly keeper: Pick<PersistentClock, 'adopt'>
  readonly drives: AdvanceQueue
  readonly flow: RealtimeLoop
  /** Looks again at what is due. */
  flowAgain(): void
}

/** Timers and a clock that a reset, an import or a restore brings. */
export function createTakeover(ports: TakeoverPorts): Pick<Timeline, 'abandon' | 'adopt' | 'follow'> {
  const { queue, clock, keeper, drives, flow, flowAgain } = ports
  return {
    abandon() {
      queue.clear()
      if (!drives.started()) return
      drives.abandon()
      clock.release()
      flowAgain()
      flow.onSettled()
    },
    adopt(timers) {
      queue.become(timers.queue)
      flow.onSettled()
      if (drives.flowing()) flowAgain()
      else drives.interrupt()
    },
    follow(row) {
      if (!keeper.adopt(row)) return
      drives.abandon()
      clock.replace(row)
      flowAgain()
    },
  }
}
