// Spec 6.1, Receiver rules: common changes to a body, and how to detect a body that was read, parsed or truncated.

import { isIncompleteObject } from '../domain/json-syntax-error.ts'
import { FIXES } from '../domain/remediation.ts'
import type { ExplainedFinding } from './diagnosis-input.ts'

interface BodyTransform extends ExplainedFinding {
  /** Returns the bodies from which, or into which, this change may have turned `body`. */
  variants(body: Buffer): readonly Buffer[]
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

export const RESERIALISED: ExplainedFinding = {
  cause: 'reserialised',
  message: `The body was parsed and serialized again. ${FIXES.raw_bytes}`,
}

export const BODY_TRANSFORMS: readonly BodyTransform[] = [
  {
    cause: 'bom',
    message: `A byte order mark was added at the start of the body, or removed. ${FIXES.byte_order_mark}`,
    variants: (body) => [body.subarray(0, 3).equals(BOM) ? body.subarray(3) : Buffer.concat([BOM, body])],
  },
  {
    cause: 'crlf',
    message: `The line endings were changed between LF and CRLF. ${FIXES.line_ends}`,
    variants: (body) => [
      replaceBytes(body, (text) => text.replaceAll('\r\n', '\n')),
      replaceBytes(body, (text) => text.replace(/\r?\n/g, '\r\n')),
    ],
  },
  {
    cause: 'trailing_newline',
    message: `A newline at the end of the body was added or removed. ${FIXES.last_newline}`,
    variants: (body) => [
      replaceBytes(body, (text) => text.replace(/[\r\n]+$/, '')),
      replaceBytes(body, (text) => text.replace(/\r?\n$/, '')),
      Buffer.concat([body, Buffer.from('\n')]),
      Buffer.concat([body, Buffer.from('\r\n')]),
    ],
  },
  {
    cause: 'escaped_slash',
    message: `Slashes were escaped as \\/, as PHP does, or unescaped. ${FIXES.slashes}`,
    variants: (body) => [
      replaceBytes(body, (text) => text.replace(/\\(.)/gs, (pair, next) => (next === '/' ? '/' : pair))),
      replaceBytes(body, (text) => text.replace(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found))),
    ],
  },
  {
    ...RESERIALISED,
    variants: (body) => jsonVariants(body.toString()).map((text) => Buffer.from(text)),
  },
]

/** Yields every body that one transform, or two in sequence, may have turned into `body`. */
export function* candidateBodies(
  body: Buffer,
): Generator<{ readonly transform: BodyTransform; readonly body: Buffer }> {
  for (const transform of BODY_TRANSFORMS)
    for (const restored of undoTransform(transform, body)) yield { transform, body: restored }
  for (const [i, transform] of BODY_TRANSFORMS.entries()) {
    for (const restored of undoTransform(transform, body)) {
      for (const second of BODY_TRANSFORMS.slice(i + 1)) {
        for (const restoredTwice of undoTransform(second, restored)) yield { transform, body: restoredTwice }
      }
    }
  }
}

function undoTransform(transform: BodyTransform, body: Buffer): Buffer[] {
  return transform.variants(body).filter((restored) => !restored.equals(body))
}

/** Changes text without altering other bytes, because Latin-1 maps each byte to one character and back. */
function replaceBytes(body: Buffer, change: (text: string) => string): Buffer {
  return Buffer.from(change(body.toString('latin1')), 'latin1')
}

/** Returns the same JSON as this service and common libraries serialize it. */
function jsonVariants(text: string): string[] {
  try {
    const value = JSON.parse(text)
    // Libraries that sort keys change the order of a webhook's keys.
    const compact = [value, { ...EVENT_KEYS, ...value }].map((shaped) => JSON.stringify(shaped))
    const indented = [2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent))
    const python = stringifyLikePython(value)
    return [...compact, ...indented, python, ...[...compact, python].map(escapeNonAscii)]
  } catch {
    return []
  }
}

/** The first keys of a webhook, in order. JSON omits those that stay undefined. */
const EVENT_KEYS = { id: undefined, event: undefined, created_at: undefined, data: undefined }

/** Serializes like Python's `json.dumps`, with a space after each comma and colon. */
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

interface DamagedBody extends ExplainedFinding {
  /** @param stored the bytes that the sandbox sent, if known */
  readonly matches: (body: Buffer, stored?: Buffer) => boolean
}

const DAMAGED_BODIES = [
  {
    cause: 'empty_body',
    message: `The body is empty, which a webhook never is, so other code read it first. ${FIXES.body_once}`,
    matches: (body) => body.length === 0,
  },
  {
    cause: 'parsed_body',
    message: `This is not the received body, but the result of parsing it or converting it to text. ${FIXES.body_once}`,
    matches: (body) => PARSER_RESULT.test(body.subarray(0, MAX_TESTED_LENGTH).toString('latin1')),
  },
  {
    cause: 'truncated_body',
    message: `The end of the body is missing. ${FIXES.whole_body}`,
    matches: (body, stored) => (stored === undefined ? isIncompleteObject(body.toString()) : isPrefixOf(body, stored)),
  },
] as const satisfies readonly DamagedBody[]

/** Returns how the body was damaged, or `undefined` if it looks complete. */
export function detectDamagedBody(body: Buffer, stored?: Buffer): DamagedBody | undefined {
  return DAMAGED_BODIES.find(({ matches }: DamagedBody) => matches(body, stored))
}

/**
 * Matches what broken code passes on: `{}` from a parser that got no input, the result of `String(object)`, or the
 * bytes as a list or as JSON.
 */
const PARSER_RESULT =
  /^(\{\}|\[\]|null|undefined|""|\[object [A-Z]\w*\]|\{"type":"Buffer","data":\[.*|\{"0":\d+,"1":\d+,.*|\d{1,3},\d{1,3},\d{1,3},.*)$/s
/** The number of bytes that are enough to recognize the result of a parser. */
const MAX_TESTED_LENGTH = 64

function isPrefixOf(body: Buffer, stored: Buffer): boolean {
  return body.length < stored.length && body.equals(stored.subarray(0, body.length))
}
