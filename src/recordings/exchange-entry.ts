// Writes a recorded exchange as a HAR entry, without secrets and personal data.
import { STATUS_CODES } from 'node:http'
import { countOf } from '../domain/count-text.ts'
import { headerValue } from '../domain/delivery.ts'
import { parsedUrl } from '../domain/http-url.ts'
import { rfc3339 } from '../domain/time.ts'
import { DecodingError, decodeBody, encodingsOf } from '../receiver-client/content-encoding.ts'
import { checkToRecord, type SignatureChecker } from './check-signature.ts'
import type { ExchangeMessage, RecordedBytes, RecordedExchange } from './exchange.ts'
import type { HarContent, HarEntry, HarHeader, HarPostData } from './har.ts'
import type { Masking } from './masking.ts'
import { mediaType, recordedMediaType } from './recorded-headers.ts'
import { HIDDEN } from './sensitive-text.ts'

/** Maximum size of a decoded body, in bytes. */
const MAX_DECODED = 16 * 1024 * 1024

/**
 * Never rejects: an exchange that cannot be masked is recorded without its values, with a comment.
 * @param check checks the signatures of webhooks before their bodies are masked
 */
export async function exchangeEntry(
  exchange: RecordedExchange,
  masking: Masking,
  check?: SignatureChecker,
): Promise<HarEntry> {
  try {
    return await maskedEntry(exchange, masking, check)
  } catch {
    return { ...(await maskedEntry(withoutValues(exchange), WITHOUT_VALUES)), comment: NOT_MASKED }
  }
}

const NOT_MASKED =
  'The exchange could not be masked, so its path, its bodies and the values of its headers are not recorded.'

/** Keeps the names of headers, and the sizes of bodies. */
function withoutValues(exchange: RecordedExchange): RecordedExchange {
  const { request, response } = exchange
  const hidden = <M extends ExchangeMessage>(message: M): M => ({
    ...message,
    headers: message.headers.map(([name]) => [name, HIDDEN] as const),
    body: { bytes: Buffer.alloc(0), length: message.body.length },
  })
  return {
    ...exchange,
    url: parsedUrl(exchange.url)?.origin ?? '',
    request: hidden(request),
    ...(response && { response: hidden(response) }),
  }
}

const keep = (text: string) => text
/** For exchanges without values. */
const WITHOUT_VALUES: Masking = {
  text: keep,
  json: keep,
  body: (bytes) => bytes,
  header: (_, value) => value,
  url: keep,
}

async function maskedEntry(exchange: RecordedExchange, masking: Masking, check?: SignatureChecker): Promise<HarEntry> {
  const { startedAt, ms, wait = ms, method, request, response } = exchange
  const url = masking.url(exchange.url)
  const sent = exchange.isBodyUnsent
    ? { length: -1, type: '', omitted: 'the client did not send it' }
    : withStandIn(await storedBody(request, masking, !isCutOff(request)))
  const received = response && (await storedBody(response, masking, exchange.error === undefined))
  const time = toMicroseconds(ms)
  const comment = [exchange.error, note('request', sent), note('response', received)].filter(Boolean).join(' ')
  return {
    startedDateTime: rfc3339(startedAt, 3),
    time,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      headers: maskedHeaders(request, masking),
      queryString: queryOf(url),
      cookies: [],
      headersSize: -1,
      bodySize: exchange.isBodyUnsent ? -1 : request.body.length,
      ...(sent.bytes === undefined || sent.length === 0 ? {} : { postData: postData(sent.bytes, sent.type) }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: response === undefined ? '' : knownStatusText(response),
      httpVersion: response === undefined ? '' : 'HTTP/1.1',
      headers: response === undefined ? [] : maskedHeaders(response, masking),
      cookies: [],
      content: received === undefined ? { size: 0, mimeType: 'x-unknown' } : contentOf(received),
      redirectURL: '',
      headersSize: -1,
      bodySize: response?.body.length ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: toMicroseconds(wait), receive: toMicroseconds(ms - wait) },
    ...signatureOf(request, sent, check, masking),
    ...(exchange.isClosedByClient && { _closed_by: 'client' }),
    ...(comment === '' ? {} : { comment: masking.text(comment) }),
  }
}

/** Whether the client sent less than it announced. */
function isCutOff({ headers, body }: ExchangeMessage): boolean {
  return body.length < Number(headerValue(headers, 'content-length') ?? 0)
}

const toMicroseconds = (ms: number) => Math.round(ms * 1000) / 1000

/** Checks the signature of a webhook whose body is stored. Later, the masked body would not match its signature. */
function signatureOf(
  { headers, body }: ExchangeMessage,
  { bytes }: StoredBody,
  check: SignatureChecker | undefined,
  masking: Masking,
): Pick<HarEntry, '_signature'> {
  if (bytes === undefined || check === undefined) return {}
  const found = checkToRecord(check, headers, body.bytes, masking.header)
  return found === undefined ? {} : { _signature: { ...found, is_masked: !bytes.equals(body.bytes) } }
}

