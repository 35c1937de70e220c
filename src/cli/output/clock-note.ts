// Says which clock the printed times are from, if the two clocks differ.
import type { Client } from '../../client/client.ts'
import { clockVerb } from '../../domain/clock-description.ts'
import { formatUtc } from '../../terminal/time-format.ts'
import type { Session } from '../session.ts'

/** Clocks that differ by less than this many ms count as equal. */
const SAME_TIME = 60_000

/** Prints a note on stderr if the clock of the sandbox differs from that of the machine. */
export async function noteClock(client: Client, { host, out }: Session, shown: 'sandbox' | 'machine'): Promise<void> {
  if (out.quiet || out.json) return
  const clock = await client.control.clock.get().catch(() => undefined)
  if (clock === undefined) return
  const [now, machine] = [Date.parse(clock.now), host.systemClock.now()]
  if (clock.mode === 'real' && Math.abs(now - machine) < SAME_TIME) return
  const whose = shown === 'sandbox' ? "the sandbox's" : "this machine's"
  out.note(
    out.notePaint.dim(
      `Times are ${whose}. The sandbox's clock ${clockVerb(clock, now, machine)}: ${formatUtc(clock.now)}.`,
    ),
  )
}
