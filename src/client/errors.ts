// Errors between a client and a server: the server rejected a request, or could not be reached.
import { decodeHeaderText } from '../domain/header-text.ts'
import { hintFor, lostResponseHint, NOT_REACHED } from './hints.ts'
import { reasonOf, wasSent } from './network-failures.ts'

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

/** There was no response, or it ended early. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code = 'unreachable'
  readonly url: string
  readonly hint: string
  /** True if the request was sent and its response was lost, so the server may have processed it. */
  readonly sent: boolean
  /** The `Idempotency-Key` of the request. */
  readonly idempotencyKey: string | undefined
  constructor(url: string, cause: unknown, request: FailedRequest = {}) {
    const sent = wasSent(cause)
    const { origin } = new URL(url)
    const what = sent ? 'was reached, but its response was lost' : 'cannot be reached'
    super(`${origin} ${what}: ${reasonOf(cause)}`, { cause })
    this.url = url
    this.sent = sent
    const key = headerOf(request, 'idempotency-key')
    this.idempotencyKey = key === undefined ? undefined : decodeHeaderText(key)
    this.hint =
      cause instanceof NoResponseError
        ? cause.hint
        : sent
          ? lostResponseHint(request.method, this.idempotencyKey)
          : NOT_REACHED
  }
}

/** The parts of the request on which the hint depends. */
interface FailedRequest {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
}

function headerOf({ headers = {} }: FailedRequest, wanted: string): string | undefined {
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

/** The response is not one that a psp server sends. */
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
        : wanted === 'JSON' && /\bjson\b/.test(contentType ?? '')
          ? 'with a body that is not valid JSON'
          : `with ${contentType ?? 'no content type'} instead of ${wanted}`
    super(`${url} responded ${status} ${what}.`)
    this.status = status
  }
}
