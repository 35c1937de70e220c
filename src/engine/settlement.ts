// Spec 3.2 and 3.3: a refund or payout reaches its final status, by its plan or by an explicit action.

import { quoteText } from '../domain/characters.ts'
import { refuse } from '../domain/errors.ts'
import { FAILURE_CODE_LIST, type FailureCode, isFailureCode } from '../domain/failure-codes.ts'
import { changePayment, type Payment } from '../domain/payment.ts'
import type { Payout } from '../domain/payout.ts'
import type { Refund } from '../domain/refund.ts'
import type { Plan } from '../domain/simulator-plan.ts'
import type { Input } from './command.ts'
import type { Settlement } from './command-inputs.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import { requireRow } from './require-row.ts'
import { movePayment, movePayout } from './transition.ts'
import type { World } from './world.ts'

/** @throws RefusalError `bad_request` for an unknown failure code, or for a failure code with the status `succeeded` */
function settlementPlan({ status, failure_code }: Settlement): Plan {
  if (status === 'failed') return { outcome: 'failed', code: failureCode(failure_code) }
  if (failure_code === undefined) return { outcome: 'succeeded' }
  throw refuse('bad_request', 'failure_code: allowed only with status failed; leave it out.')
}

/** Returns a known failure code; default `do_not_honor`. */
export function failureCode(text = 'do_not_honor'): FailureCode {
  if (isFailureCode(text)) return text
  const shown = quoteText(text)
  throw refuse('bad_request', `failure_code: ${shown} is unknown. The codes are ${FAILURE_CODE_LIST}.`)
}

export function settlePayout(command: Input<'settle_payout'>, world: World, context: Context): Commit<Payout> {
  const draft = new Draft(world, context)
  const plan = settlementPlan(command)
  const payout = requireRow(world, 'payouts', command.payout_id)
  if (payout.status !== 'pending') throw refuse('not_allowed', `The payout is already ${payout.status}.`)
  return draft.commit(completePayout(draft, payout, plan))
}

export function completePayout(draft: Draft, payout: Payout, plan: Plan): Payout {
  draft.cancelTimer('settle_payout', payout.id)
  if (plan.outcome === 'failed' || plan.outcome === 'refused') {
    return movePayout(draft, payout, 'bank_rejected', { fail_reason: plan.code })
  }
  return movePayout(draft, payout, 'bank_accepted')
}

export function settleRefund(command: Input<'settle_refund'>, world: World, context: Context): Commit<Refund> {
  const draft = new Draft(world, context)
  const plan = settlementPlan(command)
  const refund = requireRow(world, 'refunds', command.refund_id)
  if (refund.status !== 'pending') throw refuse('not_allowed', `The refund is already ${refund.status}.`)
  return draft.commit(finishRefund(draft, refund, plan))
}

/** Gives a pending refund its final status, and updates its payment. */
export function finishRefund(draft: Draft, refund: Refund, plan: Plan): Refund {
  const settled = completeRefund(draft, refund, plan)
  const payment = draft.get('payments', refund.payment_id)
  if (payment !== undefined) markIfFullyRefunded(draft, payment)
  return settled
}

/** Sets the final status, and updates `amount_refunded` of the payment. The caller updates the payment's status. */
export function completeRefund(draft: Draft, refund: Refund, plan: Plan): Refund {
  draft.cancelTimer('settle_refund', refund.id)
  const failed = plan.outcome === 'failed' || plan.outcome === 'refused'
  const settled = draft.put('refunds', {
    ...refund,
    status: failed ? 'failed' : 'succeeded',
    completed_at: draft.now,
  })
  const payment = draft.get('payments', refund.payment_id)
  if (!failed && payment !== undefined) {
    draft.put('payments', changePayment(payment, { amount_refunded: payment.amount_refunded + refund.amount }))
  }
  return settled
}

/** Moves the payment to `refunded` if the sum of its refunds reaches the amount. */
export function markIfFullyRefunded(draft: Draft, payment: Payment): Payment {
  if (payment.status !== 'succeeded' || payment.amount_refunded < payment.amount) return payment
  return movePayment(draft, payment, 'fully_refunded')
}
