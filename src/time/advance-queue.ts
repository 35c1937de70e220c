import { refuse } from '../domain/errors.ts'
import type { Timer } from '../engine/tables.ts'
import { createDrive, type Drive } from './advance-run.ts'
import type { Effects } from './in-flight.ts'
import { createJobLine } from './serial-queue.ts'
import { TimelineStopped } from './timeline-types.ts'

/** What moves the clock, one after the other; between them time goes on by itself, from `begin` to `stop`. */
export interface Drives {
  started(): boolean
  stopped(): boolean
  /** No drive runs or waits: while one does, it alone takes steps. */
  flowing(): boolean
  /** The first drive. Once only. */
  begin(work: (drive: Drive) => Promise<void>): Promise<void>
  /** @throws TimelineStopped if the timeline stops first, Refusal sandbox_reset if `abandon` is called first */
  add<R>(work: (drive: Drive) => Promise<R>): Promise<R>
  /** Others, or the drive that runs, armed a timer. */
  armed(timer: Timer): void
  /** The drive that runs stops waiting, and looks at what is due. */
  interrupt(): void
  /** Drives that run or wait take no further step, and reject. */
  abandon(): void
  stop(): void
}

/** @param done called after each drive, before its caller goes on */
export function createDrives(effects: Pick<Effects, 'interrupt'>, done: () => void): Drives {
  const line = createJobLine(done)
  let phase: 'new' | 'started' | 'stopped' = 'new'
  let current = createDrive(true)
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
        current = createDrive(stopped())
        return work(current)
      })
    },
    add(work) {
      if (phase === 'new') return Promise.reject(new Error('The timeline was not started: call start() first.'))
      const before = abandoned
      const requireCurrent = () => {
        if (stopped()) throw new TimelineStopped()
        if (abandoned !== before) throw refuse('sandbox_reset')
      }
      return line.add(async () => {
        requireCurrent()
        current = createDrive()
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
