// Spec 6.1, Receiver rules: a body that something read before the check, and what it left in its place.
import { endsEarly } from '../domain/json-fault.ts'
import { MENDS } from '../domain/receiver-advice.ts'
import type { ExplainedCause } from './diagnosis-input.ts'

export interface DamagedBody {
  readonly cause: ExplainedCause
  /** Cause and next step. */
  readonly message: string
  /** @param stored the bytes that the sandbox sent, where they are known */
  readonly matches: (body: Buffer, stored?: Buffer) => boolean
}

const DAMAGED_BODIES = [
  {
    cause: 'empty_body',
    message: `The body is empty, and that of a webhook never is: something had read it before. ${MENDS.body_once}`,
    matches: (body) => body.length === 0,
  },
  {
    cause: 'parsed_body',
    message: `This is no body that came but what is left of one that was parsed or turned into text. ${MENDS.body_once}`,
    matches: (body) => PARSER_RESULT.test(body.subarray(0, MAX_TESTED_LENGTH).toString('latin1')),
  },
  {
    cause: 'truncated_body',
    message: `The end of the body is missing. ${MENDS.whole_body}`,
    matches: (body, stored) => (stored === undefined ? endsEarly(body.toString()) : isPrefixOf(body, stored)),
  },
] as const satisfies readonly DamagedBody[]

/** `undefined` where the body looks like one that came over the wire. */
export function detectDamagedBody(body: Buffer, stored?: Buffer): DamagedBody | undefined {
  return DAMAGED_BODIES.find(({ matches }: DamagedBody) => matches(body, stored))
}

/** `{}` of a parser that had nothing to read, `String(…)` of an object, bytes as a list or as JSON. */
const PARSER_RESULT =
  /^(\{\}|\[\]|null|undefined|""|\[object [A-Z]\w*\]|\{"type":"Buffer","data":\[.*|\{"0":\d+,"1":\d+,.*|\d{1,3},\d{1,3},\d{1,3},.*)$/s
/** More of it tells no more. */
const MAX_TESTED_LENGTH = 64

function isPrefixOf(body: Buffer, stored: Buffer): boolean {
  return body.length < stored.length && body.equals(stored.subarray(0, body.length))
}
