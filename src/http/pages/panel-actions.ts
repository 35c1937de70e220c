// What a developer does on the page's panel.
import { PAYMENT_FAILURE_CODES } from '../../domain/failure-codes.ts'
import { awaitsBuyer } from '../../domain/payment.ts'
import { AUTOMATIC_METHOD } from '../../domain/payment-methods.ts'
import { isFinalPayment } from '../../domain/payment-states.ts'
import type { PageAction } from './buyer-actions.ts'
import { choiceOf } from './choice.ts'
import { isOrderFault, orderFaults } from './order-faults.ts'
import { DELAYS, ORDERS, type Order } from './panel-options.ts'
import { pageMethodOf } from './state.ts'

/** Approve, decline or expire: at once, or as the plan of a session that starts now. */
export const act: PageAction = ({ services, confirmations }, payment, form) => {
  const name = choiceOf(form, 'act', ['approve', 'decline', 'expire'])
  const code = choiceOf(form, 'code', PAYMENT_FAILURE_CODES) ?? 'do_not_honor'
  const delay = choiceOf(form, 'delay', DELAYS)
  if (isFinalPayment(payment.status)) return
  const { engine } = services
  const payment_id = payment.id
  const method = pageMethodOf(payment)
  confirmations.end(payment_id)
  if (name === 'expire') {
    engine.execute('act_on_payment', { payment_id, act: { action: 'expire' } })
  } else if (name === 'approve' || name === 'decline') {
    if (delay !== undefined && awaitsBuyer(payment)) {
      const plan =
        name === 'approve' ? ({ outcome: 'succeeded', delay } as const) : ({ outcome: 'failed', code, delay } as const)
      engine.execute('pay_on_page', { payment_id, method: method ?? AUTOMATIC_METHOD, plan })
    } else if (name === 'approve') engine.execute('act_on_payment', { payment_id, act: { action: 'pay' } })
    else engine.execute('act_on_payment', { payment_id, act: { action: 'decline', failure_code: code } })
  }
  return
}

/** In which order webhook and buyer arrive. What was set here before for this payment goes. */
export const order: PageAction = ({ services }, payment, form) => {
  const name = choiceOf(form, 'order', Object.keys(ORDERS) as Order[])
  if (name === undefined || isFinalPayment(payment.status)) return
  const { engine } = services
  const before = [...engine.world.rows('faults')].filter((fault) => isOrderFault(fault, payment))
  const add = orderFaults(engine.world, payment, name)
  engine.execute('replace_faults', { remove: before.map(({ id }) => id), add })
  return
}
