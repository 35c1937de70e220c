// What a developer does on the page's panel.
import { FAILURE_CODES, type FailureCode } from '../../domain/failure-codes.ts'
import { awaitsBuyer, type Payment } from '../../domain/payment.ts'
import { AUTOMATIC_METHOD } from '../../domain/payment-methods.ts'
import { isFinalPayment } from '../../domain/payment-states.ts'
import type { Services } from '../services.ts'
import type { PageAct } from './buyer-acts.ts'
import { choiceOf } from './choice.ts'
import { isPanelFault } from './faults-ahead.ts'
import { DELAYS, ORDERS, type Order } from './levers.ts'
import { pageMethodOf } from './state.ts'

/** Approve, decline or expire: at once, or as the plan of a session that starts now. */
export const act: PageAct = ({ services, confirmations }, payment, form) => {
  const name = choiceOf(form, 'act', ['approve', 'decline', 'expire'])
  const code = choiceOf(form, 'code', CODES) ?? 'do_not_honor'
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
export const order: PageAct = ({ services }, payment, form) => {
  const name = choiceOf(form, 'order', Object.keys(ORDERS) as Order[])
  if (name === undefined || isFinalPayment(payment.status)) return
  const { engine } = services
  for (const fault of [...engine.world.rows('faults')]) {
    if (isPanelFault(fault, payment)) engine.execute('remove_faults', { id: fault.id })
  }
  for (const { target, fault, by } of ORDERS[name]) {
    // Never is never, in every tab.
    const times = target === 'webhook' ? receivers(services, payment) : fault === 'drop' ? undefined : 1
    engine.execute('add_fault', { target, fault, match: { [by]: payment.id }, ...(times && { times }) })
  }
  return
}

const CODES = Object.keys(FAILURE_CODES) as FailureCode[]

/** How many first attempts the payment's next event makes. */
function receivers({ engine: { world } }: Services, payment: Payment): number {
  if (payment.webhook_url !== undefined) return 1
  return Math.max(1, world.find('endpoints', 'by_shop', payment.shop_id).filter(({ active }) => active).length)
}
