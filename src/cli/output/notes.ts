// Notes on stderr about clocks and lost connections.
import type { Client } from '../../client/client.ts'
import type { StreamState } from '../../client/follow.ts'
import { clockVerb } from '../../domain/clock-description.ts'
import { formatUtc } from '../../domain/time-text.ts'
import type { Session } from '../session.ts'
import type { Output } from './output.ts'

/** Clocks that differ by less than this many ms count as equal. */
export const CLOCK_TOLERANCE = 60_000

/**
 * Prints a note if the sandbox's clock differs from the system clock, or does not run at its speed.
 * @param shown the clock whose times the command prints
 */
export async function noteClock(client: Client, { host, out }: Session, shown: 'sandbox' | 'machine'): Promise<void> {
  if (out.quiet || out.json) return
  const clock = await client.control.clock.get().catch(() => undefined)
  if (clock === undefined) return
  const [now, machine] = [Date.parse(clock.now), host.systemClock.now()]
  if (clock.mode === 'real' && Math.abs(now - machine) < CLOCK_TOLERANCE) return
  const whose = shown === 'sandbox' ? "the sandbox's" : "this machine's"
  out.note(
    out.notePaint.dim(
      `Times are ${whose}. The sandbox's clock ${clockVerb(clock, now, machine)}: ${formatUtc(clock.now)}.`,
    ),
  )
}

/** Explains an empty result of `--since`, which uses the sandbox's clock and not the system clock. */
export async function noteSince(client: Client, out: Output): Promise<void> {
  const { now } = await client.control.clock.get()
  const [newest] = (await client.control.events.list({ limit: 1 })).items
  const last =
    newest === undefined ? 'There is no event yet.' : `The newest event was at ${formatUtc(newest.created_at)}.`
  out.note(out.notePaint.dim(`--since counts the sandbox's time, which is now ${formatUtc(now)}. ${last}`))
}

/** Warns once for each lost connection. With `--json`, stderr contains only errors. */
export function warnConnectionLost({ out }: Session): (state: StreamState) => void {
  let warned = false
  return (state) => {
    if (state.state === 'lost' && !warned && !out.json) out.warn(`Connection lost (${state.reason}). Reconnecting.`)
    warned = state.state === 'lost'
  }
}
