// Checks the arguments of a call for programs in JavaScript, which have no compiler.
import { isJsonObject } from '../domain/json-values.ts'
import { requireKnownOptions } from '../domain/known-options.ts'
import { FIXES } from '../domain/remediation.ts'

/**
 * @param example valid options of this call, for the error
 * @throws TypeError if `options` is not an object or has an unknown name
 */
export function requireOptions(
  call: string,
  options: unknown,
  known: Readonly<Record<string, true>>,
  example: string,
): void {
  if (!isJsonObject(options) || ArrayBuffer.isView(options)) {
    throw new TypeError(`${call} expects its options as an object, such as ${example}, got ${describeValue(options)}.`)
  }
  requireKnownOptions(call, options, Object.keys(known))
}

/**
 * Rejects a parsed body, because only the original bytes can match a signature.
 * @throws TypeError
 */
export function requireRawBody(call: string, rawBody: unknown): void {
  if (typeof rawBody === 'string' || rawBody instanceof Uint8Array) return
  throw new TypeError(`${call} needs the raw body as bytes or text, got ${describeBody(rawBody)}. ${FIXES.body_once}`)
}

function describeBody(value: unknown): string {
  if (value instanceof ArrayBuffer) return 'an ArrayBuffer: wrap it, Buffer.from(body)'
  if (ArrayBuffer.isView(value))
    return `a ${value.constructor.name}: wrap it, Buffer.from(body.buffer, body.byteOffset, body.byteLength)`
  return typeof value === 'object' && value !== null ? 'a parsed object' : String(value)
}

/** Describes a value for an error. Longer text is not included, because it may be a secret or a body. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (ArrayBuffer.isView(value)) return 'bytes'
  if (typeof value !== 'string') return String(value)
  return value.length <= 8 ? JSON.stringify(value) : 'a string'
}
