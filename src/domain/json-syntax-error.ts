// Locates errors in bytes that should be JSON in UTF-8. The JavaScript engine does not always report the position.
import { isUtf8 } from 'node:buffer'

export interface TextSyntaxError {
  /** Starts at 1. */
  readonly line: number
  /** In characters, starts at 1. */
  readonly column: number
  readonly why: string
}

export interface EncodingError extends TextSyntaxError {
  /** The encoding that was found, and the one to use. Unlike `why`, they also suit messages about a request. */
  readonly found: string
  readonly wanted: string
}

/** Returns the encoding error, or `undefined` for UTF-8 without a byte order mark. */
export function encodingError(bytes: Uint8Array): EncodingError | undefined {
  const [a, b, c] = bytes
  const at = { line: 1, column: 1 }
  // UTF-16 without a byte order mark has a zero byte in its first ASCII character.
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (bytes.length > 1 && (a === 0) !== (b === 0))) {
    return { ...at, found: 'UTF-16', wanted: 'UTF-8', why: 'it is UTF-16: save it as UTF-8' }
  }
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    const wanted = 'UTF-8 without BOM'
    return {
      ...at,
      found: 'a byte order mark first',
      wanted,
      why: `it begins with a byte order mark: save it as ${wanted}`,
    }
  }
  return isUtf8(bytes) ? undefined : notUtf8(bytes)
}

function notUtf8(bytes: Uint8Array): EncodingError {
  let line = 1
  for (let start = 0; ; line++) {
    const newline = bytes.indexOf(10, start)
    const text = bytes.subarray(start, newline < 0 ? bytes.length : newline)
    if (newline < 0 || !isUtf8(text)) {
      const column = new TextDecoder().decode(text).indexOf('\ufffd') + 1
      const found = 'bytes that are not UTF-8'
      return { line, column, found, wanted: 'UTF-8', why: `it has ${found}: save it as UTF-8` }
    }
    start = newline + 1
  }
}

/** Whether the text is the beginning of a JSON object whose end is missing. */
export function isIncompleteObject(text: string): boolean {
  return /^\s*\{/.test(text) && parseErrorOf(text) !== undefined && isPrefixOfJson(text)
}

/** Returns the error of a text that `JSON.parse` rejects. */
export function jsonSyntaxError(text: string): TextSyntaxError {
  const why = (parseErrorOf(text) ?? '').replace(/\s+/g, ' ')
  const offset = Math.min(errorOffset(text), text.trimEnd().length)
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - start + 1, why }
}

/** Returns the offset of the first character that makes the text invalid. */
function errorOffset(text: string): number {
  const reported = positionIn(parseErrorOf(text) ?? '')
  if (reported !== undefined) return reported
  let [valid, invalid] = [0, text.length + 1]
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2)
    if (isPrefixOfJson(text.slice(0, middle))) valid = middle
    else invalid = middle
  }
  return valid
}

function isPrefixOfJson(prefix: string): boolean {
  const message = parseErrorOf(prefix)
  if (message === undefined || /^Unexpected end|^Unterminated string/.test(message)) return true
  return (positionIn(message) ?? 0) >= prefix.length
}

function positionIn(message: string): number | undefined {
  const position = / at position (\d+)/.exec(message)?.[1]
  return position === undefined ? undefined : Number(position)
}

function parseErrorOf(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
