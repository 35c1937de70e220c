// The faults of one payment that make its webhook and the buyer's return arrive in the order that is set on the panel.
import type { Fault } from '../../domain/faults.ts'
import type { Payment } from '../../domain/payment.ts'
import { PAYMENT_END_EVENTS } from '../../domain/payment-states.ts'
import type { Input } from '../../engine/command.ts'
import { subscribers } from '../../engine/fan-out.ts'
import type { World } from '../../engine/world.ts'
import { ARRIVAL_ORDERS, type ArrivalOrder } from './panel-options.ts'

type FaultTemplate = (typeof ARRIVAL_ORDERS)[ArrivalOrder][number]

/** Returns faults for the end of the payment only, not for retries or later events. */
export function arrivalOrderFaults(world: World, payment: Payment, name: ArrivalOrder): readonly Input<'add_fault'>[] {
  return ARRIVAL_ORDERS[name].flatMap(({ target, fault, paymentField }: FaultTemplate): Input<'add_fault'>[] => {
    const match = { [paymentField]: payment.id }
    // Several tabs can return, so `drop` has no limit.
    if (target === 'redirect') return [{ target, fault, match, ...(fault !== 'drop' && { times: 1 }) }]
    return PAYMENT_END_EVENTS.map((event) => {
      const { length } = payment.webhook_url === undefined ? subscribers(world, { ...payment, event }) : [payment]
      return { target, fault, match: { ...match, event, attempt: 1 }, times: Math.max(1, length) }
    })
  })
}

/** Returns the order that is set on the panel, according to the faults that still apply. */
export function currentArrivalOrder(pending: readonly Fault[], payment: Payment): ArrivalOrder {
  const name = Object.keys(ARRIVAL_ORDERS).find((candidate) =>
    pending.some((fault) => belongsTo(fault, payment, candidate as ArrivalOrder)),
  )
  return (name as ArrivalOrder | undefined) ?? 'normal'
}

/** Whether the panel added the fault for this payment. */
export function isArrivalOrderFault(fault: Fault, payment: Payment): boolean {
  return Object.keys(ARRIVAL_ORDERS).some((name) => belongsTo(fault, payment, name as ArrivalOrder))
}

function belongsTo({ target, fault, match }: Fault, { id }: Payment, name: ArrivalOrder): boolean {
  return ARRIVAL_ORDERS[name].some((template: FaultTemplate) => {
    if (template.target !== target || template.fault !== fault || match[template.paymentField] !== id) return false
    const others = Object.keys(match).filter((field) => field !== template.paymentField)
    return others.join() === (target === 'webhook' ? 'event,attempt' : '')
  })
}
