// Reads files with one JSON document per line: `psp listen --json`, `psp logs --json`, nginx logs, or webhook bodies.
import { isUtf8 } from 'node:buffer'
import { eventIdentityOf } from '../domain/imported-event.ts'
import { jsonSyntaxError } from '../domain/json-syntax-error.ts'
import { asObject, asText, isTooDeep, type JsonObject, MAX_DEPTH } from '../domain/json-values.ts'
import type { RecordedMessage } from './recorded-message.ts'
import { RecordingError } from './recording-error.ts'
import { type TextLine, textLines } from './text-lines.ts'

/** @param onInvalid called for a line that cannot be read. It may throw the error, or return to skip the line. */
export async function* lineMessages(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
  onInvalid: (error: RecordingError) => void,
): AsyncGenerator<RecordedMessage> {
  for await (const line of textLines(pieces, name)) {
    const text = isUtf8(line.bytes) ? line.bytes.toString('utf8') : undefined
    if (text?.trim() === '') continue
    const document = text === undefined ? undefined : documentOf(text)
    if (document !== undefined) yield* messagesOf(document, line)
    else onInvalid(new RecordingError(`${name} line ${line.number} ${whyInvalid(text, line)}`, HINT))
  }
}

const HINT = 'Each line must be one JSON document. Correct the line, or leave it out with --skip-invalid.'

function whyInvalid(text: string | undefined, { hasEnd }: TextLine): string {
  if (text === undefined) return 'is not UTF-8.'
  try {
    const value: unknown = JSON.parse(text)
    if (isTooDeep(value)) return `is nested more than ${MAX_DEPTH} levels deep.`
    return `is not a JSON object, but ${Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`}.`
  } catch {
    if (!hasEnd && /^\s*\{/.test(text)) return 'is incomplete: the file ends in the middle of it.'
    // Not the message of the parser, because it quotes the line.
    return `is not JSON at column ${jsonSyntaxError(text).column}.`
  }
}

function documentOf(text: string): JsonObject | undefined {
  try {
    const document = asObject(parsedLine(text))
    return isTooDeep(document) ? undefined : document
  } catch {
    return undefined
  }
}

/** nginx writes each special byte as `\xNN`, which is not JSON, unless its format has `escape=json`. */
const ESCAPED_BYTE = /\\x([\dA-Fa-f]{2})/g

/** @throws SyntaxError */
function parsedLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (text.search(ESCAPED_BYTE) < 0) throw error
    return JSON.parse(text.replace(ESCAPED_BYTE, '\\u00$1'), (_, value: unknown) =>
      typeof value === 'string' ? fromBytes(value) : value,
    )
  }
}

/** Decodes a string in which each character is one byte of UTF-8. */
function fromBytes(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  return /^[\0-\xff]*$/.test(text) && isUtf8(bytes) ? bytes.toString('utf8') : text
}

function messagesOf(document: JsonObject, line: TextLine): RecordedMessage[] {
  const place = `line ${line.number}`
  const text = line.bytes.toString('utf8')
  // The line is the body itself.
  if (eventIdentityOf(text) !== undefined) return [{ place, body: line.bytes, headers: [], about: 'an event' }]
  // A page of `psp logs --json`, newest first.
  const { items } = document
  if (Array.isArray(items)) {
    return items
      .map(asObject)
      .filter((item) => item !== undefined)
      .reverse()
      .map((item, at) => fromFields(item, `${place} item ${items.length - at}`))
  }
  // Lines of `psp listen --json` about attempts contain only the body of the response.
  if (document['type'] === 'attempt' || document['type'] === 'ready') return []
  return [fromFields(document, place)]
}

/** The fields of logs that contain the body of a request, in order of preference. */
const BODY_FIELDS = ['request_body', 'body', 'raw_body', 'rawBody', 'payload', 'message', 'msg', 'log']
const TIME_FIELDS = ['received_at', 'at', 'time_iso8601', 'time', '@timestamp', 'timestamp', 'ts', 'msec', 'time_local']

function fromFields(document: JsonObject, place: string): RecordedMessage {
  const body = bodyOf(document)
  const at = TIME_FIELDS.map((field) => timeOf(document[field])).find((time) => time !== undefined)
  const method = document['method'] ?? document['request_method'] ?? ''
  const path = document['path'] ?? document['request_uri'] ?? document['uri'] ?? document['request'] ?? ''
  const about = `${String(method)} ${String(path)}`.trim()
  return {
    place,
    ...(at !== undefined && { at }),
    ...(body !== undefined && body.length > 0 && { body }),
    headers: headersOf(document),
    about: about === '' ? 'a log line' : about,
  }
}

function bodyOf(document: JsonObject): Buffer | undefined {
  const b64 = asText(document['body_b64'] ?? document['request_body_b64'])
  if (b64 !== undefined) return Buffer.from(b64, 'base64')
  // `psp logs` has the body in `request`.
  const request = asText(asObject(document['request'])?.['body'])
  if (request !== undefined) return Buffer.from(request)
  for (const field of BODY_FIELDS) {
    const value = document[field]
    // nginx writes `-` for a missing body.
    if (typeof value === 'string' && value !== '' && value !== '-') return Buffer.from(value)
    // The exact bytes are lost, so the signature may not match.
    if ('event' in (asObject(value) ?? {})) return Buffer.from(JSON.stringify(value))
  }
  return undefined
}

/** Headers are an object, a list of pairs, or fields such as `http_x_psp_signature` of nginx. */
function headersOf(document: JsonObject): RecordedMessage['headers'] {
  const given = document['headers'] ?? asObject(document['request'])?.['headers']
  const listed = Array.isArray(given) ? given.filter(isPair) : Object.entries(asObject(given) ?? {})
  const fields = Object.entries(document)
    .filter(([name]) => /^(http_)?x_psp_\w+$/i.test(name))
    .map(([name, value]) => [name.replace(/^http_/i, '').replaceAll('_', '-'), value] as const)
  return [...listed, ...fields].filter(([, value]) => typeof value === 'string' && value !== '' && value !== '-') as [
    string,
    string,
  ][]
}

function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string'
}

/** Seconds since 1970, for the years 2001 to 2286, with an optional fraction. */
const SECONDS = /^\d{10}(\.\d+)?$/
const MILLISECONDS = /^\d{13}$/
/** `29/Nov/2026:12:00:00 +0000` of nginx. */
const LOCAL = /^(\d{2})\/(\w{3})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{4})$/

function timeOf(value: unknown): number | undefined {
  const text = String(value ?? '')
  if (SECONDS.test(text)) return Math.round(Number(text) * 1000)
  if (MILLISECONDS.test(text)) return Number(text)
  const local = LOCAL.exec(text)
  const time = Date.parse(local === null ? text : `${local[1]} ${local[2]} ${local[3]} ${local[4]} ${local[5]}`)
  return typeof value !== 'string' || Number.isNaN(time) ? undefined : time
}
