// Spec 6.1, Receiver rules: detects a body that was read, parsed or truncated before it was verified.
import { isIncompleteObject } from '../domain/json-syntax-error.ts'
import { FIXES } from '../domain/remediation.ts'
import type { ExplainedCause } from './diagnosis-input.ts'

export interface DamagedBody {
  readonly cause: ExplainedCause
  /** The cause and the next step. */
  readonly message: string
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

/** Matches `{}` of a parser without input, `String(…)` of an object, and bytes as a list or as JSON. */
const PARSER_RESULT =
  /^(\{\}|\[\]|null|undefined|""|\[object [A-Z]\w*\]|\{"type":"Buffer","data":\[.*|\{"0":\d+,"1":\d+,.*|\d{1,3},\d{1,3},\d{1,3},.*)$/s
/** The number of bytes that are enough to recognize the result of a parser. */
const MAX_TESTED_LENGTH = 64

function isPrefixOf(body: Buffer, stored: Buffer): boolean {
  return body.length < stored.length && body.equals(stored.subarray(0, body.length))
}
