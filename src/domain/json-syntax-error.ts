// What is wrong with bytes that should be JSON in UTF-8, and where: the engine itself does not always tell.
import { isUtf8 } from 'node:buffer'

export interface TextSyntaxError {
  /** Counted from 1. */
  readonly line: number
  /** In characters, counted from 1. */
  readonly column: number
  readonly why: string
}

export interface EncodingError extends TextSyntaxError {
  /** What stands there in place of UTF-8, and what to write instead: of a request's body as of a file. */
  readonly found: string
  readonly wanted: string
}

/** `undefined` for UTF-8 without a byte order mark. */
export function encodingError(bytes: Uint8Array): EncodingError | undefined {
  const [a, b, c] = bytes
  const at = { line: 1, column: 1 }
  // Without a mark it shows by the half of the first character that is zero.
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

/** An object whose end is missing: more text could make JSON of it. */
export function endsEarly(text: string): boolean {
  return /^\s*\{/.test(text) && refusalOf(text) !== undefined && mayGoOn(text)
}

/** Of a text that `JSON.parse` refused. */
export function jsonSyntaxError(text: string): TextSyntaxError {
  const why = (refusalOf(text) ?? '').replace(/\s+/g, ' ')
  const offset = Math.min(faultOffset(text), text.trimEnd().length)
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - start + 1, why }
}

/** The first character that no text can go on with. */
function faultOffset(text: string): number {
  const told = positionIn(refusalOf(text) ?? '')
  if (told !== undefined) return told
  let [sound, faulty] = [0, text.length + 1]
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2)
    if (mayGoOn(text.slice(0, middle))) sound = middle
    else faulty = middle
  }
  return sound
}

function mayGoOn(prefix: string): boolean {
  const refusal = refusalOf(prefix)
  if (refusal === undefined || /^Unexpected end|^Unterminated string/.test(refusal)) return true
  return (positionIn(refusal) ?? 0) >= prefix.length
}

function positionIn(refusal: string): number | undefined {
  const position = / at position (\d+)/.exec(refusal)?.[1]
  return position === undefined ? undefined : Number(position)
}

function refusalOf(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
