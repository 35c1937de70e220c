// The server's own log on stdout: one line for each request it answered.
import { createClient } from '../../../client/client.ts'
import type { RequestView } from '../../../client/control-wire.ts'
import { follow } from '../../../client/follow.ts'
import type { Sandbox } from '../../../sandbox.ts'
import { fetchOf } from '../../open-sandbox.ts'
import { requestLine } from '../../request-line.ts'
import type { Session } from '../../session.ts'

export function followRequests(session: Session, sandbox: Sandbox): { stop(): void } {
  const { out, host, values } = session
  const controller = new AbortController()
  const client = createClient({
    fetch: fetchOf(sandbox),
    baseUrl: 'http://127.0.0.1',
    controlToken: values.control_token,
  })
  const messages = follow({
    connect: (lastEventId, signal) => client.control.stream({ lastEventId, signal }),
    timers: host.wall,
    signal: controller.signal,
  })
  print().catch((error: unknown) => {
    if (values.debug) out.failure(error)
  })
  return { stop: () => controller.abort() }

  async function print(): Promise<void> {
    for await (const { event, data } of messages) {
      if (event !== 'request') continue
      const { at, request } = JSON.parse(data) as { at: string; request: RequestView }
      if (out.json) out.document({ type: 'request', ...request, at: request.at ?? at })
      else out.line(requestLine(request, at, out.paint))
    }
  }
}
