// Why nothing may have happened since a time: it counts on the sandbox's clock, which may be far from the machine's.
import type { Client } from '../../client/client.ts'
import { formatUtc } from '../../terminal/time-format.ts'
import type { Output } from './output.ts'

/** A remark on stderr, where `--since` left nothing. */
export async function noteSince(client: Client, out: Output): Promise<void> {
  const { now } = await client.control.clock.get()
  const [newest] = (await client.control.events.list({ limit: 1 })).items
  const last =
    newest === undefined ? 'There is no event yet.' : `The newest event was at ${formatUtc(newest.created_at)}.`
  out.note(out.notePaint.dim(`--since counts the sandbox's time, which is now ${formatUtc(now)}. ${last}`))
}
