// The sandbox's time, from what it last said and the machine's clock.
import type { ClockView } from '../../client/control-wire.ts'
import type { KnownClock, State } from './state.ts'

export function knownClock({ mode, speed, now }: Pick<ClockView, 'mode' | 'speed' | 'now'>, told: number): KnownClock {
  return { mode, speed, now: Date.parse(now), told }
}

/** ms since the Unix epoch on the sandbox's clock. */
export function virtualNow({ clock, now }: Pick<State, 'clock' | 'now'>): number {
  if (clock === undefined) return now
  if (clock.mode === 'frozen') return clock.now
  return clock.now + (now - clock.told) * (clock.mode === 'scaled' ? clock.speed : 1)
}
