// The actions of a buyer on the page. A form does not change a payment that no longer waits for the buyer.

import { findBank } from '../../domain/bank.ts'
import { quoteText } from '../../domain/characters.ts'
import { refuse } from '../../domain/errors.ts'
import { checkOneTimeCode, THREE_DS_ATTEMPTS } from '../../domain/magic.ts'
import { awaitsBuyer, type Payment } from '../../domain/payment.ts'
import { METHODS, PAGE_METHODS, type PageForm, type PageMethod, picksBank } from '../../domain/payment-methods.ts'
import type { ThreeDsStep } from '../../domain/three-ds.ts'
import { type CardErrors, readCard } from './card-form.ts'
import type { CodeNotice } from './confirmations.ts'
import type { PageContext } from './page-request.ts'
import { pageMethodOf } from './page-step.ts'

/** Returns the errors of the card form, if there are any. */
export type PageAction = (context: PageContext, payment: Payment, form: URLSearchParams) => CardErrors | undefined

export const pay: PageAction = (context, payment, form) => {
  const method = methodOfForm(payment, form)
  if (!awaitsBuyer(payment) || method === undefined) return
  return PAY_ACTIONS[METHODS[method].page](context, payment, form, method)
}

type PayAction = (...given: [...Parameters<PageAction>, method: PageMethod]) => CardErrors | undefined

const payInApp: PayAction = ({ services }, { id: payment_id }, form, method) => {
  const bank = picksBank(method) ? findBank(form.get('bank') ?? '') : undefined
  services.engine.execute('pay_on_page', { payment_id, method, ...(bank && { bank: bank.name }) })
  return
}

const payByCard: PayAction = (context, payment, form, method) => {
  const { services, confirmations } = context
  const payment_id = payment.id
  const magic = services.engine.world.settings.magic && payment.mode === 'test'
  const typed = readCard(form, services.timeline.now(), magic)
  if ('errors' in typed) return typed.errors
  const { card, threeDs } = typed
  if (threeDs === undefined) services.engine.execute('pay_on_page', { payment_id, method, card })
  else {
    confirmations.set(payment_id, { method, card, threeDs, attemptsLeft: THREE_DS_ATTEMPTS, round: 0 })
    recordThreeDs(context, payment, 'code_requested')
  }
  return
}

const PAY_ACTIONS: { readonly [F in PageForm]: PayAction } = { sbp: payInApp, wallet: payInApp, cards: payByCard }

/**
 * Sends the one-time code to the bank (3-D Secure), or declines, or requests a new code, or goes back to the card. A
 * decline by the buyer or after too many wrong codes takes precedence over every plan.
 */
export const confirm: PageAction = (context, payment, form) => {
  const { services, confirmations } = context
  const choice = requireChoice(form, 'answer', ['yes', 'no', 'resend', 'back'])
  const pending = confirmations.get(payment.id)
  if (pending === undefined) return
  const notice = choice === 'yes' ? noticeOfCode(form.get('code') ?? '') : choice === 'resend' ? 'resent' : undefined
  recordThreeDs(context, payment, STEPS[notice ?? choice])
  const attemptsLeft = pending.attemptsLeft - (notice === 'wrong' ? 1 : 0)
  if (notice !== undefined && attemptsLeft > 0) {
    confirmations.set(payment.id, { ...pending, attemptsLeft, notice, round: pending.round + 1 })
    return
  }
  confirmations.delete(payment.id)
  if (choice === 'back') return
  const { method, card, threeDs } = pending
  const command = { payment_id: payment.id, method }
  if (choice === 'yes' && notice === undefined) {
    services.engine.execute('pay_on_page', { ...command, card: { ...card, plan: threeDs.confirmed } })
  } else services.engine.execute('pay_on_page', { ...command, card, plan: threeDs.declined })
  return
}

/** The step of each choice of the buyer, and of each notice about the code. */
const STEPS = {
  yes: 'confirmed',
  no: 'declined',
  resend: 'new_code_requested',
  resent: 'new_code_requested',
  back: 'back_to_card',
  malformed: 'incomplete_code',
  wrong: 'wrong_code',
  expired: 'expired_code',
} as const

/** Records the step for the panel and for the stream of the control API. */
function recordThreeDs({ services, activity }: PageContext, { id }: Payment, step: ThreeDsStep): void {
  const payment = services.engine.world.get('payments', id)
  activity.add(id, { at: services.timeline.now(), kind: 'three_ds', step })
  if (payment !== undefined) services.controlHub.addThreeDs(payment, step)
}

/** Returns `undefined` for the right code. */
function noticeOfCode(typed: string): CodeNotice | undefined {
  const code = typed.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return 'malformed'
  const result = checkOneTimeCode(code)
  return result === 'right' ? undefined : result
}

/** Declines the payment in the bank's app. */
export const reject: PageAction = ({ services }, payment, form) => {
  const method = methodOfForm(payment, form)
  if (!awaitsBuyer(payment) || method === undefined) return
  services.engine.execute('act_on_payment', {
    payment_id: payment.id,
    act: { action: 'decline', failure_code: 'rejected_by_payer', method },
  })
  return
}

/** Returns the method that the buyer pays with. The form names it if the payment's method is `any`. */
export function methodOfForm(payment: Payment, form: URLSearchParams): PageMethod | undefined {
  return payment.method === 'any' ? readChoice(form, 'method', PAGE_METHODS) : pageMethodOf(payment)
}

/**
 * Returns the selected choice of a field that the form must have.
 * @throws RefusalError `bad_request` that names the choices
 */
export function requireChoice<T extends string | number>(
  form: URLSearchParams,
  field: string,
  choices: readonly T[],
): T {
  const choice = readChoice(form, field, choices)
  if (choice !== undefined) return choice
  throw refuse('bad_request', `${field}: "" (${choices.join(', ')})`)
}

/**
 * Returns the selected choice, or `undefined` if the field is absent or empty.
 * @throws RefusalError `bad_request` if the value is not one of the choices
 */
export function readChoice<T extends string | number>(
  form: URLSearchParams,
  field: string,
  choices: readonly T[],
): T | undefined {
  const given = form.get(field) ?? ''
  if (given === '') return undefined
  const found = choices.find((each) => String(each) === given)
  if (found !== undefined) return found
  throw refuse('bad_request', `${field}: ${quoteText(given)}`)
}
