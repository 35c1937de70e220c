import type { Client } from '../../../client/client.ts'
import { follow } from '../../../client/follow.ts'
import type { RequestView } from '../../../client/request-types.ts'
import { unlessAborted } from '../../../domain/promises.ts'
import { sanitizeText } from '../../../terminal/sanitize.ts'
import type { NoArguments, Run } from '../../command.ts'
import { EXIT_CODES } from '../../failure.ts'
import { requestLine, wholeLines } from '../../output/lines.ts'
import { noteClock, warnConnectionLost } from '../../output/notes.ts'
import { printJsonPage } from '../../output/table.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import type { LOGS_FLAGS } from '../logs.ts'

type Flags = FlagValues<typeof LOGS_FLAGS>

export const run: Run<NoArguments, typeof LOGS_FLAGS> = async ({ flags, session }) => {
  await unlessAborted(printLog(flags, session), session.signals.ended)
  return EXIT_CODES.done
}

/** Prints requests oldest first, like a log file. */
async function printLog(flags: Flags, session: Session): Promise<void> {
  const { client } = await session.target(flags.follow ? 'none' : 'read')
  let last = ''
  const show = (request: RequestView) => {
    // Request ids restart with each start of the server, but times do not.
    const position = `${request.at} ${String(request.id).padStart(15, '0')}`
    if (position <= last) return
    last = position
    print(session, request, flags.show_body)
  }
  const { status, method, path, limit } = flags
  const page = await client.control.requests({ status, method, path, limit })
  if (session.out.json && !flags.follow) {
    printJsonPage(session.out, { ...page, items: page.items.map((request) => fieldsToShow(request, flags.show_body)) })
    return
  }
  if (page.items.length > 0 || flags.follow) await noteClock(client, session, 'machine')
  for (const request of [...page.items].reverse()) show(request)
  if (flags.follow) await followRequests(client, flags, session, show)
  else if (page.items.length === 0) session.out.note('No requests were found. Only a running server has a log.')
}

async function followRequests(
  client: Client,
  flags: Flags,
  session: Session,
  show: (request: RequestView) => void,
): Promise<void> {
  const messages = follow({
    connect: (lastEventId, signal) => client.control.stream({ lastEventId, signal }),
    timers: session.host.systemClock,
    signal: session.signals.ended,
    onState: warnConnectionLost(session),
  })
  const { status, method, path } = flags
  let newestId = 0
  for await (const { event, data } of messages) {
    if (event !== 'request') continue
    const number = Number((JSON.parse(data) as { request: RequestView }).request.id)
    // The page that was read last may already contain this request. A much smaller id is from a restarted server.
    if (number <= newestId && number > newestId - PAGE_SIZE) continue
    // The stream has neither bodies nor filters, so each request is read from the log.
    const page = await client.control.requests({ limit: 1 })
    const filtered = await client.control.requests({ status, method, path, limit: PAGE_SIZE })
    for (const request of [...filtered.items].reverse()) show(request)
    newestId = Number(page.items[0]?.id ?? number)
  }
}

/** The maximum number of requests in a page. */
const PAGE_SIZE = 1000

function fieldsToShow(request: RequestView, withBodies: boolean): RequestView {
  if (withBodies) return request
  const { request: _, response: __, ...rest } = request
  return rest
}

function print({ out }: Session, request: RequestView, withBodies: boolean): void {
  if (out.json) {
    out.document(fieldsToShow(request, withBodies))
    return
  }
  out.line(requestLine(request, request.at ?? '', out.paint, out.columns))
  if (!withBodies) return
  for (const [arrow, text] of [
    ['>', request.request?.body],
    ['<', request.response?.body],
  ] as const) {
    if (text) for (const line of wholeLines(sanitizeText(text), `  ${arrow} `)) out.line(line)
  }
}
