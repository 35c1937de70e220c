// The actions of a developer on the panel of the page.
import { type FailureCode, PAYMENT_FAILURE_CODES } from '../../domain/failure-codes.ts'
import { awaitsBuyer, type Payment } from '../../domain/payment.ts'
import { AUTOMATIC_METHOD } from '../../domain/payment-methods.ts'
import { isFinalPayment } from '../../domain/payment-states.ts'
import type { Plan } from '../../domain/simulator-plan.ts'
import type { PanelCommand } from './activity.ts'
import { methodOfForm, type PageAction, readChoice, requireChoice } from './buyer-actions.ts'
import type { PageContext } from './page-request.ts'
import {
  ARRIVAL_ORDERS,
  type ArrivalOrder,
  arrivalOrderFaults,
  BANK_DELAYS,
  isArrivalOrderFault,
} from './panel-faults.ts'

/** The declines for which the panel has a button. */
export const COMMON_DECLINES = [
  'insufficient_funds',
  'limit_exceeded',
  'fraud_suspected',
  'issuer_unavailable',
] as const

const ORDER_NAMES = Object.keys(ARRIVAL_ORDERS) as ArrivalOrder[]

/**
 * Ends the payment at once, or starts a bank session in which the bank responds after a delay or never. If the
 * developer chose another order of webhook and return, sets this order first.
 */
export const decideOutcome: PageAction = (context, payment, form) => {
  const { command, code, delay } = readDecision(form)
  const order = readChoice(form, 'order', ORDER_NAMES)
  const method = methodOfForm(payment, form)
  const waits = awaitsBuyer(payment)
  if (isFinalPayment(payment.status) || (command === 'no_response' && !waits)) return
  if (order !== undefined && order !== form.get('shown_order')) setOrder(context, payment, order)
  const payment_id = payment.id
  const paidBy = method === undefined ? {} : { method }
  const plan = sessionPlan(command, code, delay)
  context.confirmations.delete(payment_id)
  record(context, payment, command, command === 'decline' ? code : undefined)
  const { engine } = context.services
  if (plan !== undefined && waits) {
    engine.execute('pay_on_page', { payment_id, method: method ?? AUTOMATIC_METHOD, plan })
  } else if (command === 'expire') engine.execute('act_on_payment', { payment_id, act: { action: 'expire' } })
  else if (command === 'approve') engine.execute('act_on_payment', { payment_id, act: { action: 'pay', ...paidBy } })
  else engine.execute('act_on_payment', { payment_id, act: { action: 'decline', failure_code: code, ...paidBy } })
  return
}

interface Decision {
  readonly command: Exclude<PanelCommand, 'order'>
  /** The failure code of a decline. */
  readonly code: FailureCode
  /** The delay of the bank's decision, in ms. */
  readonly delay: number | undefined
}

/** Reads the pressed button. The code applies only to Decline, and the delay only to Approve and Decline. */
function readDecision(form: Parameters<PageAction>[2]): Decision {
  const quick = readChoice(form, 'quick', [...COMMON_DECLINES, 'no_response'])
  if (quick === 'no_response') return { command: quick, code: 'do_not_honor', delay: undefined }
  if (quick !== undefined) return { command: 'decline', code: quick, delay: undefined }
  return {
    command: requireChoice(form, 'act', ['approve', 'decline', 'expire']),
    code: readChoice(form, 'code', PAYMENT_FAILURE_CODES) ?? 'do_not_honor',
    delay: readChoice(form, 'delay', BANK_DELAYS),
  }
}

/** Returns the plan of a bank session, or `undefined` if the command ends the payment at once. */
function sessionPlan(command: PanelCommand, code: FailureCode, delay: number | undefined): Plan | undefined {
  if (command === 'no_response') return { outcome: 'pending' }
  if (delay === undefined || command === 'expire') return undefined
  return command === 'approve' ? { outcome: 'succeeded', delay } : { outcome: 'failed', code, delay }
}

/** Sets the order in which the webhook and the buyer arrive. The new order replaces an earlier one of this payment. */
export const setWebhookAndReturnOrder: PageAction = (context, payment, form) => {
  const name = requireChoice(form, 'order', ORDER_NAMES)
  if (!isFinalPayment(payment.status)) setOrder(context, payment, name)
  return
}

function setOrder(context: PageContext, payment: Payment, name: ArrivalOrder): void {
  const { engine } = context.services
  const before = [...engine.world.rows('faults')].filter((fault) => isArrivalOrderFault(fault, payment))
  const add = arrivalOrderFaults(engine.world, payment, name)
  engine.execute('replace_faults', { remove: before.map(({ id }) => id), add })
  record(context, payment, 'order', name)
}

function record({ services, activity }: PageContext, { id }: Payment, command: PanelCommand, value?: string): void {
  const at = services.timeline.now()
  activity.add(id, { at, kind: 'command', command, ...(value !== undefined && { value }) })
}
