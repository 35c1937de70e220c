// Explains an empty result of `--since`, which uses the clock of the sandbox and not that of the machine.
import type { Client } from '../../client/client.ts'
import { formatUtc } from '../../terminal/time-format.ts'
import type { Output } from './output.ts'

/** Prints a note on stderr if nothing matches `--since`. */
export async function noteSince(client: Client, out: Output): Promise<void> {
  const { now } = await client.control.clock.get()
  const [newest] = (await client.control.events.list({ limit: 1 })).items
  const last =
    newest === undefined ? 'There is no event yet.' : `The newest event was at ${formatUtc(newest.created_at)}.`
  out.note(out.notePaint.dim(`--since counts the sandbox's time, which is now ${formatUtc(now)}. ${last}`))
}
