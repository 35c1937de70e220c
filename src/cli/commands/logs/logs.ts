import type { Client } from '../../../client/client.ts'
import type { RequestView } from '../../../client/control-wire.ts'
import { follow } from '../../../client/follow.ts'
import type { NoArguments, Run } from '../../command.ts'
import type { FlagValues } from '../../flags.ts'
import { plainBlock } from '../../plain-text.ts'
import { requestLine } from '../../request-line.ts'
import type { Session } from '../../session.ts'
import type { LOGS_FLAGS } from './flags.ts'

type Flags = FlagValues<typeof LOGS_FLAGS>

/** Oldest first, as in a file that grows. */
export const run: Run<NoArguments, typeof LOGS_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target(flags.follow ? 'none' : 'folder')
  let last = ''
  const show = (request: RequestView) => {
    // Numbers begin anew with each start of the server; times do not.
    const mark = `${request.at} ${String(request.id).padStart(15, '0')}`
    if (mark <= last) return
    last = mark
    print(session, request, flags.show_body)
  }
  const { status, method, path, limit } = flags
  const page = await client.control.requests({ status, method, path, limit })
  if (session.out.json && !flags.follow) {
    session.out.document(page)
    return 0
  }
  for (const request of [...page.items].reverse()) show(request)
  if (flags.follow) await followRequests(client, flags, session, show)
  else if (page.items.length === 0)
    session.out.note('No requests. They are kept while a server runs; filters may leave none.')
  return 0
}

async function followRequests(
  client: Client,
  flags: Flags,
  { host, signals, out }: Session,
  show: (request: RequestView) => void,
): Promise<void> {
  const messages = follow({
    connect: (lastEventId, signal) => client.control.stream({ lastEventId, signal }),
    timers: host.wall,
    signal: signals.ended,
    onState: (state) => {
      if (state.state === 'lost') out.warn(`Connection lost (${state.reason}). Trying again.`)
    },
  })
  for await (const { event } of messages) {
    if (event !== 'request') continue
    // The stream holds no bodies and knows no filters; the log does.
    const { status, method, path } = flags
    const page = await client.control.requests({ status, method, path, limit: 100 })
    for (const request of [...page.items].reverse()) show(request)
  }
}

function print({ out }: Session, request: RequestView, bodies: boolean): void {
  if (out.json) {
    out.document(request)
    return
  }
  out.line(requestLine(request, request.at ?? '', out.paint))
  if (!bodies) return
  for (const [arrow, text] of [
    ['>', request.request?.body],
    ['<', request.response?.body],
  ] as const) {
    if (text) for (const line of plainBlock(text).split('\n')) out.line(`  ${arrow} ${line}`)
  }
}
