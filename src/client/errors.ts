// Errors between a client and a server: the server rejected a request, or could not be reached.
import { decodeHeaderText } from '../domain/header-text.ts'
import { hintFor } from './hints.ts'

/** The server rejected the request. `code` and `message` are the server's; `hint` says what to do next. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly hint: string
  /** Seconds to wait, if the response contains them. */
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

/** A value that an HTTP header cannot contain. Nothing was sent. */
export class UnsendableHeaderError extends Error {
  override readonly name = 'UnsendableHeaderError'
  readonly code = 'unsendable_header'
  readonly header: string
  readonly hint = 'Use ASCII letters, digits and punctuation, on one line.'
  constructor(header: string) {
    super(`${header}: the value contains characters that cannot be sent in a header.`)
    this.header = header
  }
}

/** There was no response. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code = 'unreachable'
  readonly url: string
  readonly hint: string
  /** True if the request was sent and its response was lost, so the server may have processed it. */
  readonly sent: boolean
  /** The `Idempotency-Key` of the request. */
  readonly idempotencyKey: string | undefined
  constructor(url: string, cause: unknown, request: SentRequest = {}) {
    const sent = wasSent(cause)
    const { origin } = new URL(url)
    super(sent ? `${origin} was reached, but its response was lost: ${reasonOf(cause)}` : notReached(origin, cause), {
      cause,
    })
    this.url = url
    this.sent = sent
    const key = headerOf(request, 'idempotency-key')
    this.idempotencyKey = key === undefined ? undefined : decodeHeaderText(key)
    this.hint =
      cause instanceof NoResponseError ? cause.hint : sent ? afterLoss(request, this.idempotencyKey) : NOT_REACHED
  }
}

/** The parts of the request that decide the hint. */
interface SentRequest {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
}

const NOT_REACHED = 'Is the server running? Start one with `psp serve`, or name another with --url or PSP_URL.'

function notReached(origin: string, cause: unknown): string {
  return `${origin} cannot be reached: ${reasonOf(cause)}`
}

function afterLoss({ method = 'GET' }: SentRequest, key: string | undefined): string {
  if (method === 'GET' || method === 'HEAD')
    return 'Try again. A fault may have closed the connection: `psp faults list`.'
  const done = 'The server may have processed the request'
  return key === undefined
    ? `${done}. Before you try again, run \`psp logs\` to see what was received.`
    : `${done}. Send the same request again with \`Idempotency-Key: ${key}\`: the response contains the existing object, and no second one is created.`
}

function headerOf({ headers = {} }: SentRequest, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
}

/** A connection was accepted, but no response followed: the server is suspended or overloaded. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
  readonly code = 'no_response'
  readonly hint =
    'The process of the server may be suspended or overloaded. Run `psp doctor`, then stop the server and start it again.'
  constructor() {
    super('the server does not respond, not even to a health check')
  }
}

/** The response is not one of a psp server. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError'
  readonly code = 'unexpected_response'
  readonly status: number
  readonly hint = 'Check the address. It must be the base URL of a psp server, without a path.'
  /** @param contentType the received type; `JSON` if it was JSON, but not a psp response */
  constructor(status: number, url: string, contentType: string | null, wanted = 'JSON') {
    const what =
      contentType === 'JSON'
        ? 'with JSON, but it is not a psp server'
        : `with ${contentType ?? 'no content type'} instead of ${wanted}`
    super(`${url} responded ${status} ${what}.`)
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
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  ETIMEDOUT: 'no response in time',
  EHOSTUNREACH: 'no route to the host',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed before a response',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no response in time',
  UND_ERR_BODY_TIMEOUT: 'the response did not end in time',
}

/** Codes of an established connection that broke. */
const BROKEN = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** Returns whether the connection was established, so that the server may have received the request. */
function wasSent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  const { code, syscall, message } = cause as SystemError
  if (code === undefined) return wasSent(cause.cause)
  if (syscall === 'connect' || message.includes('before secure TLS connection')) return false
  return BROKEN.includes(code) || code.startsWith('HPE_')
}

/** Returns a message for a network failure. It names each address that was tried. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const error = cause as SystemError
  if (error.errors !== undefined && error.errors.length > 0) {
    const [first, ...more] = error.errors
    const same =
      first?.code !== undefined && REASONS[first.code] !== undefined && more.every(({ code }) => code === first.code)
    if (same)
      return describeError(
        first,
        [...new Set(error.errors.map(addressOf))].filter((address) => address !== ''),
      )
    return [...new Set(error.errors.map(reasonOf))].join(', ')
  }
  if (error.code === undefined) return error.cause instanceof Error ? reasonOf(error.cause) : error.message
  if (error.code.startsWith('HPE_')) return 'the response is not HTTP'
  if (error.message === 'bad upgrade' || error.message.includes('assert(upgrade)'))
    return 'it responded 101 (switching protocols) instead of 2xx'
  if (REASONS[error.code] === undefined) return error.message
  return describeError(
    error,
    [addressOf(error)].filter((address) => address !== ''),
  )
}

/** Returns `nothing listens at 127.0.0.1:3000 and [::1]:3000 (ECONNREFUSED)`. Omits codes of undici, which mean little to users. */
function describeError({ code = '' }: SystemError, addresses: readonly string[]): string {
  const at = addresses.length === 0 ? '' : ` at ${addresses.join(' and ')}`
  return `${REASONS[code]}${at}${code.startsWith('UND_') ? '' : ` (${code})`}`
}

function addressOf(error: SystemError): string {
  if (error.address === undefined) return ''
  const host = error.address.includes(':') ? `[${error.address}]` : error.address
  return error.port === undefined ? host : `${host}:${error.port}`
}
