// How an explicit act ends a refund or a payout: the way a plan would.
import { refuse } from '../domain/errors.ts'
import { FAILURE_CODES, type FailureCode } from '../domain/failure-codes.ts'
import type { Plan } from '../domain/simulator-plan.ts'
import type { Settlement } from './command.ts'

/** @throws Refusal `bad_request` for a failure code that is unknown, or beside a success */
export function settlementPlan({ status, failure_code }: Settlement): Plan {
  if (status === 'failed') return { outcome: 'failed', code: failureCode(failure_code) }
  if (failure_code === undefined) return { outcome: 'succeeded' }
  throw refuse('bad_request', 'failure_code: it belongs to status failed; leave it out.')
}

/** A known failure code; `do_not_honor` where none is given. */
export function failureCode(text = 'do_not_honor'): FailureCode {
  if (Object.hasOwn(FAILURE_CODES, text)) return text as FailureCode
  const known = Object.keys(FAILURE_CODES).join(', ')
  throw refuse('bad_request', `failure_code: ${JSON.stringify(text.slice(0, 60))} is unknown. Known are ${known}.`)
}
