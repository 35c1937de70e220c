// The settlement of a refund or payout by an explicit action, as a plan.
import { refuse } from '../domain/errors.ts'
import { FAILURE_CODES, type FailureCode } from '../domain/failure-codes.ts'
import type { Plan } from '../domain/simulator-plan.ts'
import type { Settlement } from './command.ts'

/** @throws RefusalError `bad_request` for an unknown failure code, or for one with a success */
export function settlementPlan({ status, failure_code }: Settlement): Plan {
  if (status === 'failed') return { outcome: 'failed', code: failureCode(failure_code) }
  if (failure_code === undefined) return { outcome: 'succeeded' }
  throw refuse('bad_request', 'failure_code: it belongs to status failed; leave it out.')
}

/** Returns a known failure code; default `do_not_honor`. */
export function failureCode(text = 'do_not_honor'): FailureCode {
  if (Object.hasOwn(FAILURE_CODES, text)) return text as FailureCode
  const known = Object.keys(FAILURE_CODES).join(', ')
  throw refuse('bad_request', `failure_code: ${JSON.stringify(text.slice(0, 60))} is unknown. Known values: ${known}.`)
}
