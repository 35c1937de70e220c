// A stored step is due: what each kind of timer does.
import { AUTOMATIC_METHOD } from '../domain/payment-methods.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import { bankAnswer, chooseMethod, expire, isHeld, openSession } from './session.ts'
import { completePayout } from './settle-payout.ts'
import { completeRefund, fullyRefunded } from './settle-refund.ts'
import type { Timer, TimerKind } from './tables.ts'
import type { World } from './world.ts'

export function runTimer({ timer }: Input<'run_timer'>, world: World, context: Context): Commit<null> {
  const draft = new Draft(world, context)
  const stored = world.get('timers', timer.id)
  if (stored === undefined || stored.seq !== timer.seq) return draft.commit(null)
  draft.delete('timers', timer.id)
  STEPS[timer.kind](draft, timer)
  return draft.commit(null)
}

const STEPS: { readonly [K in TimerKind]: (draft: Draft, timer: Timer) => void } = {
  pick_method(draft, { object_id }) {
    const payment = draft.get('payments', object_id)
    if (payment?.status !== 'pending' || payment.method !== 'any') return
    if (!isHeld(draft, payment)) chooseMethod(draft, payment, AUTOMATIC_METHOD)
  },
  open_session(draft, { object_id }) {
    const payment = draft.get('payments', object_id)
    if (payment?.status === 'pending' && !isHeld(draft, payment)) openSession(draft, payment)
  },
  bank_answer(draft, { object_id }) {
    const payment = draft.get('payments', object_id)
    if (payment?.status === 'processing') bankAnswer(draft, payment, payment.plan)
  },
  session_timeout(draft, { object_id }) {
    const payment = draft.get('payments', object_id)
    if (payment?.status === 'processing') expire(draft, payment)
  },
  link_timeout(draft, { object_id }) {
    const payment = draft.get('payments', object_id)
    if (payment?.status === 'pending') expire(draft, payment)
  },
  settle_refund(draft, { object_id }) {
    const refund = draft.get('refunds', object_id)
    if (refund?.status !== 'pending') return
    completeRefund(draft, refund, refund.plan)
    const payment = draft.get('payments', refund.payment_id)
    if (payment !== undefined) fullyRefunded(draft, payment)
  },
  settle_payout(draft, { object_id }) {
    const payout = draft.get('payouts', object_id)
    if (payout?.status === 'pending') completePayout(draft, payout, payout.plan)
  },
  /** Attempts are made by the courier; their results come back as `record_attempt`. */
  deliver() {},
}
