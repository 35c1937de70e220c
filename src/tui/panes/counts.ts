import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payment-states.ts'
import type { Tables } from '../state/rows.ts'

interface Counts {
  readonly total: number
  /** Those there are, in the order of the states. */
  readonly byStatus: readonly (readonly [PaymentStatus, number])[]
}

const kept = new WeakMap<Tables['payments'], Counts>()

/** Payments by status, counted once for each table. */
export function countsOf({ payments }: Tables): Counts {
  const known = kept.get(payments)
  if (known !== undefined) return known
  const counts = new Map<PaymentStatus, number>()
  for (const { payment } of payments.values()) counts.set(payment.status, (counts.get(payment.status) ?? 0) + 1)
  const byStatus = PAYMENT_STATUSES.flatMap((status) => {
    const count = counts.get(status)
    return count === undefined ? [] : [[status, count] as const]
  })
  const made = { total: payments.size, byStatus }
  kept.set(payments, made)
  return made
}
