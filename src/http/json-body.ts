// Bytes to JSON, with every fault of the bytes told in words.
import { isUtf8 } from 'node:buffer'
import { type RefusalError, refuse } from '../domain/errors.ts'
import { encodingError } from '../domain/json-syntax-error.ts'

/** Deeper bodies are refused: what walks over them later may recurse. */
const DEEPEST = 64

/** The text of a body that must be UTF-8. */
export function bodyText(raw: Buffer): string {
  if (isUtf8(raw)) return raw.toString('utf8')
  throw misencoded(raw) ?? refuse('bad_request', 'body: expected JSON in UTF-8.')
}

function misencoded(bytes: Uint8Array): RefusalError | undefined {
  const fault = encodingError(bytes)
  if (fault === undefined) return undefined
  return refuse('bad_request', `body: expected JSON in UTF-8, got ${fault.found}. Encode it as ${fault.wanted}.`)
}

/** The JSON value of a body's text. */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw notJson(text, error)
  }
  if (deeperThan(value, DEEPEST)) {
    throw refuse('bad_request', `body: nested more than ${DEEPEST} levels deep. Send a flat object.`)
  }
  return value
}

/** A body is `application/json` in UTF-8, or says nothing about itself. */
export function checkContentType(value: string | undefined): void {
  if (value === undefined || value === 'application/json') return
  if (/^application\/json\s*(;\s*charset\s*=\s*("utf-8"|utf-8|utf8)\s*)?;?$/i.test(value.trim())) return
  throw refuse(
    'bad_request',
    `Content-Type: expected application/json in UTF-8, got ${JSON.stringify(value.slice(0, 100))}. Send Content-Type: application/json.`,
  )
}

/**
 * A body comes as it is: signatures and limits are over the bytes as sent.
 * @param code what the API refuses another media type with
 */
export function checkEncoding(value: string, code: 'bad_request' | 'unsupported_media_type'): void {
  if (/^(identity)?$/i.test(value.trim())) return
  const shown = JSON.stringify(value.slice(0, 100))
  throw refuse(code, `Content-Encoding: expected none, got ${shown}. Send the body uncompressed, without this header.`)
}

function notJson(text: string, error: unknown): RefusalError {
  // UTF-16 of plain letters is UTF-8, too, with every other byte zero.
  const encoding = misencoded(Buffer.from(text.slice(0, 4)))
  if (encoding !== undefined) return encoding
  if (text.trim() === '') return refuse('bad_request', 'body: expected a JSON object, got nothing.')
  const why = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 160) : ''
  return refuse('bad_request', `body: expected JSON, and it cannot be parsed: ${why}`)
}

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'object' && inner !== null && deeperThan(inner, levels - 1)) return true
  }
  return false
}
