import { refuse } from '../domain/errors.ts'
import type { Timer } from '../engine/tables.ts'
import { type AdvanceRun, createAdvanceRun } from './advance-run.ts'
import type { InFlight } from './in-flight.ts'
import { createSerialQueue } from './serial-queue.ts'
import { TimelineStoppedError } from './timeline-types.ts'

/** What moves the clock, one after the other; between them time goes on by itself, from `begin` to `stop`. */
export interface AdvanceQueue {
  started(): boolean
  stopped(): boolean
  /** No drive runs or waits: while one does, it alone takes steps. */
  flowing(): boolean
  /** The first drive. Once only. */
  begin(work: (drive: AdvanceRun) => Promise<void>): Promise<void>
  /** @throws TimelineStoppedError if the timeline stops first, RefusalError sandbox_reset if `abandon` is called first */
  add<R>(work: (drive: AdvanceRun) => Promise<R>): Promise<R>
  /** Others, or the drive that runs, armed a timer. */
  armed(timer: Timer): void
  /** The drive that runs stops waiting, and looks at what is due. */
  interrupt(): void
  /** Drives that run or wait take no further step, and reject. */
  abandon(): void
  stop(): void
}

/** @param done called after each drive, before its caller goes on */
export function createAdvanceQueue(effects: Pick<InFlight, 'interrupt'>, done: () => void): AdvanceQueue {
  const line = createSerialQueue(done)
  let phase: 'new' | 'started' | 'stopped' = 'new'
  let current = createAdvanceRun(true)
  /** How many times `abandon` was called. */
  let abandoned = 0
  const stopped = () => phase === 'stopped'

  function interrupt(): void {
    current.interrupt()
    effects.interrupt()
  }

  function end(): void {
    current.end()
    interrupt()
  }

  return {
    started: () => phase === 'started',
    stopped,
    flowing: () => phase === 'started' && line.length === 0,
    begin(work) {
      if (phase !== 'new') return Promise.reject(new Error('A timeline starts once.'))
      phase = 'started'
      return line.add(() => {
        current = createAdvanceRun(stopped())
        return work(current)
      })
    },
    add(work) {
      if (phase === 'new') return Promise.reject(new Error('The timeline was not started: call start() first.'))
      const before = abandoned
      const requireCurrent = () => {
        if (stopped()) throw new TimelineStoppedError()
        if (abandoned !== before) throw refuse('sandbox_reset')
      }
      return line.add(async () => {
        requireCurrent()
        current = createAdvanceRun()
        const result = await work(current)
        requireCurrent()
        return result
      })
    },
    armed: (timer) => current.armed(timer),
    interrupt,
    abandon() {
      abandoned++
      end()
    },
    stop() {
      phase = 'stopped'
      end()
    },
  }
}
