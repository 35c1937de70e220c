// Explicit actions: the developer acts as the buyer, the bank or time.

import { refuse } from '../domain/errors.ts'
import { changePayment, type Payment } from '../domain/payment.ts'
import { isFinalPayment } from '../domain/payment-states.ts'
import type { Plan } from '../domain/simulator-plan.ts'
import { chooseMethod, expire, openSession, settleImmediately } from './bank-session.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import { withoutStep } from './payment-timer.ts'
import type { Context } from './ports.ts'
import { requireRow } from './require-row.ts'
import { failureCode } from './settlement.ts'
import type { World } from './world.ts'

export function actOnPayment(command: Input<'act_on_payment'>, world: World, context: Context): Commit<Payment> {
  const draft = new Draft(world, context)
  const payment = requireRow(world, 'payments', command.payment_id)
  const { act } = command
  const plan: Plan =
    act.action === 'decline' ? { outcome: 'failed', code: failureCode(act.failure_code) } : { outcome: 'succeeded' }
  if (isFinalPayment(payment.status)) {
    throw refuse(
      'not_allowed',
      `The payment is already ${payment.status}, which is final. The action ${act.action} is no longer possible.`,
    )
  }
  if ('method' in act && act.action !== 'choose_method') requireMatchingMethod(payment, act.method)
  switch (act.action) {
    case 'choose_method':
      if (payment.status !== 'pending' || payment.method !== 'any') {
        throw refuse(
          'not_allowed',
          `The method can be chosen only while it is "any" and the payment is pending; it is ${payment.method} and ${payment.status}.`,
        )
      }
      return draft.commit(withChosenMethod(draft, payment, act.method))
    case 'open_session':
      return draft.commit(draft.put('payments', changePayment(openSession(draft, payment), { session_by_act: true })))
    case 'pay':
    case 'decline':
      return draft.commit(settleImmediately(draft, payment, plan, act.method))
    case 'expire':
      return draft.commit(expire(draft, payment))
  }
}

function requireMatchingMethod({ method: fixed }: Payment, method: Payment['method'] | undefined): void {
  if (method === undefined || fixed === 'any' || method === fixed) return
  throw refuse(
    'not_allowed',
    `The method of this payment is ${fixed}; it cannot be paid by ${method}. Leave method out.`,
  )
}

/** Sets the method. Schedules no step if the page is open or the plan requires an action: a person then acts. */
function withChosenMethod(draft: Draft, payment: Payment, method: Payment['method']): Payment {
  const moved = chooseMethod(draft, payment, method)
  if (payment.page_opened_at !== undefined || payment.plan.outcome === 'requires_action') {
    return draft.put('payments', withoutStep(moved))
  }
  return moved
}
