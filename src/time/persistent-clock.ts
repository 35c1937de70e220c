import type { SandboxTime } from '../domain/time.ts'
import type { AdvanceRun } from './advance-run.ts'
import type { Clock, ClockRow } from './clock.ts'
import type { TimelinePorts } from './timeline-types.ts'

/** Moves the clock and has each of its changes stored before it counts. */
export interface PersistentClock {
  /** Holds the clock where it is while `work` moves it; afterwards time goes on from there. */
  holding<R>(drive: AdvanceRun, work: (from: SandboxTime) => Promise<R>): Promise<R>
  moveTo(time: SandboxTime): Promise<void>
  /** False when another clock took over while this one was being stored. */
  change(row: ClockRow): Promise<boolean>
  /** Takes a clock that was stored by somebody else; false where it is the one that is known. */
  adopt(row: ClockRow): boolean
}

export function createPersistentClock(ports: Pick<TimelinePorts, 'clock' | 'save'>, clock: Clock): PersistentClock {
  let stored = ports.clock
  /** The drive that holds the clock. */
  let holder: AdvanceRun | undefined

  async function holding<R>(drive: AdvanceRun, work: (from: SandboxTime) => Promise<R>): Promise<R> {
    const from = clock.now()
    clock.hold(from)
    holder = drive
    try {
      const result = await work(from)
      if (!drive.ended && clock.now() > from && clock.row().mode !== 'frozen') await moveTo(clock.now())
      return result
    } finally {
      holder = undefined
      if (!drive.ended) clock.release()
    }
  }

  async function moveTo(time: SandboxTime): Promise<void> {
    if ((await change(clock.row(time))) && holder?.ended === false) clock.hold(time)
  }

  async function change(row: ClockRow): Promise<boolean> {
    const before = stored
    stored = row
    try {
      await ports.save(row)
    } catch (error) {
      if (stored === row) stored = before
      throw error
    }
    if (stored !== row) return false
    clock.replace(row)
    return true
  }

  function adopt(row: ClockRow): boolean {
    if (isSame(row, stored)) return false
    stored = row
    return true
  }

  return { holding, moveTo, change, adopt }
}

function isSame(a: ClockRow, b: ClockRow): boolean {
  return a.mode === b.mode && a.speed === b.speed && a.virtual === b.virtual && a.wall === b.wall
}
