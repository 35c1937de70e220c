// Time moves on when a webhook's attempt is over: who keeps it waiting is named, once each.
import type { Client } from '../../../client/client.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { Session } from '../../session.ts'

/** ms between two looks. An attempt that is there at both is a slow one. */
const PATIENCE = 1000

export function remarkWaits(client: Client, { host, out }: Session): { stop(): void } {
  const named = new Set<string>()
  let before = new Set<string>()
  let stopped = false
  let timer = host.wall.setTimeout(look, PATIENCE)

  async function look(): Promise<void> {
    const page = await client.control.deliveries.list({ status: 'sending', limit: 20 }).catch(() => undefined)
    if (stopped) return
    const seen = new Set<string>()
    for (const { id, url, attempts } of page?.items ?? []) {
      const attempt = `${id} ${attempts.length}`
      seen.add(attempt)
      if (named.has(url) || !before.has(attempt)) continue
      named.add(url)
      const limit = 'each attempt may take up to webhook_timeout (15s where it is not set)'
      out.note(out.notePaint.dim(`Waiting for ${sanitizeLine(url)} to answer: ${limit}.`))
    }
    before = seen
    timer = host.wall.setTimeout(look, PATIENCE)
  }

  return {
    stop() {
      stopped = true
      timer.cancel()
    },
  }
}
