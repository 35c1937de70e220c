import type { AdvanceReport, ClockView } from '../client/clock-types.ts'
import type { AdvanceBody, SimulatorOperations } from '../client/control-simulator.ts'

/** The clock of the sandbox, which all its shops share. Only a full reset, an import or a restore can set it back. */
export interface TestClock {
  get(): Promise<ClockView>
  now(): Promise<Date>
  /**
   * Runs every due step at its due time. Resolves when the webhook attempts that these steps started are over.
   * @param by a duration, `20m` or `1h30m`; or ms; or `{ to: '2026-05-06T12:00:00Z' }`; or `{ until: 'idle' }`
   */
  advance(by: string | number | AdvanceBody): Promise<AdvanceReport>
  /** Stops the clock, at the given later time if there is one. */
  freeze(at?: string | Date): Promise<ClockView>
  /** Continues at the speed of the system clock. */
  resume(): Promise<ClockView>
  /** Sets the speed: 60 is sixty times as fast as the system clock. */
  speed(factor: number): Promise<ClockView>
}

export function clockOf({ clock }: SimulatorOperations): TestClock {
  return {
    get: clock.get,
    now: async () => new Date((await clock.get()).now),
    advance: (by) => clock.advance(advanceBody(by)),
    freeze: (at) => clock.set({ mode: 'frozen', ...(at !== undefined && { now: instantText(at) }) }),
    resume: () => clock.set({ mode: 'real' }),
    speed: (speed) => clock.set({ mode: 'scaled', speed }),
  }
}

function advanceBody(by: string | number | AdvanceBody): AdvanceBody {
  if (typeof by === 'string') return { by }
  return typeof by === 'number' ? { by: `${by}ms` } : by
}

function instantText(at: string | Date): string {
  if (typeof at === 'string') return at
  if (at instanceof Date && !Number.isNaN(at.getTime())) return at.toISOString()
  throw new TypeError('freeze: expected an RFC 3339 time or a valid Date.')
}
