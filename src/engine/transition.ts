// Changes the status of a payment or payout (Spec 3.1 and 3.3). No other file does.
import { refuse } from '../domain/errors.ts'
import { changePayment, type Payment } from '../domain/payment.ts'
import { isFinalPayment, type PaymentTrigger, paymentTransition } from '../domain/payment-states.ts'
import type { Payout } from '../domain/payout.ts'
import { type PayoutTrigger, payoutTransition } from '../domain/payout.ts'
import type { Draft } from './draft.ts'
import { emitPaymentEvent, emitPayoutEvent } from './fan-out.ts'

/**
 * Moves a payment and emits its stream message and webhook. If the status changes, the scheduled step is cleared unless
 * `change` sets one.
 * @throws RefusalError `not_allowed` if the state table has no row for the status and the trigger
 */
export function movePayment(
  draft: Draft,
  payment: Payment,
  on: PaymentTrigger,
  change: Partial<Payment> = {},
): Payment {
  const row = paymentTransition(payment.status, on)
  if (row === undefined) throw refuse('not_allowed', `A ${payment.status} payment does not allow the transition ${on}.`)
  const final = isFinalPayment(row.to)
  const changesStatus = row.to !== row.from
  const next = changesStatus || change.step !== undefined ? change : payment
  const moved = draft.put(
    'payments',
    changePayment(payment, change, {
      status: row.to,
      finalized_at: final ? (payment.finalized_at ?? draft.now) : payment.finalized_at,
      step: next.step,
      step_at: next.step_at,
      seq: final ? undefined : (next.seq ?? draft.reserveTimerSeq(2)),
    }),
  )
  if (changesStatus) {
    const { id, status, amount, currency, order_id } = moved
    draft.emit('payment.status_changed', moved, { id, status, amount, currency, order_id, previous_status: row.from })
  }
  if (row.webhook !== undefined) emitPaymentEvent(draft, row.webhook, moved)
  return moved
}

/** Like {@link movePayment}, for a payout. */
export function movePayout(draft: Draft, payout: Payout, on: PayoutTrigger, change: Partial<Payout> = {}): Payout {
  const row = payoutTransition(payout.status, on)
  if (row === undefined) throw refuse('not_allowed', `A ${payout.status} payout does not allow the transition ${on}.`)
  const moved = draft.put('payouts', { ...payout, ...change, status: row.to, completed_at: draft.now })
  const { id, status, amount, currency } = moved
  draft.emit('payout.status_changed', moved, { id, status, amount, currency, previous_status: row.from })
  emitPayoutEvent(draft, row.webhook, moved)
  return moved
}

/** Returns the stream payload of a payment. */
export function paymentPayload({ id, status, amount, currency, order_id }: Payment) {
  return { id, status, amount, currency, order_id }
}

/** Returns the stream payload of a payout. */
export function payoutPayload({ id, status, amount, currency }: Payout) {
  return { id, status, amount, currency }
}
