// Parses bytes as JSON, with a message for every kind of malformed input.

import { isUtf8 } from 'node:buffer'
import { quoteText } from '../domain/characters.ts'
import { type RefusalError, refuse } from '../domain/errors.ts'
import { encodingError } from '../domain/json-syntax-error.ts'
import { isTooDeep, MAX_DEPTH } from '../domain/json-values.ts'

/** @throws RefusalError `bad_request` if the body is not UTF-8 */
export function bodyText(raw: Buffer): string {
  if (isUtf8(raw)) return raw.toString('utf8')
  throw misencoded(raw) ?? refuse('bad_request', 'body: expected JSON in UTF-8.')
}

function misencoded(bytes: Uint8Array): RefusalError | undefined {
  const error = encodingError(bytes)
  if (error === undefined) return undefined
  return refuse('bad_request', `body: expected JSON in UTF-8, got ${error.found}. Encode it as ${error.wanted}.`)
}

/** @throws RefusalError `bad_request` if the text is not JSON or is nested too deep */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw notJson(text, error)
  }
  if (isTooDeep(value)) {
    throw refuse('bad_request', `body: nested more than ${MAX_DEPTH} levels deep. Use at most ${MAX_DEPTH} levels.`)
  }
  return value
}

/** Accepts `application/json` in UTF-8, or no Content-Type. */
export function checkContentType(value: string | undefined): void {
  if (value === undefined || isJsonType(value)) return
  throw refuse(
    'bad_request',
    `Content-Type: expected application/json in UTF-8, got ${quoteText(value)}. Send Content-Type: application/json.`,
  )
}

/** Returns whether the Content-Type is JSON in UTF-8. */
export function isJsonType(value: string): boolean {
  if (value === 'application/json') return true
  return /^application\/json\s*(;\s*charset\s*=\s*("utf-?8"|utf-?8)\s*)?;?$/i.test(value.trim())
}

/**
 * Rejects encoded bodies, because signatures and limits apply to the bytes as sent.
 * @param code the code of the error, which depends on the API
 */
export function checkEncoding(value: string, code: 'bad_request' | 'unsupported_media_type'): void {
  if (/^(identity)?$/i.test(value.trim())) return
  const shown = quoteText(value)
  throw refuse(code, `Content-Encoding: expected none, got ${shown}. Send the body uncompressed, without this header.`)
}

function notJson(text: string, error: unknown): RefusalError {
  // ASCII text in UTF-16 is also valid UTF-8, with a zero in every other byte.
  const encoding = misencoded(Buffer.from(text.slice(0, 4)))
  if (encoding !== undefined) return encoding
  if (text.trim() === '') return refuse('bad_request', 'body: expected a JSON object, got nothing.')
  const reason = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 160) : ''
  return refuse('bad_request', `body: expected JSON, but it cannot be parsed: ${reason}`)
}
