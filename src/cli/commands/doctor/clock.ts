// The sandbox's clock, which may be moved, and its machine's, which should not be.
import { formatDuration, parseInstant } from '../../../domain/time.ts'
import type { Session } from '../../session.ts'
import { type Found, ok, warn } from './checks-contract.ts'
import { healthOf } from './health.ts'
import { serverUrl } from './server-url.ts'

/** Seconds beyond which receivers refuse a signature. */
const TOLERANCE = 300

export async function checkClock(session: Session): Promise<Found> {
  const here = session.host.wall.now()
  const health = await healthOf(session, serverUrl(session)).catch(() => undefined)
  if (health === undefined) return ok('no server to compare with')
  const { now, clock, date, clock_ahead_ms: ahead = 0 } = health
  if (ahead / 1000 > TOLERANCE) {
    return warn(
      `the time of the server's machine was set back while it ran: the sandbox's clock is ${formatDuration(Math.round(ahead / 1000) * 1000)} ahead for it`,
      'Nothing breaks: what is due comes at its pace, with later dates. `psp store reset --all` begins again at the time of the machine.',
    )
  }
  const machines = date === undefined ? 0 : seconds(date, here)
  if (machines > TOLERANCE) {
    return warn(
      `the server's machine is ${machines} s away from this one: receivers here take its signatures for stale`,
      'Set both clocks by NTP; of a virtual machine or container, after it slept.',
    )
  }
  const skew = seconds(parseInstant(now) ?? Number.NaN, here)
  const mode = typeof clock === 'string' ? clock : clock.mode
  if (skew < 2) return ok(`the sandbox's clock is ${mode} and shows this machine's time`)
  const far = skew > TOLERANCE ? ' (signatures keep the real time, so receivers accept them)' : ''
  return ok(`the sandbox's clock is ${mode}, ${skew} s away from this machine's${far}`)
}

/** Whole seconds between two instants in ms. */
function seconds(one: number, other: number): number {
  return Math.round(Math.abs(one - other) / 1000)
}
