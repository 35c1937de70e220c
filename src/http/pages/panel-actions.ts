// The actions of a developer on the panel of the page.
import { PAYMENT_FAILURE_CODES } from '../../domain/failure-codes.ts'
import { awaitsBuyer } from '../../domain/payment.ts'
import { AUTOMATIC_METHOD } from '../../domain/payment-methods.ts'
import { isFinalPayment } from '../../domain/payment-states.ts'
import { methodOfForm, type PageAction, readChoice } from './buyer-actions.ts'
import {
  ARRIVAL_ORDERS,
  type ArrivalOrder,
  arrivalOrderFaults,
  BANK_DELAYS,
  isArrivalOrderFault,
} from './panel-faults.ts'

/** Approves, declines or expires the payment, at once, or by a bank session that ends after a delay. */
export const decideOutcome: PageAction = ({ services, confirmations }, payment, form) => {
  const name = readChoice(form, 'act', ['approve', 'decline', 'expire'])
  const code = readChoice(form, 'code', PAYMENT_FAILURE_CODES) ?? 'do_not_honor'
  const delay = readChoice(form, 'delay', BANK_DELAYS)
  if (isFinalPayment(payment.status)) return
  const { engine } = services
  const payment_id = payment.id
  const method = methodOfForm(payment, form)
  const paidBy = method === undefined ? {} : { method }
  confirmations.remove(payment_id)
  if (name === 'expire') {
    engine.execute('act_on_payment', { payment_id, act: { action: 'expire' } })
  } else if (name === 'approve' || name === 'decline') {
    if (delay !== undefined && awaitsBuyer(payment)) {
      const plan =
        name === 'approve' ? ({ outcome: 'succeeded', delay } as const) : ({ outcome: 'failed', code, delay } as const)
      engine.execute('pay_on_page', { payment_id, method: method ?? AUTOMATIC_METHOD, plan })
    } else if (name === 'approve') engine.execute('act_on_payment', { payment_id, act: { action: 'pay', ...paidBy } })
    else engine.execute('act_on_payment', { payment_id, act: { action: 'decline', failure_code: code, ...paidBy } })
  }
  return
}

/** Sets the order in which webhook and buyer arrive. It replaces the order that was set before for this payment. */
export const setArrivalOrder: PageAction = ({ services }, payment, form) => {
  const name = readChoice(form, 'order', Object.keys(ARRIVAL_ORDERS) as ArrivalOrder[])
  if (name === undefined || isFinalPayment(payment.status)) return
  const { engine } = services
  const before = [...engine.world.rows('faults')].filter((fault) => isArrivalOrderFault(fault, payment))
  const add = arrivalOrderFaults(engine.world, payment, name)
  engine.execute('replace_faults', { remove: before.map(({ id }) => id), add })
  return
}
