// RFC 9110 section 7.6.1: the header fields that a proxy forwards.
import type { IncomingMessage, OutgoingMessage } from 'node:http'
import { type HeaderList, headerValue } from '../domain/delivery.ts'

/** Fields that apply to one connection only. The proxy has separate connections to its client and to the target. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

const ESSENTIAL: ReadonlySet<string> = new Set(['content-length', 'host'])

/** Converts the alternating names and values of Node's raw headers to pairs. */
export function headerPairs(raw: readonly string[]): HeaderList {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] as string, raw[at + 1] as string])
  return pairs
}

/** Returns the items of a field whose value is a list, in lower case. */
function headerItems(headers: HeaderList, name: string): string[] {
  return headers
    .filter(([given]) => given.toLowerCase() === name)
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((word) => word.trim())
}

/** Returns all fields except the hop-by-hop ones, unchanged and in their order. */
function endToEndHeaders(headers: HeaderList): HeaderList {
  // Without these fields a message would have another length or target, so the Connection field cannot remove them.
  const named = headerItems(headers, 'connection').filter((name) => !ESSENTIAL.has(name))
  return headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return !HOP_BY_HOP.has(lower) && !named.includes(lower)
  })
}

export interface RequestFraming {
  /** The authority of the target, for the Host field. */
  readonly host: string
  readonly method: string
}

/**
 * Methods that usually have no body. With another method, a request without a body has the length 0 (RFC 9110, 8.6).
 */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/** Returns the end-to-end fields with the Host of the target, and the fields that frame the body. */
export function requestHeaders(headers: HeaderList, { host, method }: RequestFraming): HeaderList {
  const kept = endToEndHeaders(headers).map(([name, value]) => [name, isHost(name) ? host : value] as const)
  const framing: [string, string][] = []
  if (!kept.some(([name]) => isHost(name))) framing.push(['Host', host])
  const codings = transferCodings(headers)
  if (codings !== undefined) framing.push(['Transfer-Encoding', codings])
  else if (headerValue(headers, 'content-length') === undefined && !WITHOUT_BODY.has(method)) {
    framing.push(['Content-Length', '0'])
  }
  if (headerItems(headers, 'te').includes('trailers'))
    framing.push(['TE', 'trailers'], ['Connection', 'TE, keep-alive'])
  return [...kept, ...framing]
}

/**
 * Returns the header fields for the client.
 * @param canChunk false for an HTTP/1.0 client, which gets no trailers
 */
export function responseHeaders(headers: HeaderList, canChunk: boolean): HeaderList {
  const kept = endToEndHeaders(headers)
  const isLast = headerItems(headers, 'connection').includes('close')
  const codings = canChunk ? transferCodings(headers) : undefined
  return [
    ...(codings === undefined ? kept.filter(([name]) => name.toLowerCase() !== 'trailer') : kept),
    ...(codings === undefined ? [] : [['Transfer-Encoding', codings] as const]),
    ...(isLast ? [['Connection', 'close'] as const] : []),
  ]
}

/** Returns all codings of a chunked body, such as `gzip, chunked`: Node removes the chunks, but not `gzip`. */
function transferCodings(headers: HeaderList): string | undefined {
  const codings = headerItems(headers, 'transfer-encoding')
  return codings.includes('chunked') ? codings.join(', ') : undefined
}

/** Forwards the trailers of a chunked message. */
export function addTrailers(to: OutgoingMessage, { rawTrailers }: Pick<IncomingMessage, 'rawTrailers'>): void {
  if (rawTrailers.length > 0 && to.chunkedEncoding) to.addTrailers(headerPairs(rawTrailers) as [string, string][])
}

const isHost = (name: string) => name.toLowerCase() === 'host'
