// Whose time the lines of a command show, where that makes a difference.
import type { Client } from '../../client/client.ts'
import { clockVerb } from '../../domain/clock-words.ts'
import { formatUtc } from '../../terminal/time-format.ts'
import type { Session } from '../session.ts'

/** ms between the two clocks that count as none. */
const SAME_TIME = 60_000

/** A remark on stderr where the sandbox's clock is not the machine's; nothing where it cannot be asked. */
export async function noteClock(client: Client, { host, out }: Session, shown: 'sandbox' | 'machine'): Promise<void> {
  if (out.quiet || out.json) return
  const clock = await client.control.clock.get().catch(() => undefined)
  if (clock === undefined) return
  const [now, machine] = [Date.parse(clock.now), host.wall.now()]
  if (clock.mode === 'real' && Math.abs(now - machine) < SAME_TIME) return
  const whose = shown === 'sandbox' ? "the sandbox's" : "this machine's"
  out.note(
    out.notePaint.dim(
      `Times are ${whose}. The sandbox's clock ${clockVerb(clock, now, machine)}: ${formatUtc(clock.now)}.`,
    ),
  )
}
