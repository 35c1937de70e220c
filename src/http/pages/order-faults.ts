// The levers of the panel for the order of webhook and return, as faults of one payment.
import type { Fault } from '../../domain/faults.ts'
import type { Payment } from '../../domain/payment.ts'
import { PAYMENT_END_EVENTS } from '../../domain/payment-states.ts'
import type { Input } from '../../engine/command.ts'
import { subscribers } from '../../engine/fan-out.ts'
import type { World } from '../../engine/world.ts'
import { ORDERS, type Order } from './panel-options.ts'

type Lever = (typeof ORDERS)[Order][number]

/** They meet the payment's end alone: no retry, and no event that comes after. */
export function orderFaults(world: World, payment: Payment, name: Order): readonly Input<'add_fault'>[] {
  return ORDERS[name].flatMap(({ target, fault, by }: Lever): Input<'add_fault'>[] => {
    const match = { [by]: payment.id }
    // Never is never, in every tab.
    if (target === 'redirect') return [{ target, fault, match, ...(fault !== 'drop' && { times: 1 }) }]
    return PAYMENT_END_EVENTS.map((event) => {
      const { length } = payment.webhook_url === undefined ? subscribers(world, { ...payment, event }) : [payment]
      return { target, fault, match: { ...match, event, attempt: 1 }, times: Math.max(1, length) }
    })
  })
}

/** What the panel has set for this payment and is still to come. */
export function orderOf(ahead: readonly Fault[], payment: Payment): Order {
  const set = Object.keys(ORDERS).find((name) => ahead.some((fault) => isOf(fault, payment, name as Order)))
  return (set as Order | undefined) ?? 'normal'
}

/** True of a fault that the panel made for this payment. */
export function isOrderFault(fault: Fault, payment: Payment): boolean {
  return Object.keys(ORDERS).some((name) => isOf(fault, payment, name as Order))
}

function isOf({ target, fault, match }: Fault, { id }: Payment, name: Order): boolean {
  return ORDERS[name].some((lever: Lever) => {
    if (lever.target !== target || lever.fault !== fault || match[lever.by] !== id) return false
    const others = Object.keys(match).filter((field) => field !== lever.by)
    return others.join() === (target === 'webhook' ? 'event,attempt' : '')
  })
}
