// The hosted page, on which a person acts as the buyer.
import { refuse } from '../domain/errors.ts'
import { withReserved } from '../domain/metadata.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { awaitsBuyer, changePayment, type Payment } from '../domain/payment.ts'
import { hasBuyer, PAGE_METHODS } from '../domain/payment-methods.ts'
import { isFinalPayment } from '../domain/payment-states.ts'
import { plannedOutcome, type StoredPlan } from '../domain/simulator-plan.ts'
import { openSession, payInSession, takeOverSession } from './bank-session.ts'
import { canCardOverride } from './choose-plan.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import { withoutStep } from './payment-timer.ts'
import type { Context } from './ports.ts'
import { movePayment } from './transition.ts'
import type { World } from './world.ts'

/**
 * Disables the simulated buyer. If the simulated buyer has already opened a session and the bank has not responded, the
 * person at the page may still pay within that session.
 */
export function openPage(command: Input<'open_page'>, world: World, context: Context): Commit<Payment> {
  const draft = new Draft(world, context)
  const payment = paymentOf(world, command.payment_id)
  if (payment.page_opened_at !== undefined || isFinalPayment(payment.status)) return draft.commit(payment)
  const opened = draft.put('payments', changePayment(payment, { page_opened_at: context.now }))
  if (!hasBuyer(payment.method)) return draft.commit(opened)
  if (payment.status === 'pending') return draft.commit(draft.put('payments', withoutStep(opened)))
  if (payment.session_by_act === true) return draft.commit(opened)
  return draft.commit(takeOverSession(draft, opened))
}

/** Opens the session, or pays within the one that the person took over. A second click changes nothing. */
export function payOnPage(command: Input<'pay_on_page'>, world: World, context: Context): Commit<Payment> {
  const draft = new Draft(world, context)
  const payment = paymentOf(world, command.payment_id)
  if (!awaitsBuyer(payment)) return draft.commit(payment)
  const method = payment.method === 'any' ? command.method : payment.method
  if (method === undefined) throw refuse('bad_request', `method: choose one of ${PAGE_METHODS.join(', ')} first.`)
  const plan = planOf(payment, command)
  const planned = draft.put(
    'payments',
    changePayment(payment, {
      page_opened_at: payment.page_opened_at ?? context.now,
      plan,
      metadata: payment.mode === 'live' ? payment.metadata : plannedMetadata(payment, plan),
    }),
  )
  if (payment.status === 'processing') return draft.commit(payInSession(draft, planned, command))
  const chosen = payment.method === 'any' ? movePayment(draft, planned, 'method_chosen', { method }) : planned
  return draft.commit(openSession(draft, chosen, command))
}

/**
 * Returns the plan of the panel, of a magic card, or the stored plan, in this order of priority. Paying is the action
 * that `requires_action` waits for.
 */
function planOf(payment: Payment, { plan, card }: Input<'pay_on_page'>): StoredPlan {
  const { refunds } = payment.plan
  const kept = omitUndefined({ refunds })
  if (plan !== undefined) return { ...plan, ...kept, decided_by: 'act' }
  if (card?.plan !== undefined && canCardOverride(payment.plan)) return { ...card.plan, ...kept, decided_by: 'card' }
  if (payment.plan.outcome !== 'requires_action') return payment.plan
  const { delay, decided_by } = payment.plan
  return { outcome: 'succeeded', ...kept, ...omitUndefined({ delay }), decided_by }
}

function plannedMetadata(payment: Payment, plan: StoredPlan) {
  if (plan === payment.plan || payment.plan.outcome === 'requires_action') return payment.metadata
  const { simulator_failure_code, ...rest } = payment.metadata
  // If the earlier plan has no code, the merchant wrote the field, so it is kept.
  return withReserved('code' in payment.plan ? rest : payment.metadata, {
    simulator_outcome: plannedOutcome(plan),
    simulator_failure_code: 'code' in plan ? plan.code : undefined,
  })
}

function paymentOf(world: World, id: string): Payment {
  const payment = world.get('payments', id.toLowerCase())
  if (payment === undefined) throw refuse('not_found', 'The payment was not found.')
  return payment
}
