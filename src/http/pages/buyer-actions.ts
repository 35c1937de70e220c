// The actions of a buyer on the page. A form that is sent late or twice changes nothing, because the payment has moved on.
import { findBank } from '../../domain/bank.ts'
import { refuse } from '../../domain/errors.ts'
import { awaitsBuyer, type Payment } from '../../domain/payment.ts'
import { METHODS, PAGE_METHODS, type PageForm, type PageMethod, picksBank } from '../../domain/payment-methods.ts'
import { type CardErrors, readCard } from './card-form.ts'
import type { PageContext } from './page-request.ts'
import { pageMethodOf } from './page-step.ts'

/** Returns the errors of the card form, if there are any. */
export type PageAction = (context: PageContext, payment: Payment, form: URLSearchParams) => CardErrors | undefined

export const chooseMethod: PageAction = ({ services }, payment, form) => {
  const method = readChoice(form, 'method', PAGE_METHODS)
  if (method === undefined || payment.method !== 'any') return
  services.engine.execute('act_on_payment', { payment_id: payment.id, act: { action: 'choose_method', method } })
  return
}

export const pay: PageAction = (context, payment, form) => {
  const method = payment.method === 'any' ? readChoice(form, 'method', PAGE_METHODS) : pageMethodOf(payment)
  if (!awaitsBuyer(payment) || method === undefined) return
  return PAY_ACTIONS[METHODS[method].page](context, payment, form, method)
}

type PayAction = (...given: [...Parameters<PageAction>, method: PageMethod]) => CardErrors | undefined

const payInApp: PayAction = ({ services }, { id: payment_id }, form, method) => {
  const bank = picksBank(method) ? findBank(form.get('bank') ?? '') : undefined
  services.engine.execute('pay_on_page', { payment_id, method, ...(bank && { bank: bank.name }) })
  return
}

const payByCard: PayAction = ({ services, confirmations }, payment, form, method) => {
  const payment_id = payment.id
  const magic = services.engine.world.settings.magic && payment.mode === 'test'
  const typed = readCard(form, services.timeline.now(), magic)
  if ('errors' in typed) return typed.errors
  const { card, threeDs } = typed
  if (threeDs === undefined) services.engine.execute('pay_on_page', { payment_id, method, card })
  else confirmations.add(payment_id, { method, card, threeDs })
  return
}

const PAY_ACTIONS: { readonly [F in PageForm]: PayAction } = { sbp: payInApp, wallet: payInApp, cards: payByCard }

/** Confirms or declines a card payment at the bank (3-D Secure). A decline by the buyer takes precedence over every plan. */
export const confirm: PageAction = ({ services, confirmations }, payment, form) => {
  const pending = confirmations.get(payment.id)
  const choice = readChoice(form, 'answer', ['yes', 'no'])
  if (pending === undefined || choice === undefined) return
  const { method, card, threeDs } = pending
  const command = { payment_id: payment.id, method }
  if (choice === 'no') services.engine.execute('pay_on_page', { ...command, card, plan: threeDs.declined })
  else services.engine.execute('pay_on_page', { ...command, card: { ...card, plan: threeDs.confirmed } })
  confirmations.remove(payment.id)
  return
}

/** Declines the payment in the bank's app. */
export const reject: PageAction = ({ services }, payment) => {
  if (!awaitsBuyer(payment) || pageMethodOf(payment) === undefined) return
  services.engine.execute('act_on_payment', {
    payment_id: payment.id,
    act: { action: 'decline', failure_code: 'rejected_by_payer' },
  })
  return
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
  throw refuse('bad_request', `${field}: ${JSON.stringify(given.slice(0, 60))}`)
}
