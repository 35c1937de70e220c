// Every create has an Idempotency-Key (spec 5.7), so that it can be repeated safely if its response is lost.
import { systemRandomness } from '../../time/random.ts'
import type { Session } from '../session.ts'

/** Generates a key if none is given. A dry run shows only what the user gave, so its output stays the same. */
export function createKey(given: string | undefined, { dryRun }: Pick<Session, 'dryRun'>): string | undefined {
  if (given !== undefined || dryRun !== undefined) return given
  return `psp-${systemRandomness().uuid()}`
}
