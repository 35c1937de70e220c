// A handler that refuses what is signed rightly: why, and what its other answers are worth then.
import type { KnownSecret } from '../webhooks/diagnosis-input.ts'
import { findCause } from './cause.ts'
import type { Check, Ground } from './check.ts'
import { type ConstantResponse, detectConstantResponse } from './constant-response.ts'
import { isTaken, type Result } from './judge.ts'
import { message } from './message.ts'
import type { Answer, Send } from './ports.ts'
import { eventBody, paidPayment } from './sample.ts'

export interface Refusal {
  /** One thing is answered to everything. */
  readonly alike: ConstantResponse | undefined
  /** A usual mistake, with its fix. */
  readonly cause: string | undefined
}

export interface RefusalPorts {
  readonly send: Send
  readonly ground: () => Ground
  readonly known: readonly KnownSecret[]
  readonly endpoint?: readonly string[]
}

/**
 * `undefined` where what is signed rightly is taken, or where no answer came.
 *
 * @param valid the answer to it, where there is one already
 */
export async function refusalOf(ports: RefusalPorts, valid?: Answer): Promise<Refusal | undefined> {
  const { send, ground, known, endpoint = [] } = ports
  const answer = valid ?? (await sendValid(send, ground()))
  if (answer.status === undefined) return undefined
  const found = isTaken(answer) ? undefined : await findCause(send, ground(), known, endpoint)
  if (found !== undefined) return { alike: undefined, cause: `${found.cause}: ${found.message}` }
  const alike = await detectConstantResponse(answer, send, ground)
  return alike === undefined && isTaken(answer) ? undefined : { alike, cause: undefined }
}

function sendValid(send: Send, ground: Ground): Promise<Answer> {
  return send(message(ground, eventBody(ground, 'payment.succeeded', paidPayment(ground))))
}

/** Of what follows from the first finding only that is told. */
const FIX_VALID = 'Fix valid first: what is signed rightly is refused.'
const FIX_PAGE = 'Fix valid first: no webhook handler answers here.'

export function followsFromValid({ fix }: { readonly fix: string }): boolean {
  return fix === FIX_VALID || fix === FIX_PAGE
}

interface Reported {
  readonly result: Result
  readonly got: string
  readonly fix: string
}

/** The finding in the light of the refusal: a forgery that is refused like everything else proves nothing. */
export function unproven<R extends Reported>(report: R, { id, expect }: Check, { alike, cause }: Refusal): R {
  if (id === 'valid') {
    const fix = alike?.fix ?? cause ?? report.fix
    return { ...report, result: 'fail', got: alike === undefined ? report.got : `${report.got}; ${alike.why}`, fix }
  }
  if (report.fix.startsWith('Fix ')) return report
  if (alike?.page === true)
    return { ...report, result: report.result === 'pass' ? 'warn' : report.result, fix: FIX_PAGE }
  if (report.result === 'fail') return { ...report, fix: FIX_VALID }
  if (expect === 'taken') return report
  return { ...report, result: 'warn', got: `${report.got}; ${NOTHING_PROVEN}`, fix: FIX_VALID }
}

const NOTHING_PROVEN = 'what is signed rightly is refused as well, so that this proves nothing'
