// Runs a timer that is due, by its kind.
import type { Payment } from '../domain/payment.ts'
import { AUTOMATIC_METHOD } from '../domain/payment-methods.ts'
import { applyBankResult, chooseMethod, expire, isManual, openSession } from './bank-session.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import { paymentTimer, withoutStep } from './payment-timer.ts'
import type { Context } from './ports.ts'
import { completePayout, finishRefund } from './settlement.ts'
import type { PAYMENT_TIMERS, Timer, TimerKind } from './tables.ts'
import type { World } from './world.ts'

export function runTimer({ timer }: Input<'run_timer'>, world: World, context: Context): Commit<null> {
  const draft = new Draft(world, context)
  const payment = world.get('payments', timer.object_id)
  if (payment !== undefined) runPaymentTimer(draft, payment, timer)
  else if (world.get('timers', timer.id)?.seq === timer.seq) {
    draft.delete('timers', timer.id)
    RUN_ROW_TIMER[timer.kind as keyof typeof RUN_ROW_TIMER]?.(draft, timer)
  }
  return draft.commit(null)
}

type PaymentTimer = (typeof PAYMENT_TIMERS)[number]

function runPaymentTimer(draft: Draft, payment: Payment, timer: Timer): void {
  const next = paymentTimer(payment)
  if (next === undefined || next.kind !== timer.kind || next.seq !== timer.seq) return
  RUN_PAYMENT_TIMER[next.kind as PaymentTimer](draft, payment)
}

const RUN_PAYMENT_TIMER: { readonly [K in PaymentTimer]: (draft: Draft, payment: Payment) => void } = {
  pick_method(draft, payment) {
    if (payment.method === 'any' && !isManual(draft, payment)) chooseMethod(draft, payment, AUTOMATIC_METHOD)
    else dropStep(draft, payment)
  },
  open_session(draft, payment) {
    if (payment.status === 'pending' && !isManual(draft, payment)) openSession(draft, payment)
    else dropStep(draft, payment)
  },
  bank_answer(draft, payment) {
    if (payment.status === 'processing') applyBankResult(draft, payment, payment.plan)
    else dropStep(draft, payment)
  },
  session_timeout: expire,
  link_timeout: expire,
}

/** Removes a step that does not apply any more. Every other step sets the next one. */
function dropStep(draft: Draft, payment: Payment): void {
  draft.put('payments', withoutStep(payment))
}

const RUN_ROW_TIMER: { readonly [K in Exclude<TimerKind, PaymentTimer>]: (draft: Draft, timer: Timer) => void } = {
  settle_refund(draft, { object_id }) {
    const refund = draft.get('refunds', object_id)
    if (refund?.status === 'pending') finishRefund(draft, refund, refund.plan)
  },
  settle_payout(draft, { object_id }) {
    const payout = draft.get('payouts', object_id)
    if (payout?.status === 'pending') completePayout(draft, payout, payout.plan)
  },
  /** The dispatcher makes the attempts and reports them as `record_attempt`. */
  deliver() {},
}
