import start from '../../../../fixtures/start-shop.json' with { type: 'json' }
import { ApiError } from '../../../client/errors.ts'
import type { FetchResponse } from '../../../client/fetch-like.ts'
import { readError } from '../../../client/http-client.ts'
import { quoteText } from '../../../domain/characters.ts'
import { signRequest } from '../../../domain/signatures.ts'
import { isDiskPath, normalizeAddress, unquoted } from '../../../domain/typed-address.ts'
import { sanitizeText, stringifyForTerminal } from '../../../terminal/sanitize.ts'
import type { Run } from '../../command.ts'
import { type CliError, exitCodeOfStatus, usageError } from '../../failure.ts'
import { shellHint } from '../../input/files.ts'
import { readInput } from '../../input/read-input.ts'
import { paintHttp } from '../../output/colour.ts'
import { requireOrder } from '../../parsing/parser-errors.ts'
import type { Session } from '../../session.ts'
import type { REQUEST_ARGUMENTS, REQUEST_FLAGS } from '../request.ts'

export const run: Run<typeof REQUEST_ARGUMENTS, typeof REQUEST_FLAGS> = async ({ args, flags, session }) => {
  const { values, out } = session
  requireOrder('psp request', [args.method, args.path], (text) => text.includes('/'))
  const path = pathOf(args.path)
  const rawBody = await bodyOf(flags.body, session)
  const method = methodOf(args.method, rawBody)
  const { client } = await session.target(method === 'GET' ? 'read' : 'folder')
  const control = path.startsWith('/_psp')
  const headers: Record<string, string | null> = Object.fromEntries(flags.header)
  if (flags.sign) headers['X-PSP-Signature'] = signRequest(rawBody ?? '', values.signing_secret ?? start.signing_secret)
  const http = control ? client.raw.control : client.raw.public
  const response = await http.open({ method, path, headers, rawBody })
  if (out.json && response.status >= 400) throw await errorOf(response, path)
  if (!out.json) {
    out.note(`${paintHttp(out.notePaint, response.status)}${typeText(response)}`)
    if (flags.include) for (const name of MAIN_HEADERS) noteHeader(session, response, name)
  }
  if (typeOf(response).startsWith('text/event-stream')) await printStream(session, response)
  else print(session, await response.text())
  return exitCodeOfStatus(response.status)
}

function pathOf(text: string): string {
  const path = unquoted(text)
  if (isDiskPath(path)) {
    throw usageError(
      `${quoteText(path)} is a file path.`,
      shellHint(path) ?? 'Give a path of the server, such as /v1/public/banks.',
    )
  }
  if (/^[a-z]+:\/\//i.test(path)) throw completeUrlError(path)
  return path.startsWith('/') ? path : `/${path}`
}

/** A complete URL is rejected, because another host must not get the credentials for --url. */
function completeUrlError(text: string): CliError {
  const server = normalizeAddress(text.replace(/[?#].*$/s, ''), 'server')
  if (!('url' in server)) return usageError(server.issue, server.hint)
  const { pathname, search } = new URL(text)
  return usageError(
    'The path is a complete URL.',
    `Give only the path, and the server with --url: psp request GET ${pathname}${search} --url ${server.url}`,
  )
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
const MAIN_HEADERS = ['content-type', 'retry-after', 'allow', 'www-authenticate', 'location', 'cache-control']

function methodOf(text: string, body: Uint8Array | undefined): (typeof METHODS)[number] {
  const found = METHODS.find((method) => method === text.toUpperCase())
  if ((found === 'GET' || found === 'HEAD') && body !== undefined) {
    throw usageError(`${found} cannot have a body.`, 'Omit -d, or use POST.')
  }
  if (found !== undefined) return found
  throw usageError(`${quoteText(text)} is not a method.`, `Use one of ${METHODS.join(', ')}.`)
}

async function bodyOf(given: string | undefined, session: Session): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (given === undefined) return undefined
  if (given === '-') return new Uint8Array(await readInput('-', session))
  if (given.startsWith('@')) return new Uint8Array(await readInput(given.slice(1), session))
  return new TextEncoder().encode(given)
}

function typeText(response: FetchResponse): string {
  const type = typeOf(response)
  return type === '' ? '' : `  ${type}`
}

function typeOf(response: FetchResponse): string {
  return response.headers.get('content-type') ?? ''
}

/** A response to HEAD, or of another server, may have no error object. Its status still gives the exit code. */
async function errorOf(response: FetchResponse, path: string): Promise<ApiError> {
  const error = await readError(response, path)
  return error instanceof ApiError ? error : new ApiError(response.status, 'unexpected_response', error.message)
}

async function printStream({ out }: Session, { body }: FetchResponse): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    const text = decoder.decode(chunk, { stream: true })
    if (out.json) out.document(text)
    else out.text(sanitizeText(text))
  }
}

function noteHeader({ out }: Session, response: FetchResponse, name: string): void {
  const value = response.headers.get(name)
  if (value !== null) out.note(out.notePaint.dim(`${name}: ${sanitizeText(value)}`))
}

function print({ out }: Session, text: string): void {
  if (text === '') return
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    if (out.json) out.document(text)
    else out.line(sanitizeText(text))
    return
  }
  if (out.json) out.document(value)
  else out.line(stringifyForTerminal(value, 2))
}
