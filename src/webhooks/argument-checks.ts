// Slips in a call: from JavaScript no compiler sees them, and a misspelt tolerance would be none.
import { MENDS } from '../domain/receiver-advice.ts'

/**
 * @param example how the options of this call look
 * @throws TypeError for what is no object, and for a name that no option has
 */
export function checkOptions(
  call: string,
  options: unknown,
  known: Readonly<Record<string, true>>,
  example: string,
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options) || ArrayBuffer.isView(options)) {
    throw new TypeError(`${call} takes its options as an object, such as ${example}; it got ${describeValue(options)}.`)
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(known, name)) continue
    throw new TypeError(`${name}: ${call} has no such option. It has ${Object.keys(known).join(', ')}.`)
  }
}

/**
 * A body that a parser ran over is gone, and no signature can fit.
 * @throws TypeError
 */
export function requireRawBody(call: string, rawBody: unknown): void {
  if (typeof rawBody === 'string' || rawBody instanceof Uint8Array) return
  throw new TypeError(`${call} needs the raw body as bytes or text, got ${describeBody(rawBody)}. ${MENDS.body_once}`)
}

function describeBody(value: unknown): string {
  if (value instanceof ArrayBuffer) return 'an ArrayBuffer: wrap it, Buffer.from(body)'
  if (ArrayBuffer.isView(value))
    return `a ${value.constructor.name}: wrap it, Buffer.from(body.buffer, body.byteOffset, body.byteLength)`
  return typeof value === 'object' && value !== null ? 'a parsed object' : String(value)
}

/** The text itself is not told: it may be a secret, or a body. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (ArrayBuffer.isView(value)) return 'bytes'
  if (typeof value !== 'string') return String(value)
  return value.length <= 8 ? JSON.stringify(value) : 'a text'
}
