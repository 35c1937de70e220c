// Spec 6.1, Receiver rules: what happens to a body between the wire and the check, and how to undo it.
import { MENDS } from '../domain/receiver-advice.ts'
import type { ExplainedCause } from './diagnosis-input.ts'

export interface BodyTransform {
  readonly cause: ExplainedCause
  readonly message: string
  /** Bodies that may have been signed, if this is what happened to the one at hand. */
  undo(body: Buffer): readonly Buffer[]
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

export const BODY_TRANSFORMS: readonly BodyTransform[] = [
  {
    cause: 'bom',
    message: `A byte order mark was put before the body (or taken away). ${MENDS.byte_order_mark}`,
    undo: (body) => [body.subarray(0, 3).equals(BOM) ? body.subarray(3) : Buffer.concat([BOM, body])],
  },
  {
    cause: 'crlf',
    message: `Line ends were changed between LF and CRLF. ${MENDS.line_ends}`,
    undo: (body) => [
      replaceBytes(body, (text) => text.replaceAll('\r\n', '\n')),
      replaceBytes(body, (text) => text.replace(/\r?\n/g, '\r\n')),
    ],
  },
  {
    cause: 'trailing_newline',
    message: `A newline at the end of the body was added or lost. ${MENDS.last_newline}`,
    undo: (body) => [
      replaceBytes(body, (text) => text.replace(/[\r\n]+$/, '')),
      replaceBytes(body, (text) => text.replace(/\r?\n$/, '')),
      Buffer.concat([body, Buffer.from('\n')]),
      Buffer.concat([body, Buffer.from('\r\n')]),
    ],
  },
  {
    cause: 'escaped_slash',
    message: `Slashes were escaped as \\/ (or unescaped), as PHP does. ${MENDS.slashes}`,
    undo: (body) => [
      replaceBytes(body, (text) => text.replace(/\\(.)/gs, (pair, next) => (next === '/' ? '/' : pair))),
      replaceBytes(body, (text) => text.replace(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found))),
    ],
  },
  {
    cause: 'reserialised',
    message: `The body was parsed and written again. ${MENDS.raw_bytes}`,
    undo: (body) => jsonVariants(body.toString()).map((text) => Buffer.from(text)),
  },
]

/** Every body one try, or two of them one after the other, may lead back to. */
export function* candidateBodies(body: Buffer): Generator<{ readonly tried: BodyTransform; readonly body: Buffer }> {
  for (const tried of BODY_TRANSFORMS) for (const undone of undoTransform(tried, body)) yield { tried, body: undone }
  for (const [i, tried] of BODY_TRANSFORMS.entries()) {
    for (const undone of undoTransform(tried, body)) {
      for (const second of BODY_TRANSFORMS.slice(i + 1)) {
        for (const both of undoTransform(second, undone)) yield { tried, body: both }
      }
    }
  }
}

function undoTransform(tried: BodyTransform, body: Buffer): Buffer[] {
  return tried.undo(body).filter((undone) => !undone.equals(body))
}

/** Latin-1 maps each byte to one character and back, so nothing but the change is changed. */
function replaceBytes(body: Buffer, change: (text: string) => string): Buffer {
  return Buffer.from(change(body.toString('latin1')), 'latin1')
}

/** The same JSON as this service and usual libraries write it. */
function jsonVariants(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text)
    const written = [value, sortEventKeys(value)].map((shaped) => JSON.stringify(shaped))
    const spaced = [2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent))
    const python = stringifyLikePython(value)
    return [...written, ...spaced, python, ...[...written, python].map(escapeNonAscii)]
  } catch {
    return []
  }
}

const EVENT_ORDER = ['id', 'event', 'created_at', 'data']

/** Libraries that sort keys change the order of a webhook's own four. */
function sortEventKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const rank = (key: string) => (EVENT_ORDER.includes(key) ? EVENT_ORDER.indexOf(key) : EVENT_ORDER.length)
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => rank(a) - rank(b)))
}

/** `json.dumps`: a space after each comma and colon. */
function stringifyLikePython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stringifyLikePython).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${stringifyLikePython(inner)}`)
    .join(', ')}}`
}

function escapeNonAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
