// Which faults may still meet a payment's webhooks and its buyer's way back: the panel tells them before they strike.
import { type Fault, type FaultTarget, matches } from '../../domain/faults.ts'
import type { Payment } from '../../domain/payment.ts'
import type { World } from '../../engine/world.ts'

/** What is known of the payment before its end; a fault's other fields (`status`, `event`, `attempt`) may come to fit. */
const KNOWN = {
  redirect: ({ id, shop_id }: Payment) => ({ payment_id: id, shop_id }),
  webhook: ({ id, shop_id }: Payment) => ({ object_id: id, shop_id }),
} as const satisfies { readonly [T in FaultTarget]?: (payment: Payment) => { readonly [field: string]: string } }

/** Newest first, as they would be taken. */
export function faultsAhead(world: World, payment: Payment): readonly Fault[] {
  if (world.size('faults') === 0) return []
  return [...world.rows('faults', 'newest')].filter((fault) => {
    if (fault.times === 0 || (fault.target !== 'redirect' && fault.target !== 'webhook')) return false
    const facts: { readonly [field: string]: string } = KNOWN[fault.target](payment)
    return matches(Object.fromEntries(Object.entries(fault.match).filter(([field]) => field in facts)), facts)
  })
}
