// Describes the clock of the sandbox. After an advance, a real clock is ahead of the system clock.
import { durationInWords } from './time.ts'

interface Clock {
  readonly mode: 'real' | 'frozen' | 'scaled'
  readonly speed: number
}

/** In ms. A smaller difference can be due to reading the two clocks at different moments. */
const SAME_TIME = 2000

export interface ClockDistance {
  /** `20 min` */
  readonly span: string
  readonly side: 'ahead' | 'behind'
}

/**
 * Returns how far a real clock is from the system clock, or `undefined` if it shows the same time or is not real.
 *
 * @param now time of the sandbox, ms
 * @param systemNow system time, ms
 */
export function clockDistance({ mode }: Clock, now: number, systemNow: number): ClockDistance | undefined {
  const ms = now - systemNow
  if (mode !== 'real' || !(Math.abs(ms) >= SAME_TIME)) return undefined
  return { span: durationInWords(Math.abs(ms)), side: ms > 0 ? 'ahead' : 'behind' }
}

/** Returns text such as `real, 20 min ahead of this machine`. */
export function describeRealClock(distance: ClockDistance | undefined): string {
  if (distance === undefined) return 'real'
  return `real, ${distance.span} ${distance.side === 'ahead' ? 'ahead of' : 'behind'} this machine`
}

/** Returns the predicate that follows `The clock`, such as `is frozen`. */
export function clockVerb(clock: Clock, now: number, systemNow: number): string {
  if (clock.mode === 'frozen') return 'is frozen'
  if (clock.mode === 'scaled') return `runs ${clock.speed} times as fast`
  return `is ${describeRealClock(clockDistance(clock, now, systemNow))}`
}
