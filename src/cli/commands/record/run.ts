import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { countOf } from '../../../domain/count-text.ts'
import { headerValue } from '../../../domain/delivery.ts'
import { parsedUrl } from '../../../domain/http-url.ts'
import { unlessAborted, untilAborted } from '../../../domain/promises.ts'
import { rfc3339 } from '../../../domain/time.ts'
import { createClientErrorHandler } from '../../../node/client-errors.ts'
import { reachableUrl } from '../../../node/reachable-address.ts'
import { closeInStages } from '../../../node/response.ts'
import { PortUnavailableError } from '../../../node/server.ts'
import { createSignatureChecker } from '../../../recordings/check-signature.ts'
import type { RecordedExchange } from '../../../recordings/exchange.ts'
import { createMasking } from '../../../recordings/masking.ts'
import { createRecordingProxy } from '../../../recordings/proxy.ts'
import type { NoArguments, Run } from '../../command.ts'
import { EXIT_CODES, usageError } from '../../failure.ts'
import { requireReplaceable } from '../../input/files.ts'
import { openFailure } from '../../local/open-sandbox.ts'
import { noteUnstoredKey, readPseudonymKey } from '../../local/pseudonym-key.ts'
import { requestLine } from '../../output/lines.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import { endCode } from '../../process/signals.ts'
import type { Session } from '../../session.ts'
import { readSignatureFacts } from '../../target/signature-facts.ts'
import type { RECORD_FLAGS } from '../record.ts'
import { createRecordingFile, type RecordingFile, requireRegularFile } from './recording-file.ts'
import { targetIssue } from './target-issue.ts'

type Flags = FlagValues<typeof RECORD_FLAGS>

/** A fixed port, so that the base URL in an application's configuration stays valid. */
const DEFAULT_PORT = 7771
const DEFAULT_BODY_LIMIT = 1024 * 1024

export const run: Run<NoArguments, typeof RECORD_FLAGS> = async ({ flags, session }) => {
  const { out, host, signals } = session
  const { to, out: file } = flags
  if (to === undefined) {
    throw usageError('--to is missing.', 'Give the base URL of the real service: --to https://api.real.example')
  }
  if (file === undefined) throw usageError('--out is missing.', 'Name the file to write: --out session.har')
  const masking = createMasking({
    key: readPseudonymKey(session),
    keepsPersonalData: flags.keep_personal_data,
  })
  requireReplaceable(file, { force: flags.force, host })
  requireRegularFile(file, host)
  // A recording that keeps personal data has no pseudonyms.
  if (!flags.keep_personal_data) noteUnstoredKey(session)
  const { secrets } = await unlessAborted(readSignatureFacts(session, undefined), signals.ended)
  const check = createSignatureChecker({ given: flags.secret, known: secrets })
  let recording: RecordingFile | undefined
  let hasWebhook = false
  /** Exchanges that were received before the file was open. */
  const early: RecordedExchange[] = []
  const proxy = createRecordingProxy({
    target: to,
    systemClock: host.systemClock,
    clientErrors: (prefix) => createClientErrorHandler((socket) => closeInStages(socket, host.systemClock), prefix),
    bodyLimit: flags.body_limit ?? DEFAULT_BODY_LIMIT,
    onExchange(exchange) {
      hasWebhook ||= headerValue(exchange.request.headers, 'x-psp-event-id') !== undefined
      if (recording === undefined) early.push(exchange)
      else recording.add(exchange)
      printExchange(session, exchange, masking.url)
    },
  })
  try {
    const url = await listen(proxy.server, flags)
    const issue = await targetIssue(to, proxy.server, session)
    // The file is created last, so that a failed start does not change an existing file.
    recording = await createRecordingFile(file, { force: flags.force, masking, check, session })
    for (const exchange of early.splice(0)) recording.add(exchange)
    out.tolerateFailedWrites()
    printReady(session, { url, to, file, issue })
    await untilAborted(signals.ended)
  } finally {
    await proxy.stop()
    await recording?.close()
  }
  return finish(session, { file, hasWebhook }, recording)
}

async function listen(server: Server, { port = DEFAULT_PORT, host = '127.0.0.1' }: Flags): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) =>
      reject(openFailure(new PortUnavailableError(error.code ?? '', host, port)))
    server.once('error', onError)
    server.listen({ host, port }, () => {
      server.off('error', onError)
      resolve()
    })
  })
  return reachableUrl(host, (server.address() as AddressInfo).port)
}

interface Start {
  readonly url: string
  readonly to: string
  readonly file: string
  /** Why the service cannot be reached. It may start later. */
  readonly issue: string | undefined
}

function printReady({ out, host }: Session, { url, to, file, issue }: Start): void {
  if (issue !== undefined) out.warn(`${issue} Until this is fixed, requests get 502.`)
  if (out.json) {
    const port = Number(new URL(url).port)
    out.document({ type: 'ready', url, port, pid: host.pid, to, file })
    return
  }
  out.note(`${out.notePaint.bold('Ready.')} Requests to ${url} are forwarded to ${to} and recorded in ${file}.`)
  out.note(
    out.notePaint.dim(
      'Use this URL instead of the URL of the service, or as the URL of your endpoint. Ctrl-C stops the recording.',
    ),
  )
}

/** Prints an exchange like `psp logs`. */
function printExchange({ out }: Session, exchange: RecordedExchange, maskUrl: (url: string) => string): void {
  const { pathname, search } = parsedUrl(maskUrl(exchange.url)) ?? { pathname: '/', search: '' }
  const code = errorCodeOf(exchange)
  const request = {
    at: rfc3339(exchange.startedAt, 3),
    method: exchange.method,
    path: pathname + search,
    status: exchange.response?.status ?? 502,
    ...(code === undefined ? {} : { code }),
    ms: exchange.ms,
    ...(exchange.error === undefined || isStream(exchange) ? {} : { message: exchange.error }),
  }
  if (out.json) out.document({ type: 'request', ...request })
  else out.line(requestLine(request, request.at, out.paint, out.columns))
}

/** A client ends an event stream by closing the connection, which is not an error. */
function isStream({ response }: RecordedExchange): boolean {
  const type = headerValue(response?.headers ?? [], 'content-type')
  return type?.toLowerCase().startsWith('text/event-stream') === true
}

/** Maximum bytes of an error body. */
const MAX_ERROR = 10_000

function errorCodeOf({ response }: RecordedExchange): string | undefined {
  if (response === undefined || response.status < 400 || response.body.length > MAX_ERROR) return undefined
  try {
    const code: unknown = JSON.parse(response.body.bytes.toString('utf8')).error.code
    return typeof code === 'string' ? code : undefined
  } catch {
    return undefined
  }
}

interface Recorded {
  readonly file: string
  readonly hasWebhook: boolean
}

function finish(
  { out, signals }: Session,
  { file, hasWebhook }: Recorded,
  { count, lost, isInPlace }: RecordingFile,
): number {
  if (!isInPlace()) {
    const all = count() + lost()
    out.warn(`${file} was removed or replaced, so ${countOf(all, 'exchange')} ${all === 1 ? 'is' : 'are'} lost.`)
    return EXIT_CODES.failed
  }
  const exchanges = (number: number) => countOf(number, 'exchange')
  if (lost() > 0) {
    out.warn(`${exchanges(lost())} could not be written to ${file}.`)
    return EXIT_CODES.failed
  }
  const next = hasWebhook
    ? `\`psp events import ${file}\` imports the webhooks.`
    : `\`psp compare ${file}\` shows how the sandbox differs.`
  out.note(`${exchanges(count())} in ${file}. ${next}`)
  return endCode(signals)
}
