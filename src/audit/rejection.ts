// Finds out why a handler rejects valid webhooks, and adjusts the findings of all checks to this rejection.

import { isAccepted } from '../domain/http-response.ts'
import type { KnownSecret } from '../webhooks/diagnosis-input.ts'
import type { Check, MessageValues } from './check.ts'
import { type ConstantResponse, detectConstantResponse } from './constant-response.ts'
import type { Result } from './judge.ts'
import { buildMessage } from './message.ts'
import type { HandlerResponse, Send } from './ports.ts'
import { findCause } from './rejection-cause.ts'
import { eventBody, paidPayment } from './sample.ts'

export interface Rejection {
  /** Set if every request gets the same response. */
  readonly constant: ConstantResponse | undefined
  /** A known mistake, with its fix. */
  readonly cause: string | undefined
}

export interface RejectionPorts {
  readonly send: Send
  readonly values: () => MessageValues
  /** Secrets that the handler may use by mistake. */
  readonly known: readonly KnownSecret[]
  /** Secrets that the service uses to sign for this URL. */
  readonly endpointSecrets?: readonly string[]
}

/**
 * Returns `undefined` if there was no response, or if valid webhooks are accepted. A web page that every request gets
 * does not count as accepted.
 *
 * @param valid the response to a valid webhook, if there is one already
 */
export async function explainRejection(ports: RejectionPorts, valid?: HandlerResponse): Promise<Rejection | undefined> {
  const { send, values, known, endpointSecrets = [] } = ports
  const response = valid ?? (await sendValid(send, values()))
  if (response.status === undefined) return undefined
  const found = isAccepted(response) ? undefined : await findCause(send, values(), known, endpointSecrets)
  if (found !== undefined) return { constant: undefined, cause: `${found.cause}: ${found.message}` }
  const constant = await detectConstantResponse(response, send, values)
  return constant === undefined && isAccepted(response) ? undefined : { constant, cause: undefined }
}

function sendValid(send: Send, values: MessageValues): Promise<HandlerResponse> {
  return send(buildMessage(values, eventBody(values, 'payment.succeeded', paidPayment(values))))
}

/** The fixes of findings that follow from the failure of the check `valid`. */
const FIX_VALID = 'Fix valid first: a valid webhook is rejected.'
const FIX_PAGE = 'Fix valid first: no webhook handler is at this URL.'

export function followsFromValid({ fix }: { readonly fix: string }): boolean {
  return fix === FIX_VALID || fix === FIX_PAGE
}

interface Reported {
  readonly result: Result
  readonly got: string
  readonly fix: string
}

/** Adjusts a finding: if valid webhooks are rejected too, a rejected forgery proves nothing. */
export function adjustToRejection<R extends Reported>(
  report: R,
  { id, expect }: Check,
  { constant, cause }: Rejection,
): R {
  if (id === 'valid') {
    const fix = constant?.fix ?? cause ?? report.fix
    const got = constant === undefined ? report.got : `${report.got}; ${constant.why}`
    return { ...report, result: 'fail', got, fix }
  }
  if (report.fix.startsWith('Fix ')) return report
  if (constant?.page === true)
    return { ...report, result: report.result === 'pass' ? 'warn' : report.result, fix: FIX_PAGE }
  if (report.result === 'fail') return { ...report, fix: FIX_VALID }
  if (expect === 'accept') return report
  return { ...report, result: 'warn', got: `${report.got}; ${NOTHING_PROVEN}`, fix: FIX_VALID }
}

const NOTHING_PROVEN = 'a valid webhook is rejected too, so this proves nothing'
