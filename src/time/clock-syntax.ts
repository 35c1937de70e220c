// The notation of a clock, on the command line and in tests.
import { parseInstant, type SandboxTime } from '../domain/time.ts'
import type { ClockRequest } from './clock.ts'

/** Returns `undefined` if the text is not one of {@link CLOCK_FORMS}. */
export function parseClock(text: string): ClockRequest | undefined {
  if (text === 'real') return { mode: 'real' }
  if (text === 'frozen') return { mode: 'frozen' }
  const at = /^frozen@(.+)$/.exec(text)?.[1]
  const now = at === undefined ? undefined : parseInstant(at)
  if (now !== undefined) return { mode: 'frozen', now: now as SandboxTime }
  const speed = Number(/^x(\d+(?:\.\d+)?)$/.exec(text)?.[1] ?? Number.NaN)
  return speed > 0 ? { mode: 'scaled', speed } : undefined
}

export const CLOCK_FORMS = 'real, frozen, frozen@2026-05-06T12:00:00Z, or x60 for sixty times normal speed'
