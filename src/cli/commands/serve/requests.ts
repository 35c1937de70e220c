// Prints the log of the server on stdout: one line per request.
import { createClient } from '../../../client/client.ts'
import type { EventView } from '../../../client/control-types.ts'
import { follow } from '../../../client/follow.ts'
import type { RequestView } from '../../../client/request-types.ts'
import type { Sandbox } from '../../../sandbox.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import { fetchOf } from '../../local/open-sandbox.ts'
import { requestLine } from '../../output/request-line.ts'
import type { Session } from '../../session.ts'
import type { Reach } from './reach.ts'

export function followRequests(session: Session, sandbox: Sandbox, reach: Reach): { stop(): void } {
  const { out, host, values } = session
  const controller = new AbortController()
  const client = createClient({
    fetch: fetchOf(sandbox),
    baseUrl: 'http://127.0.0.1',
    controlToken: values.control_token,
  })
  const messages = follow({
    connect: (lastEventId, signal) => client.control.stream({ lastEventId, signal }),
    timers: host.systemClock,
    signal: controller.signal,
  })
  print().catch((error: unknown) => {
    if (values.debug) out.failure(error)
  })
  return { stop: () => controller.abort() }

  async function print(): Promise<void> {
    let noted = false
    for await (const { event, data } of messages) {
      if (event === 'event' && !noted) noted = await noteNoReceiver((JSON.parse(data) as { event: EventView }).event)
      if (event !== 'request') continue
      const { at: seen, request } = JSON.parse(data) as { at: string; request: RequestView }
      if (out.json) out.document({ type: 'request', ...request, at: request.at ?? seen })
      else out.line(requestLine(request, seen, out.paint, out.columns))
    }
  }

  /** Prints the note only once, because a shop that polls its payments needs no webhooks. */
  async function noteNoReceiver({ id, event: name }: EventView): Promise<boolean> {
    const { items } = await client.control.deliveries.list({ event_id: id, limit: 1 })
    if (items.length > 0) return false
    const listen = reach.control?.('listen --forward localhost:3000/hooks')
    const way = `${listen === undefined ? '' : `\`${listen}\` or `}--endpoint`
    out.note(out.notePaint.dim(`${sanitizeLine(name)} has no receiver. To receive webhooks, use ${way}.`))
    return true
  }
}
