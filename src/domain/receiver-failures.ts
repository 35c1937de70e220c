// Spec 6.1, Delivery: messages for failed exchanges with a receiver, with the cause and the fix.
import { type HeaderList, headerValue } from './delivery.ts'
import { isSuccess, MAX_HEAD_BYTES, MAX_INFORMATIONAL, ResponseHeadError } from './http-response.ts'
import { parsedUrl } from './http-url.ts'
import { formatDuration } from './time.ts'

/** How far an exchange had progressed when it failed. */
export type Phase = 'connecting' | 'waiting' | 'reading'

/** Returns one line for the delivery log, the listener and the audit. */
export function describeFailure(error: unknown, url: string, phase: Phase): string {
  const { host, protocol } = parsedUrl(url) ?? { host: url, protocol: '' }
  const failure: Failure = { error, code: codeOf(error) ?? '', text: oneLine(error), host, protocol, phase }
  for (const explain of EXPLANATIONS) {
    const message = explain(failure)
    if (message !== undefined) return message
  }
  return `The request to ${host} failed: ${failure.text}`
}

interface Failure {
  readonly error: unknown
  /** Empty if the error has none. */
  readonly code: string
  readonly text: string
  readonly host: string
  readonly protocol: string
  readonly phase: Phase
}

/** Each function returns a message if it can explain the failure. The first one counts: specific causes come first. */
const EXPLANATIONS: readonly ((failure: Failure) => string | undefined)[] = [
  refusedConnection,
  switchedProtocols,
  oversizedHead,
  missingFinalResponse,
  http2Only,
  knownCode,
  closedConnection,
  tlsFailure,
  invalidPart,
  notHttp,
]

function refusedConnection({ error, code, host }: Failure): string | undefined {
  if (code !== 'ECONNREFUSED') return undefined
  return `Connection refused: nothing listens on ${triedAddresses(error) || host}. Is your server running?`
}

function switchedProtocols({ text, host }: Failure): string | undefined {
  if (text !== 'bad upgrade' && !text.includes('assert(upgrade)')) return undefined
  return `${host} responded 101 (switching protocols), which is not a valid response to a webhook. Respond 2xx.`
}

function oversizedHead({ error, code, host }: Failure): string | undefined {
  if (!OVERSIZED_HEADS.has(code)) return undefined
  const { bytes = MAX_HEAD_BYTES, isLowerBound = true } = error instanceof ResponseHeadError ? error : {}
  const size = `${isLowerBound ? 'more than ' : ''}${Math.ceil(bytes / 1024)} KiB`
  return `${host} sent ${size} of response headers, and psp reads at most ${MAX_HEAD_BYTES / 1024} KiB. Send fewer or shorter headers.`
}

function missingFinalResponse({ code, host }: Failure): string | undefined {
  if (code !== 'PSP_INFORMATIONAL_OVERFLOW') return undefined
  return `${host} sent more than ${MAX_INFORMATIONAL} informational responses (1xx) and no final one. Send a 2xx response at once.`
}

function http2Only({ error, code, host }: Failure): string | undefined {
  if (!isHttp2(error, code)) return undefined
  return `${host} supports only HTTP/2, and psp sends HTTP/1.1. Accept HTTP/1.1 on this port.`
}

function knownCode({ code, host }: Failure): string | undefined {
  return MESSAGES[code]?.(host)
}

function closedConnection({ code, host, phase }: Failure): string | undefined {
  const isShortBody = code === WRONG_LENGTH && phase === 'reading'
  if (!isShortBody && !RESETS.has(code)) return undefined
  if (phase === 'reading') return `${host} closed the connection in the middle of its response. See its log.`
  return `${host} closed the connection before it responded. See its log.${HTTP2_ADVICE}`
}

function tlsFailure({ code, host }: Failure): string | undefined {
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return `The TLS certificate of ${host} was not accepted (${code}). For a private certificate authority, set NODE_EXTRA_CA_CERTS before you start psp.`
  }
  if (code !== 'EPROTO' && !code.startsWith('ERR_SSL') && !code.startsWith('ERR_TLS')) return undefined
  return `TLS with ${host} failed (${code}). If the receiver uses plain HTTP, use http:// in the URL.`
}

function invalidPart({ code, text, host }: Failure): string | undefined {
  const part = INVALID_PARTS[code] ?? (text.includes('assert(statusCode >= 100)') ? 'a status below 100' : undefined)
  return part && `${host} responded with ${part}, which HTTP does not allow.`
}

function notHttp({ error, code, host, protocol }: Failure): string | undefined {
  if (!code.startsWith('HPE_') && !(error instanceof Error && error.name === 'HTTPParserError')) return undefined
  const tls = protocol === 'http:' ? ' If the receiver uses TLS, use https:// in the URL.' : ''
  return `The response from ${host} is not HTTP.${tls}`
}

export function describeTimeout(url: string, deadline_ms: number, phase: Phase): string {
  const host = parsedUrl(url)?.host ?? url
  const limit = formatDuration(deadline_ms)
  if (phase === 'connecting')
    return `No connection to ${host} within ${limit}. Check the address, the port and the firewall.`
  if (phase === 'waiting') return `No response from ${host} within ${limit}. Respond first, then do the slow work.`
  return `The response from ${host} did not end within ${limit}.`
}

