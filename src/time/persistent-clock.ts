import type { SandboxTime } from '../domain/time.ts'
import type { ClockRow } from '../engine/tables.ts'
import type { AdvanceRun } from './advance-run.ts'
import type { Clock } from './clock.ts'
import type { TimelinePorts } from './timeline-types.ts'

/** Moves the clock. Each change is stored before it takes effect. */
export interface PersistentClock {
  /** Holds the clock while `work` moves it. Afterwards time continues from the time that was reached. */
  whileHeld<R>(advance: AdvanceRun, work: (from: SandboxTime) => Promise<R>): Promise<R>
  moveTo(time: SandboxTime): Promise<void>
  /** Stores and applies a clock. Resolves to false if another clock was accepted during the write. */
  save(row: ClockRow): Promise<boolean>
  /** Accepts a clock that another command stored. Returns false if it equals the last stored clock. */
  accept(row: ClockRow): boolean
}

export function createPersistentClock(ports: Pick<TimelinePorts, 'clock' | 'save'>, clock: Clock): PersistentClock {
  let stored = ports.clock
  /** The advance that holds the clock. */
  let holder: AdvanceRun | undefined

  async function whileHeld<R>(advance: AdvanceRun, work: (from: SandboxTime) => Promise<R>): Promise<R> {
    const from = clock.now()
    clock.hold(from)
    holder = advance
    try {
      const result = await work(from)
      if (!advance.ended && clock.now() > from && clock.row().mode !== 'frozen') await moveTo(clock.now())
      return result
    } finally {
      holder = undefined
      if (!advance.ended) clock.release()
    }
  }

  async function moveTo(time: SandboxTime): Promise<void> {
    if ((await save(clock.row(time))) && holder?.ended === false) clock.hold(time)
  }

  async function save(row: ClockRow): Promise<boolean> {
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

  function accept(row: ClockRow): boolean {
    if (isSame(row, stored)) return false
    stored = row
    return true
  }

  return { whileHeld, moveTo, save, accept }
}

function isSame(a: ClockRow, b: ClockRow): boolean {
  return a.mode === b.mode && a.speed === b.speed && a.virtual === b.virtual && a.wall === b.wall
}
