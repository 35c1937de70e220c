// Computes the sandbox's current time from the last state of its clock and from system time.
import type { ClockView } from '../client/clock-types.ts'
import type { KnownClock, Model } from './model.ts'

export function toKnownClock(
  { mode, speed, now }: Pick<ClockView, 'mode' | 'speed' | 'now'>,
  receivedAt: number,
): KnownClock {
  return { mode, speed, now: Date.parse(now), receivedAt }
}

/** Returns the sandbox's current time in ms since the Unix epoch. */
export function sandboxNow({ clock, now }: Pick<Model, 'clock' | 'now'>): number {
  if (clock === undefined) return now
  if (clock.mode === 'frozen') return clock.now
  return clock.now + (now - clock.receivedAt) * (clock.mode === 'scaled' ? clock.speed : 1)
}