/** A server that supports only HTTP/2 closes the connection, but so does a server that fails. */
const HTTP2_ADVICE = ' If it supports only HTTP/2, accept HTTP/1.1.'

/** Returns the message without the advice about HTTP/2, for a server that has responded before. */
export function withoutHttp2Advice(message: string): string {
  return message.replace(HTTP2_ADVICE, '')
}

/** Splits a message into the cause, which is the first sentence, and the advice, which is the rest. */
export function causeAndAdvice(message: string): { readonly cause: string; readonly advice: string } {
  const [cause = ''] = /^.*?[.?](?= [A-Z]|$)/s.exec(message) ?? [message]
  return { cause, advice: message.slice(cause.length).trim() }
}

/**
 * Spec 6.1: any 2xx is success, even if an error follows its headers, such as a 204 that has a body. But the response
 * is not a success if the connection closes before its end.
 * @param bytes the number of received body bytes
 */
export function isAcceptedDespiteError(
  status: number | undefined,
  headers: HeaderList,
  bytes: number,
  error: unknown,
): boolean {
  if (!isSuccess(status) || !(error instanceof Error)) return false
  if (error.name === 'HTTPParserError') return true
  if (codeOf(error) !== WRONG_LENGTH) return false
  const announced = Number(headerValue(headers, 'content-length'))
  return status === 204 || bytes >= announced
}

const WRONG_LENGTH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'

/** The invalid part of a response that is otherwise HTTP. */
const INVALID_PARTS: { readonly [code: string]: string } = {
  [WRONG_LENGTH]: 'several Content-Length headers',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'several Content-Length headers, or one together with Transfer-Encoding',
  HPE_INVALID_CONTENT_LENGTH: 'a Content-Length that is not a number',
  HPE_INVALID_STATUS: 'a status that is not a number',
  ERR_HTTP_INVALID_STATUS_CODE: 'a status below 100',
  HPE_INVALID_HEADER_TOKEN: 'an invalid header',
}

const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED'])

/** Returns whether the receiver, or a proxy in front of it, closed the connection. */
export function isReset(error: unknown): boolean {
  return RESETS.has(codeOf(error) ?? '')
}

const OVERSIZED_HEADS: ReadonlySet<string> = new Set([
  'PSP_HEAD_OVERFLOW',
  'HPE_HEADER_OVERFLOW',
  'UND_ERR_HEADERS_OVERFLOW',
])

/** The TLS alert of a server that offers no HTTP/1.1, or an HTTP/2 frame in place of a response. */
function isHttp2(error: unknown, code: string): boolean {
  if (code.endsWith('NO_APPLICATION_PROTOCOL')) return true
  const { data, rawPacket } = error as { data?: unknown; rawPacket?: Uint8Array }
  const bytes = rawPacket === undefined ? data : Buffer.from(rawPacket).toString('latin1')
  return typeof bytes === 'string' && FIRST_FRAME.test(bytes)
}

/** The header of a SETTINGS or GOAWAY frame of stream 0 (RFC 9113 section 4.1): length, type, flags, stream. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a frame is binary
const FIRST_FRAME = /^\0.{2}[\x04\x07].\0{4}/s

const MESSAGES: { readonly [code: string]: (host: string) => string } = {
  ENOTFOUND: (host) => `DNS does not know ${host}. Check the host in the URL.`,
  EAI_AGAIN: (host) => `${host} could not be resolved: DNS did not respond.`,
  ETIMEDOUT: noConnection,
  UND_ERR_CONNECT_TIMEOUT: noConnection,
  EHOSTUNREACH: (host) => `There is no route to ${host}.`,
  ENETUNREACH: (host) => `There is no network route to ${host}.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => `The TLS certificate of the receiver is not valid for the name ${host}.`,
  CERT_HAS_EXPIRED: (host) => `The TLS certificate of ${host} has expired.`,
  ERR_INVALID_URL: () => 'The URL of the receiver is not valid.',
}

/**
 * Returns the error code that the system or a library set, such as `ECONNREFUSED`. It may come from the cause of the
 * error, or from the last error of an `AggregateError`.
 */
export function codeOf(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors.at(-1))
  }
  return undefined
}

function noConnection(host: string): string {
  return `No connection to ${host}: it did not respond. Check the address, the port and the firewall.`
}

/** Returns `127.0.0.1:3000 and [::1]:3000`, because a name may resolve to several addresses. */
function triedAddresses(error: unknown): string {
  const tries = error instanceof AggregateError ? error.errors : [error]
  const addresses = tries.flatMap((one: unknown) => {
    const { address, port } = (one ?? {}) as { address?: string; port?: number }
    if (address === undefined || port === undefined)
      return one instanceof Error && one.cause !== undefined ? triedAddresses(one.cause) : []
    return `${address.includes(':') ? `[${address}]` : address}:${port}`
  })
  return [...new Set(addresses)].filter(Boolean).join(' and ')
}

function oneLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error)
    .replace(/\s+/g, ' ')
    .slice(0, 300)
}
