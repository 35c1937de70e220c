// Which faults may still meet a payment's webhooks and its buyer's way back: the panel tells them before they strike.
import { type Facts, type Fault, type FaultTarget, matches, metadataName } from '../../domain/faults.ts'
import { paymentFacts } from '../../domain/object-facts.ts'
import type { Payment } from '../../domain/payment.ts'
import type { World } from '../../engine/world.ts'

/** What is known of the payment before its end; a fault's other fields (`status`, `event`, `attempt`) may come to fit. */
const KNOWN_FACTS = {
  redirect: (payment: Payment) => ({ ...fixedFacts(payment), payment_id: payment.id }),
  webhook: (payment: Payment) => ({ ...fixedFacts(payment), object_id: payment.id }),
} as const satisfies { readonly [T in FaultTarget]?: (payment: Payment) => Facts }

/** The status changes, and so may the method that the buyer has yet to choose. */
function fixedFacts(payment: Payment): Facts {
  const { status: _, payment_method, ...facts } = paymentFacts(payment)
  return payment.method === 'any' ? facts : { ...facts, payment_method }
}

/** Newest first, as they would be taken. */
export function pendingFaults(world: World, payment: Payment): readonly Fault[] {
  if (world.size('faults') === 0) return []
  return [...world.rows('faults', 'newest')].filter((fault) => {
    if (fault.times === 0 || (fault.target !== 'redirect' && fault.target !== 'webhook')) return false
    const facts: Facts = KNOWN_FACTS[fault.target](payment)
    const isKnown = (field: string) => field in facts || metadataName(field) !== undefined
    return matches(Object.fromEntries(Object.entries(fault.match).filter(([field]) => isKnown(field))), facts)
  })
}
