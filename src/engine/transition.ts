// Spec 3.1 and 3.3: the one place where a status changes.
import { refuse } from '../domain/errors.ts'
import type { Payment } from '../domain/payment.ts'
import { isFinalPayment, type PaymentTrigger, paymentTransition } from '../domain/payment-states.ts'
import type { Payout } from '../domain/payout.ts'
import { type PayoutTrigger, payoutTransition } from '../domain/payout-states.ts'
import type { Draft } from './draft.ts'
import { emitPaymentEvent, emitPayoutEvent } from './fan-out.ts'
import { withoutTimers } from './payment-timer.ts'

/**
 * Moves a payment, tells the stream and emits the row's webhook.
 * @throws Refusal `not_allowed` where the table has no such row
 */
export function movePayment(
  draft: Draft,
  payment: Payment,
  on: PaymentTrigger,
  change: Partial<Payment> = {},
): Payment {
  const row = paymentTransition(payment.status, on)
  if (row === undefined) throw refuse('not_allowed', `A ${payment.status} payment cannot take ${on}.`)
  const final = isFinalPayment(row.to) && payment.finalized_at === undefined
  const moved = draft.put('payments', {
    ...(row.to === row.from ? payment : withoutTimers(payment)),
    ...(row.to === 'processing' ? { seq: draft.places(2) } : {}),
    ...change,
    status: row.to,
    ...(final ? { finalized_at: draft.now } : {}),
  })
  if (row.to !== row.from) {
    draft.tell('payment.status_changed', moved, { ...paymentPayload(moved), previous_status: row.from })
  }
  if (row.webhook !== undefined) emitPaymentEvent(draft, row.webhook, moved)
  return moved
}

/** Moves a payout likewise. */
export function movePayout(draft: Draft, payout: Payout, on: PayoutTrigger, change: Partial<Payout> = {}): Payout {
  const row = payoutTransition(payout.status, on)
  if (row === undefined) throw refuse('not_allowed', `A ${payout.status} payout cannot take ${on}.`)
  const moved = draft.put('payouts', { ...payout, ...change, status: row.to, completed_at: draft.now })
  draft.tell('payout.status_changed', moved, { ...payoutPayload(moved), previous_status: row.from })
  emitPayoutEvent(draft, row.webhook, moved)
  return moved
}

/** What the stream says of a payment. */
export function paymentPayload({ id, status, amount, currency, order_id }: Payment) {
  return { id, status, amount, currency, order_id }
}

/** What the stream says of a payout. */
export function payoutPayload({ id, status, amount, currency }: Payout) {
  return { id, status, amount, currency }
}
