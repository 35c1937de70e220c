// Warns once for each receiver that may delay `clock advance`.
import type { Client } from '../../../client/client.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { Session } from '../../session.ts'

/** ms between two checks. An attempt that both find is slow. */
const CHECK_INTERVAL = 1000

export function remarkWaits(client: Client, { host, out }: Session): { stop(): void } {
  const named = new Set<string>()
  let before = new Set<string>()
  let stopped = false
  let timer = host.systemClock.setTimeout(look, CHECK_INTERVAL)

  async function look(): Promise<void> {
    const page = await client.control.deliveries.list({ status: 'sending', limit: 20 }).catch(() => undefined)
    if (stopped) return
    const seen = new Set<string>()
    for (const { id, url, attempts } of page?.items ?? []) {
      const attempt = `${id} ${attempts.length}`
      seen.add(attempt)
      if (named.has(url) || !before.has(attempt)) continue
      named.add(url)
      const rule = 'The command waits for each attempt that it started, at most webhook_timeout (default 15s).'
      out.note(out.notePaint.dim(`${sanitizeLine(url)} has not responded yet. ${rule}`))
    }
    before = seen
    timer = host.systemClock.setTimeout(look, CHECK_INTERVAL)
  }

  return {
    stop() {
      stopped = true
      timer.cancel()
    },
  }
}
