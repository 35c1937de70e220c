// A create whose answer gets lost can be asked for again, and makes no second object: each has an Idempotency-Key (spec 5.7),
// of its own where the user gave none.
import { systemRandomness } from '../../time/randomness.ts'
import type { Session } from '../session.ts'

/** A dry run shows what the user asked for, and no key that changes each time. */
export function createKey(given: string | undefined, { rehearsal }: Pick<Session, 'rehearsal'>): string | undefined {
  if (given !== undefined || rehearsal !== undefined) return given
  return `psp-${systemRandomness().uuid()}`
}
