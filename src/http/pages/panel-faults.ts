// The faults that the panel shows for a payment, and the faults that the panel adds. The added faults make the webhook
// and the buyer's return arrive in a chosen order.
import { type Facts, type Fault, type FaultTarget, matches, metadataKey } from '../../domain/faults.ts'
import { paymentFacts } from '../../domain/match-fields.ts'
import type { Payment } from '../../domain/payment.ts'
import { PAYMENT_END_EVENTS } from '../../domain/payment-states.ts'
import type { Input } from '../../engine/command.ts'
import { subscribedEndpoints } from '../../engine/fan-out.ts'
import type { World } from '../../engine/world.ts'

/** Returns faults for the end of the payment only, not for retries or later events. */
export function arrivalOrderFaults(world: World, payment: Payment, name: ArrivalOrder): readonly Input<'add_fault'>[] {
  return ARRIVAL_ORDERS[name].flatMap(({ target, fault, paymentField }: OrderFault): Input<'add_fault'>[] => {
    const match = { [paymentField]: payment.id }
    // Several browser tabs can return, so `drop` has no limit.
    if (target === 'redirect') return [{ target, fault, match, ...(fault !== 'drop' && { times: 1 }) }]
    return PAYMENT_END_EVENTS.map((event) => {
      const { length } =
        payment.webhook_url === undefined ? subscribedEndpoints(world, { ...payment, event }) : [payment]
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
  return ARRIVAL_ORDERS[name].some((template: OrderFault) => {
    if (template.target !== target || template.fault !== fault || match[template.paymentField] !== id) return false
    const others = Object.keys(match).filter((field) => field !== template.paymentField)
    return others.join() === (target === 'webhook' ? 'event,attempt' : '')
  })
}

/** Delays of the bank's response, in ms. */
export const BANK_DELAYS = [3_000, 10_000, 30_000, 120_000] as const

interface OrderFault {
  readonly target: FaultTarget
  readonly fault: string
  /** The `match` field that contains the payment's id for this target. */
  readonly paymentField: 'payment_id' | 'object_id'
}

/**
 * The order in which webhook and buyer reach the shop, as faults at the end of the payment. `webhook` and `redirect`
 * name which of the two is first. With `never`, the buyer does not return.
 */
export const ARRIVAL_ORDERS = {
  normal: [],
  webhook: [{ target: 'redirect', fault: 'delay:3s', paymentField: 'payment_id' }],
  redirect: [{ target: 'webhook', fault: 'delay:10s', paymentField: 'object_id' }],
  never: [{ target: 'redirect', fault: 'drop', paymentField: 'payment_id' }],
} as const satisfies { readonly [name: string]: readonly OrderFault[] }

export type ArrivalOrder = keyof typeof ARRIVAL_ORDERS

/** The facts that are known before the payment ends. Other fields of a fault (`status`, `attempt`) may still match. */
const KNOWN_FACTS = {
  redirect: (payment: Payment) => ({ ...fixedFacts(payment), payment_id: payment.id }),
  webhook: (payment: Payment) => ({ ...fixedFacts(payment), object_id: payment.id }),
} as const satisfies { readonly [T in FaultTarget]?: (payment: Payment) => Facts }

/** Omits the status, and the method if the buyer has not chosen it yet, because both will change. */
function fixedFacts(payment: Payment): Facts {
  const { status: _, payment_method, ...facts } = paymentFacts(payment)
  return payment.method === 'any' ? facts : { ...facts, payment_method }
}

/** Returns the faults that may still apply to the payment, in the order in which they apply: the newest first. */
export function pendingFaults(world: World, payment: Payment): readonly Fault[] {
  return [...world.rows('faults', 'newest')].filter((fault) => {
    if (fault.times === 0 || (fault.target !== 'redirect' && fault.target !== 'webhook')) return false
    const facts: Facts = KNOWN_FACTS[fault.target](payment)
    const isKnown = (field: string) => field in facts || metadataKey(field) !== undefined
    return matches(Object.fromEntries(Object.entries(fault.match).filter(([field]) => isKnown(field))), facts)
  })
}
