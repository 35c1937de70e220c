// Spec 3.1: the choice of a method, the bank session, and the bank's result.
// The default lifetime of a session is `session_ttl` in `src/domain/payment-methods.ts`.

import { bankDirectory } from '../domain/bank.ts'
import { rawBankCode } from '../domain/failure-codes.ts'
import { withReserved } from '../domain/metadata.ts'
import { changePayment, type Payment } from '../domain/payment.ts'
import { AUTOMATIC_METHOD, hasBuyer, METHODS, type Method, type PaymentMethod } from '../domain/payment-methods.ts'
import { simulatedPayer } from '../domain/simulated-payer.ts'
import type { Plan } from '../domain/simulator-plan.ts'
import { addMs } from '../domain/time.ts'
import type { PagePayer } from './command-inputs.ts'
import type { Draft } from './draft.ts'
import { nextStep, withoutStep } from './payment-timer.ts'
import { movePayment } from './transition.ts'

/** Draws an acquiring bank, and returns its name and operation id. Only live mode has them (Spec 2.2). */
export function drawAcquirer(draft: Draft): { bank: string; bank_ref: string } {
  const banks = bankDirectory('top30')
  const bank = banks[Math.floor(draft.context.random.draw() * banks.length)]
  return { bank: bank?.name ?? 'Bank', bank_ref: digits(draft, 16) }
}

/**
 * Sets the method. The session opens after `delays.session`, or at once for a method without a buyer.
 * With `buyer: manual`, nothing is scheduled for a method with a buyer.
 */
export function chooseMethod(draft: Draft, payment: Payment, method: PaymentMethod): Payment {
  if (isManual(draft, { method })) {
    return draft.put('payments', withoutStep(movePayment(draft, payment, 'method_chosen', { method })))
  }
  const wait = hasBuyer(method) ? draft.world.settings['delays.session'] : 0
  const next = nextStep(draft, 'open_session', addMs(draft.now, wait))
  return movePayment(draft, payment, 'method_chosen', { method, ...next })
}

/** Returns whether the simulator must not act for the buyer. */
export function isManual(draft: Draft, { method }: Pick<Payment, 'method'>): boolean {
  return draft.world.settings.buyer === 'manual' && hasBuyer(method)
}

/** Opens the bank session: sets the payer and schedules the result of the bank, unless the plan is `pending`. */
export function openSession(draft: Draft, payment: Payment, payerInput: PagePayer = {}): Payment {
  const { settings } = draft.world
  const method = payment.method === 'any' ? AUTOMATIC_METHOD : payment.method
  const chosen = payment.method === 'any' ? movePayment(draft, payment, 'method_chosen', { method }) : payment
  const bank = payment.mode === 'live' && payment.bank_ref === undefined ? drawAcquirer(draft) : undefined
  return movePayment(draft, chosen, 'session_opened', {
    processing_until: addMs(draft.now, settings[`session_ttl.${method}`]),
    ...payer(draft, method, payerInput),
    ...bank,
    ...(bank && { metadata: withReserved(payment.metadata, { bank_ref: bank.bank_ref }) }),
    ...bankStep(draft, payment),
  })
}

/** Lets a person at the page take over the simulator's session, which then waits for the person until it times out. */
export function takeOverSession(draft: Draft, payment: Payment): Payment {
  return draft.put('payments', changePayment(withoutStep(payment), { awaits_buyer: true }))
}

/** Pays within a session that a person took over: sets the payer and schedules the result of the bank. */
export function payInSession(draft: Draft, payment: Payment, payerInput: PagePayer): Payment {
  const paid = { awaits_buyer: undefined, ...payer(draft, methodOf(payment), payerInput), ...bankStep(draft, payment) }
  return draft.put('payments', changePayment(payment, paid))
}

/** Returns the step in which the bank responds. The plan `pending` has none. */
function bankStep(draft: Draft, { plan }: Payment): Partial<Payment> {
  if (plan.outcome === 'pending') return {}
  return nextStep(draft, 'bank_answer', addMs(draft.now, plan.delay ?? draft.world.settings['delays.bank']))
}

/** Applies the result of the bank from the plan, which is never `pending`. */
export function applyBankResult(draft: Draft, payment: Payment, plan: Plan): Payment {
  if (plan.outcome === 'failed' || plan.outcome === 'refused') {
    const raw = rawBankCode(plan.code, METHODS[methodOf(payment)].network)
    return movePayment(draft, payment, 'bank_declined', {
      metadata: withReserved(payment.metadata, { failure_code: plan.code, bank_failure_code: raw }),
    })
  }
  return movePayment(draft, payment, 'bank_approved', { captured_at: draft.now, rrn: newRrn(draft) })
}

/** Settles a payment in one commit. Sets `method` if none is chosen, and opens the session if it is not open. */
export function settleImmediately(draft: Draft, payment: Payment, plan: Plan, method?: PaymentMethod): Payment {
  const chosen =
    payment.status === 'pending' && payment.method === 'any' && method !== undefined
      ? movePayment(draft, payment, 'method_chosen', { method })
      : payment
  const open = payment.status === 'pending' ? openSession(draft, chosen) : payment
  return applyBankResult(draft, open, plan)
}

/** Expires a payment. Its failure code does not come from a bank (Spec 2.6). */
export function expire(draft: Draft, payment: Payment): Payment {
  const inSession = payment.status === 'processing'
  return movePayment(draft, payment, inSession ? 'session_timed_out' : 'link_ran_out', {
    metadata: withReserved(payment.metadata, { failure_code: inSession ? 'session_timeout' : 'link_expired' }),
  })
}

function payer(draft: Draft, method: Method, { card, bank }: PagePayer): Partial<Payment> {
  const simulated = simulatedPayer(method, draft.context.random.draw())
  if (bank !== undefined) return { ...simulated, customer_payer_bank: bank, bank_name: bank }
  if (card === undefined) return simulated
  return {
    ...simulated,
    customer_card_brand: card.brand,
    customer_card_mask: card.mask,
    customer_card_holder: card.holder ?? simulated.customer_card_holder,
  }
}

/** Returns the method, which is never `any` once a session is open. */
function methodOf({ id, method }: Payment): Method {
  if (method === 'any') throw new Error(`The open session of payment ${id} has no method.`)
  return method
}

/** Returns 12 digits. They are unique: a commit approves at most one payment, and the factor is coprime to 10. */
function newRrn(draft: Draft): string {
  const rrn = (BigInt(draft.context.commitNumber) * 387_420_489n + 271_828_182_845n) % 1_000_000_000_000n
  return rrn.toString().padStart(12, '0')
}

function digits(draft: Draft, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += Math.floor(draft.context.random.draw() * 10)
  return text
}
