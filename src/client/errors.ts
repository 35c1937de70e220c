// What can go wrong between a client and a server: it refused, or it could not be reached.
import { headerText } from '../domain/header-text.ts'
import { hintFor } from './hints.ts'

/** The server answered with a refusal. `code` and `message` are the server's, `hint` says how to go on. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly hint: string
  /** Seconds to wait, where the server says so. */
  readonly retryAfter: number | undefined
  constructor(
    status: number,
    code: string,
    message: string,
    retryAfter?: number,
    hint = hintFor(status, code, message, retryAfter),
  ) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.hint = hint
  }
}

/** A value that no HTTP header can hold; nothing was sent. */
export class UnsendableHeaderError extends Error {
  override readonly name = 'UnsendableHeaderError'
  readonly code = 'unsendable_header'
  readonly header: string
  readonly hint = 'Use letters, digits and signs of ASCII, on one line.'
  constructor(header: string) {
    super(`${header}: the value holds characters that cannot be sent in a header.`)
    this.header = header
  }
}

/** No answer came. `tried` names the addresses, where they are known. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code = 'unreachable'
  readonly url: string
  readonly hint: string
  /** The request went out and its answer was lost: what it asked for may have been done. */
  readonly sent: boolean
  /** The `Idempotency-Key` it went out with. */
  readonly idempotencyKey: string | undefined
  constructor(url: string, cause: unknown, asked: Asked = {}) {
    const sent = wasSent(cause)
    const { origin } = new URL(url)
    super(sent ? `${origin} was reached, but its answer was lost: ${reasonOf(cause)}` : notReached(origin, cause), {
      cause,
    })
    this.url = url
    this.sent = sent
    const key = headerOf(asked, 'idempotency-key')
    this.idempotencyKey = key === undefined ? undefined : headerText(key)
    this.hint =
      cause instanceof NoResponseError ? cause.hint : sent ? afterLoss(asked, this.idempotencyKey) : NOT_REACHED
  }
}

/** What went out, as far as it matters for how to go on. */
interface Asked {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
}

const NOT_REACHED = 'Is the server running? Start one with `psp serve`, or name another with --url or PSP_URL.'

function notReached(origin: string, cause: unknown): string {
  return `${origin} cannot be reached: ${reasonOf(cause)}`
}

function afterLoss({ method = 'GET' }: Asked, key: string | undefined): string {
  if (method === 'GET' || method === 'HEAD') return 'Ask again; a fault may have cut it: `psp faults list`.'
  const done = 'The server may have done what was asked'
  return key === undefined
    ? `${done}: look before asking again, \`psp logs\` shows what came.`
    : `${done}. Send the same again with \`Idempotency-Key: ${key}\`: it answers with what it made, and makes no second one.`
}

function headerOf({ headers = {} }: Asked, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
}

/** A connection was taken, and nothing came over it: the server is stopped, or has too much to do. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
  readonly code = 'no_response'
  readonly hint =
    'Its process may be suspended, or busy beyond measure: `psp doctor` looks; end it, and start it again.'
  constructor() {
    super('it does not answer, not even to the question whether it lives')
  }
}

/** The server answered something that no psp server answers. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError'
  readonly code = 'unexpected_response'
  readonly status: number
  readonly hint = 'Check the address: is it the base url of a psp server, without a path?'
  /** @param contentType what came; `JSON`: it was JSON, but no answer of psp */
  constructor(status: number, url: string, contentType: string | null, wanted = 'JSON') {
    const what =
      contentType === 'JSON'
        ? 'with JSON, but is no psp server'
        : `with ${contentType ?? 'no content type'} instead of ${wanted}`
    super(`${url} answered ${status} ${what}.`)
    this.status = status
  }
}

interface SystemError extends Error {
  readonly syscall?: string
  readonly code?: string
  readonly address?: string
  readonly port?: number
  readonly errors?: readonly SystemError[]
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'no answer in time',
  EHOSTUNREACH: 'no route to the host',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut before an answer came',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer did not end in time',
}

/** Codes of a connection that was there and broke. */
const BROKEN = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** True where the connection was there, so that the request may have arrived. */
function wasSent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  const { code, syscall, message } = cause as SystemError
  if (code === undefined) return wasSent(cause.cause)
  if (syscall === 'connect' || message.includes('before secure TLS connection')) return false
  return BROKEN.includes(code) || code.startsWith('HPE_')
}

/** Words for a network failure; several addresses tried are each named. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const error = cause as SystemError
  if (error.errors !== undefined && error.errors.length > 0) {
    const [first, ...more] = error.errors
    const same =
      first?.code !== undefined && REASONS[first.code] !== undefined && more.every(({ code }) => code === first.code)
    if (same)
      return wordsFor(
        first,
        [...new Set(error.errors.map(addressOf))].filter((address) => address !== ''),
      )
    return [...new Set(error.errors.map(reasonOf))].join(', ')
  }
  if (error.code === undefined) return error.cause instanceof Error ? reasonOf(error.cause) : error.message
  if (error.code.startsWith('HPE_')) return 'the answer is not HTTP'
  if (error.message === 'bad upgrade' || error.message.includes('assert(upgrade)'))
    return 'it answered 101 (switching protocols) instead of 2xx'
  if (REASONS[error.code] === undefined) return error.message
  return wordsFor(
    error,
    [addressOf(error)].filter((address) => address !== ''),
  )
}

/** `nothing listens at 127.0.0.1:3000 and [::1]:3000 (ECONNREFUSED)`; a code of a library says nothing to its reader. */
function wordsFor({ code = '' }: SystemError, addresses: readonly string[]): string {
  const at = addresses.length === 0 ? '' : ` at ${addresses.join(' and ')}`
  return `${REASONS[code]}${at}${code.startsWith('UND_') ? '' : ` (${code})`}`
}

function addressOf(error: SystemError): string {
  if (error.address === undefined) return ''
  const host = error.address.includes(':') ? `[${error.address}]` : error.address
  return error.port === undefined ? host : `${host}:${error.port}`
}
