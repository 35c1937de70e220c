// Spec 4.4: refund a succeeded payment, whole or in parts.
import { refuse } from '../domain/errors.ts'
import type { Facts } from '../domain/faults.ts'
import { paymentFacts } from '../domain/match-fields.ts'
import type { Payment } from '../domain/payment.ts'
import { type Refund, refundableAmount } from '../domain/refund.ts'
import { addMs } from '../domain/time.ts'
import { choosePlan, plannedRefusal } from './choose-plan.ts'
import type { Created, Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import { emitPaymentEvent } from './fan-out.ts'
import { findRepeat, storeIdempotencyKey } from './idempotency.ts'
import type { Context } from './ports.ts'
import { findPayment } from './require-row.ts'
import { completeRefund, markIfFullyRefunded } from './settlement.ts'
import type { World } from './world.ts'

export function refundPayment(
  command: Input<'refund_payment'>,
  world: World,
  context: Context,
): Commit<Created<Refund>> {
  const draft = new Draft(world, context)
  const payment = findPayment(world, command.caller, command.payment_id)
  const repeat = findRepeat(draft, 'refunds', command)
  if (repeat !== undefined) return repeat

  const amount = amountToRefund(draft, payment, command.amount ?? 0)
  const { plan, warnings } = choosePlan(draft, {
    facts: refundFacts(payment, amount),
    header: command.plan,
    inherited: payment.plan.refunds && inheritedPlan(payment.plan.refunds),
  })
  if (plan.outcome === 'error') return draft.commitRefusal(plannedRefusal(plan))
  const refund = draft.put('refunds', {
    id: context.random.uuid(),
    payment_id: payment.id,
    merchant_id: payment.merchant_id,
    shop_id: payment.shop_id,
    amount,
    reason: command.reason,
    status: 'pending',
    created_at: context.now,
    completed_at: undefined,
    plan,
  })
  storeIdempotencyKey(draft, command.caller, command.idempotency, refund.id)
  const object = startRefund(draft, payment, refund)
  return draft.commit({ object, repeated: false, cut: plan.outcome === 'cut', warnings })
}

/** Settles the refund at once, unless its plan is open or delayed. Each case sends exactly one webhook (Spec 3.2). */
function startRefund(draft: Draft, payment: Payment, refund: Refund): Refund {
  const open = refund.plan.outcome === 'pending' || refund.plan.outcome === 'requires_action'
  const delay = refund.plan.delay ?? draft.world.settings['delays.refund']
  if (!open && delay > 0) draft.setTimer('settle_refund', refund.id, addMs(draft.now, delay))
  const settled = open || delay > 0 ? refund : completeRefund(draft, refund, refund.plan)
  const { id, payment_id, amount, status } = settled
  draft.emit('refund.created', payment, {
    id,
    payment_id,
    amount,
    status,
    currency: payment.currency,
    order_id: payment.order_id,
  })
  const updated = markIfFullyRefunded(draft, draft.get('payments', payment.id) ?? payment)
  emitPaymentEvent(draft, 'payment.refunded', updated)
  return settled
}

/** Returns the amount to refund in minor units; 0 requests the whole remainder. */
function amountToRefund(draft: Draft, payment: Payment, asked: number): number {
  if (payment.status === 'refunded') throw refuse('already_refunded')
  if (payment.status !== 'succeeded') {
    throw refuse('not_refundable', `The payment is ${payment.status}; only a succeeded one can be refunded.`)
  }
  const available = refundableAmount(payment, draft.refundsOf(payment.id), draft.world.settings.reserve_pending_refunds)
  if (available <= 0) {
    throw refuse('already_refunded', 'Nothing is left to refund: refunded or pending refunds take up the whole amount.')
  }
  if (asked > available) {
    throw refuse(
      'amount_exceeds_remainder',
      `Only ${available} minor units are left to refund, but ${asked} were requested.`,
    )
  }
  return asked === 0 ? available : asked
}

/** The facts for rules are those of the payment, but with the amount of the refund. */
function refundFacts(payment: Payment, amount: number): Facts {
  return Object.assign(paymentFacts(payment), { operation: 'refund', method: payment.method, amount })
}

function inheritedPlan(refunds: 'failed' | 'pending') {
  return refunds === 'pending'
    ? ({ outcome: 'pending' } as const)
    : ({ outcome: 'failed', code: 'processing_error' } as const)
}
