// Finds the faults that may still apply to a payment's webhooks and to the buyer's return, so the panel can list them.
import { type Facts, type Fault, type FaultTarget, matches, metadataKey } from '../../domain/faults.ts'
import { paymentFacts } from '../../domain/match-fields.ts'
import type { Payment } from '../../domain/payment.ts'
import type { World } from '../../engine/world.ts'

/** The facts that are known before the payment ends. Other fields of a fault (`status`, `event`, `attempt`) may still match. */
const KNOWN_FACTS = {
  redirect: (payment: Payment) => ({ ...fixedFacts(payment), payment_id: payment.id }),
  webhook: (payment: Payment) => ({ ...fixedFacts(payment), object_id: payment.id }),
} as const satisfies { readonly [T in FaultTarget]?: (payment: Payment) => Facts }

/** Omits the status, and the method if the buyer has not chosen it yet, because both will change. */
function fixedFacts(payment: Payment): Facts {
  const { status: _, payment_method, ...facts } = paymentFacts(payment)
  return payment.method === 'any' ? facts : { ...facts, payment_method }
}

/** Returns the faults newest first, which is the order in which they apply. */
export function pendingFaults(world: World, payment: Payment): readonly Fault[] {
  if (world.size('faults') === 0) return []
  return [...world.rows('faults', 'newest')].filter((fault) => {
    if (fault.times === 0 || (fault.target !== 'redirect' && fault.target !== 'webhook')) return false
    const facts: Facts = KNOWN_FACTS[fault.target](payment)
    const isKnown = (field: string) => field in facts || metadataKey(field) !== undefined
    return matches(Object.fromEntries(Object.entries(fault.match).filter(([field]) => isKnown(field))), facts)
  })
}
