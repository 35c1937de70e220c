// A recorded request of the public API, from any HAR file.
import { quoteText } from '../../domain/characters.ts'
import { parsedUrl } from '../../domain/http-url.ts'
import { asObject, asText, type JsonObject, parseJson } from '../../domain/json-values.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { type HarEntry, type HarHeader, requestBytes, responseBytes } from '../har.ts'

export type HeaderMap = ReadonlyMap<string, string>

/** The part of a call that ordering and linking need. */
export interface CallOutline {
  /** The number of the entry in the file, from 1. */
  readonly number: number
  /** ms since the Unix epoch, by the clock of the recording machine. */
  readonly startedAt: number
  readonly endedAt: number
  /** `POST /v1/public/payments/{id}/refund`. */
  readonly operation: string
  /** The id in the path. */
  readonly objectId?: string
  /** The Idempotency-Key. */
  readonly key?: string
  /** 0 without a response. */
  readonly status: number
  /** The code of an error response. */
  readonly code?: string
  /** The payment or payout in the response. */
  readonly shows?: ObservedState
  /** Bytes of the body that was sent. The recorded body may be shorter, because personal data was replaced. */
  readonly size: number
}

export interface RecordedCall extends CallOutline {
  readonly method: string
  /** The path at the API with its query: `/v1/public/payments`. */
  readonly path: string
  readonly headers: HeaderMap
  readonly body: string
  /** False if the recording has no body, but the request had one. */
  readonly isBodyKnown: boolean
  /** The request body, if it is a JSON object. */
  readonly requestJson: JsonObject | undefined
  readonly response?: CallResponse | undefined
  /** When the response began, in ms since the Unix epoch. */
  readonly respondedAt: number
  /** The client closed the connection before the end of the response. False if it is not known. */
  readonly isClosedByClient: boolean
}

export interface CallResponse {
  readonly status: number
  readonly headers: HeaderMap
  /** Absent if the recording does not contain the body. */
  readonly text?: string
  /** The parsed body. `undefined` if it is not JSON, or nested too deeply. */
  readonly json: unknown
  /** The code of an error object. */
  readonly code?: string
}

/** A state of an object that the recording shows. */
export interface ObservedState {
  readonly id: string
  readonly type: 'payment' | 'payout'
  readonly status: string
  /** The whole object, if the recording shows it. */
  readonly object?: JsonObject | undefined
}

const PUBLIC_PATH = /(?:\/api)?\/v1\/public\/.*$/
const OBJECT_PATH = /^((?:\/api)?\/v1\/public\/(?:payments|payouts)\/)([^/?]+)/

/** The clock of a sandbox has no later time. */
export const END_OF_TIME = Date.UTC(9000, 0, 1)

/** Describes a field with an impossible time, as the end of a sentence about the entry. */
export function timeIssue({ startedDateTime, time }: HarEntry): string | undefined {
  const at = Date.parse(startedDateTime)
  if (!(at < END_OF_TIME)) return `the startedDateTime ${quoteText(startedDateTime)}, ${TOO_LATE}`
  if (!(time >= 0)) return `a time that is not a number of ms${time < 0 ? `: ${time}` : ''}`
  return at + time < END_OF_TIME ? undefined : `the time ${time}, ${TOO_LATE}`
}

const TOO_LATE = 'which is not a time before the year 9000'

/** Returns the path at the public API with its query, or `undefined` for other traffic. */
export function publicPath({ request }: HarEntry): string | undefined {
  const url = parsedUrl(request.url)
  return PUBLIC_PATH.exec(url === undefined ? '' : url.pathname + url.search)?.[0]
}

/** Returns `undefined` for traffic that does not belong to the public API. */
export function recordedCall(entry: HarEntry, number: number): RecordedCall | undefined {
  const path = publicPath(entry)
  if (path === undefined) return undefined
  const { method } = entry.request
  const startedAt = Date.parse(entry.startedDateTime)
  const body = requestBytes(entry.request)?.toString('utf8') ?? ''
  const objectId = OBJECT_PATH.exec(path)?.[2]
  const operation = `${method} ${path
    .replace(OBJECT_PATH, '$1{id}')
    .replace(/\?.*$/s, '')
    .replace(/^\/api/, '')}`
  const headers = headerMap(entry.request.headers)
  // A dry run changes nothing, so its key is not used, and the object in its response does not exist.
  const isDryRun = headers.has('x-psp-dry-run')
  const key = isDryRun ? undefined : headers.get('idempotency-key')
  const response = entry.response.status === 0 ? undefined : recordedResponse(entry)
  const shows = isDryRun ? undefined : objectIn(operation, response?.json)
  return {
    number,
    startedAt,
    endedAt: startedAt + entry.time,
    method,
    path,
    operation,
    ...omitUndefined({ objectId, key, code: response?.code, shows, response }),
    status: response?.status ?? 0,
    headers,
    body,
    size: Math.max(entry.request.bodySize, Buffer.byteLength(body)),
    isBodyKnown: body !== '' || (entry.request.bodySize <= 0 && !isBodyAnnounced(entry)),
    requestJson: asObject(parseJson(body)),
    respondedAt: startedAt + waitOf(entry),
    isClosedByClient: entry._closed_by === 'client',
  }
}

/** If the recording does not say when a response began, it began at most this many ms after the request. */
const USUAL_WAIT = 100

function waitOf({ time, timings }: HarEntry): number {
  const receive = timings?.receive ?? 0
  return receive > 0 ? Math.max(0, time - receive) : Math.min(time, USUAL_WAIT)
}

/** Whether the client announced a body, and waited for permission to send it. */
function isBodyAnnounced({ request }: HarEntry): boolean {
  const headers = headerMap(request.headers)
  return /^100-continue$/i.test(headers.get('expect') ?? '') && headers.get('content-length') !== '0'
}

function recordedResponse({ response }: HarEntry): CallResponse {
  const text = responseBytes(response)?.toString('utf8') ?? (response.content.size === 0 ? '' : undefined)
  return toCallResponse(response.status, headerMap(response.headers), text)
}

export function toCallResponse(status: number, headers: HeaderMap, text: string | undefined): CallResponse {
  const json = text === undefined ? undefined : parseJson(text)
  const code = asText(asObject(asObject(json)?.['error'])?.['code'])
  return { status, headers, json, ...omitUndefined({ text, code }) }
}

/** Returns the payment or payout of a response body. */
export function objectIn(operation: string, json: unknown): ObservedState | undefined {
  const body = asObject(json)
  const type = operation.includes('/payouts') ? 'payout' : 'payment'
  const object =
    asObject(body?.[type]) ?? (operation.startsWith('GET ') && !operation.includes('/refund') ? body : undefined)
  const [id, status] = [asText(object?.['id']), asText(object?.['status'])]
  if (object === undefined || id === undefined || status === undefined) return undefined
  return { id, type, status, object }
}

export const isStreamRequest = ({ operation }: CallOutline): boolean => operation === STREAM

/** Whether the call is an event stream that was opened. */
export const isStream = (call: CallOutline): boolean => isStreamRequest(call) && call.status === 200

const STREAM = 'GET /v1/public/events'

/** Returns the headers with names in lower case. The values of fields with the same name are joined. */
function headerMap(headers: readonly HarHeader[]): HeaderMap {
  const map = new Map<string, string>()
  for (const { name, value } of headers) {
    const key = name.toLowerCase()
    map.set(key, map.has(key) ? `${map.get(key)}, ${value}` : value)
  }
  return map
}
