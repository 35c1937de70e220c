// Checks the clock of the sandbox, which may be moved, and that of its machine, which should not be.
import { durationInWords, parseInstant } from '../../../domain/time.ts'
import type { Session } from '../../session.ts'
import { type Found, ok, warn } from './checks-contract.ts'
import { healthOf, isForeign } from './health.ts'
import { serverUrl } from './server-url.ts'

/** Receivers reject a signature whose time differs by more than this, in ms. */
const TOLERANCE = 300_000
/** Allowance for the time of the request, in ms. */
const SAME_TIME = 2000

export async function checkClock(session: Session): Promise<Found> {
  const here = session.host.systemClock.now()
  const health = await healthOf(session, serverUrl(session)).catch(() => undefined)
  if (health === undefined || isForeign(session, health)) return ok('no server to compare with')
  const { now, clock, date, clock_ahead_ms: ahead = 0 } = health
  if (ahead > TOLERANCE) {
    return warn(
      `the clock of the server machine was set back while the server ran, so the sandbox clock is ${durationInWords(ahead)} ahead`,
      'This is harmless: steps run on time, with later dates. `psp store reset --all` returns to the time of the machine.',
    )
  }
  const machines = date === undefined ? 0 : Math.abs(date - here)
  if (machines > TOLERANCE) {
    return warn(
      `the server's machine is ${durationInWords(machines)} away from this one, so receivers here reject its signatures as stale`,
      'Synchronize both clocks with NTP. A virtual machine may need this after it was suspended.',
    )
  }
  if (now === undefined || clock === undefined) return ok('the server reports its clock only with its control token')
  const skew = Math.abs((parseInstant(now) ?? Number.NaN) - here)
  const mode = typeof clock === 'string' ? clock : clock.mode
  if (skew < SAME_TIME) return ok(`the sandbox's clock is ${mode} and shows this machine's time`)
  const far = skew > TOLERANCE ? ' (signatures keep the real time, so receivers accept them)' : ''
  return ok(`the sandbox's clock is ${mode}, ${durationInWords(skew)} away from this machine's${far}`)
}
