// Spec 6.1, Receiver rules: a body that something read before the check, and what it left in its place.
import { endsEarly } from '../domain/json-fault.ts'
import { MENDS } from '../domain/receiver-advice.ts'
import type { ExplainedCause } from './explain-case.ts'

export interface LostBody {
  readonly cause: ExplainedCause
  /** Cause and next step. */
  readonly message: string
  /** @param stored the bytes that the sandbox sent, where they are known */
  readonly is: (body: Buffer, stored?: Buffer) => boolean
}

const LOST_BODIES = [
  {
    cause: 'empty_body',
    message: `The body is empty, and that of a webhook never is: something had read it before. ${MENDS.body_once}`,
    is: (body) => body.length === 0,
  },
  {
    cause: 'parsed_body',
    message: `This is no body that came but what is left of one that was parsed or turned into text. ${MENDS.body_once}`,
    is: (body) => LEFT_BY_PARSERS.test(body.subarray(0, LONGEST_REST).toString('latin1')),
  },
  {
    cause: 'truncated_body',
    message: `The end of the body is missing. ${MENDS.whole_body}`,
    is: (body, stored) => (stored === undefined ? endsEarly(body.toString()) : isBeginning(body, stored)),
  },
] as const satisfies readonly LostBody[]

/** `undefined` where the body looks like one that came over the wire. */
export function lostBody(body: Buffer, stored?: Buffer): LostBody | undefined {
  return LOST_BODIES.find(({ is }: LostBody) => is(body, stored))
}

/** `{}` of a parser that had nothing to read, `String(…)` of an object, bytes as a list or as JSON. */
const LEFT_BY_PARSERS =
  /^(\{\}|\[\]|null|undefined|""|\[object [A-Z]\w*\]|\{"type":"Buffer","data":\[.*|\{"0":\d+,"1":\d+,.*|\d{1,3},\d{1,3},\d{1,3},.*)$/s
/** More of it tells no more. */
const LONGEST_REST = 64

function isBeginning(body: Buffer, stored: Buffer): boolean {
  return body.length < stored.length && body.equals(stored.subarray(0, body.length))
}
