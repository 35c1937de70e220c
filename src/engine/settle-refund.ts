// Spec 3.2: a refund reaches its final status.
import { refuse } from '../domain/errors.ts'
import type { Payment } from '../domain/payment.ts'
import type { Refund } from '../domain/refund.ts'
import type { Plan } from '../domain/simulator-plan.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import { settlementPlan } from './settlement.ts'
import { movePayment } from './transition.ts'
import type { World } from './world.ts'

/** Settles a pending refund by an explicit action. */
export function settleRefund(command: Input<'settle_refund'>, world: World, context: Context): Commit<Refund> {
  const draft = new Draft(world, context)
  const plan = settlementPlan(command)
  const refund = world.get('refunds', command.refund_id.toLowerCase())
  if (refund === undefined) throw refuse('not_found', `There is no refund ${command.refund_id.slice(0, 64)}.`)
  if (refund.status !== 'pending') throw refuse('not_allowed', `The refund is already ${refund.status}.`)
  const settled = completeRefund(draft, refund, plan)
  const payment = draft.get('payments', refund.payment_id)
  if (payment !== undefined) fullyRefunded(draft, payment)
  return draft.commit(settled)
}

/** Sets the final status and adds a success to `amount_refunded`. The caller updates the status of the payment. */
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
    draft.put('payments', { ...payment, amount_refunded: payment.amount_refunded + refund.amount })
  }
  return settled
}

/** Moves the payment to `refunded` if the sum of its refunds reaches the amount. */
export function fullyRefunded(draft: Draft, payment: Payment): Payment {
  if (payment.status !== 'succeeded' || payment.amount_refunded < payment.amount) return payment
  return movePayment(draft, payment, 'fully_refunded')
}