interface StoredBody {
  /** The masked body, or `***` for a request body that is not JSON. Absent if nothing is recorded. */
  readonly bytes?: Buffer
  /**
   * The size of the whole body in bytes: of the decoded body if all of it is stored, otherwise of the body as it was
   * sent. -1: the client did not send it.
   */
  readonly length: number
  readonly type: string
  /** Why the body itself is not recorded: the end of a sentence. */
  readonly omitted?: string
  /** Only the beginning of the body is stored. */
  readonly lacksEnd?: true
}

async function storedBody(message: ExchangeMessage, masking: Masking, isComplete: boolean): Promise<StoredBody> {
  const type = mediaType(headerValue(message.headers, 'content-type'))
  const { length } = message.body
  const decoded = await decodedBody(message)
  if (typeof decoded === 'string') return { length, type, omitted: decoded }
  const isWhole = isComplete && decoded.bytes.length === decoded.length
  if (!isWhole && !isEventStream(type)) {
    // A part of a JSON document cannot be masked by its fields.
    if (length === 0) return { bytes: Buffer.alloc(0), length, type }
    return { length, type, omitted: whyPartial(message.body, isComplete) }
  }
  const bytes = masking.body(isWhole ? decoded.bytes : wholeLines(decoded.bytes))
  if (bytes === undefined) return { length, type, omitted: NOT_JSON }
  return { bytes, length: isWhole ? decoded.length : length, type, ...(!isWhole && isComplete && { lacksEnd: true }) }
}

const NOT_JSON = 'it is not JSON'

function whyPartial({ bytes, length }: RecordedBytes, isComplete: boolean): string {
  if (bytes.length < length) return 'it is longer than --body-limit'
  return isComplete ? 'it is too long when decoded' : 'it is not complete'
}

/** Returns the reason phrase if it is the standard one. Any other may contain personal data, so it is omitted. */
function knownStatusText({ status, statusText }: { readonly status: number; readonly statusText: string }): string {
  return statusText === STATUS_CODES[status] ? statusText : ''
}

const STAND_IN = Buffer.from(HIDDEN)

/** Replaces a request body that is not JSON by `***`, so that a sandbox also rejects the request. */
function withStandIn(stored: StoredBody): StoredBody {
  return stored.omitted === NOT_JSON ? { ...stored, bytes: STAND_IN } : stored
}

/**
 * Decodes the body. Returns the reason as a clause if it cannot be decoded. If not all of it was decoded, `length` is
 * one more than the number of bytes, which marks the body as incomplete.
 */
async function decodedBody({ headers, body }: ExchangeMessage): Promise<RecordedBytes | string> {
  const encodings = encodingsOf(headers)
  if (encodings.length === 0 || body.bytes.length === 0) return body
  const isWhole = body.bytes.length === body.length
  try {
    const decoded = await decodeBody({ bytes: body.bytes, isWhole }, encodings, MAX_DECODED)
    return { bytes: decoded.bytes, length: decoded.isWhole ? decoded.bytes.length : decoded.bytes.length + 1 }
  } catch (error) {
    if (error instanceof DecodingError) return error.message
    throw error
  }
}

const isEventStream = (type: string) => type.toLowerCase().startsWith('text/event-stream')

/** Returns the bytes up to the last line end. */
function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf('\n') + 1)
}

function note(name: string, stored: StoredBody | undefined): string {
  if (stored?.lacksEnd === true)
    return `The end of the ${name} body (${countOf(stored.length, 'byte')}) is not recorded.`
  if (stored?.omitted === undefined) return ''
  const what = stored.bytes === STAND_IN ? 'replaced by ***' : 'not recorded'
  const size = stored.length < 0 ? '' : ` (${countOf(stored.length, 'byte')})`
  return `The ${name} body${size} is ${what}: ${stored.omitted}.`
}

function maskedHeaders({ headers }: ExchangeMessage, masking: Masking): HarHeader[] {
  return headers.map(([name, value]) => ({ name: masking.text(name), value: masking.header(name, value) }))
}

function queryOf(url: string): HarHeader[] {
  const at = url.indexOf('?')
  if (at < 0) return []
  return [...new URLSearchParams(url.slice(at + 1))].map(([name, value]) => ({ name, value }))
}

function postData(bytes: Buffer, type: string): HarPostData {
  return { mimeType: recordedMediaType(type) || 'application/octet-stream', text: bytes.toString('utf8') }
}

function contentOf({ bytes, length, type }: StoredBody): HarContent {
  const mimeType = recordedMediaType(type) || 'x-unknown'
  return bytes === undefined
    ? { size: length, mimeType }
    : { size: bytes.length, mimeType, text: bytes.toString('utf8') }
}
