// Spec 2.3 and 3.2: the refund, and the remainder that can still be refunded.
import { type AllFields, type FormatOptions, timeText } from './serialization.ts'
import type { StoredPlan } from './simulator-plan.ts'
import type { SandboxTime } from './time.ts'

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

/** A stored refund. `amount` is in minor units. Fields that are set later are `undefined` from the start. */
export interface Refund {
  readonly id: string
  readonly payment_id: string
  readonly merchant_id: string
  readonly shop_id: string
  readonly amount: number
  readonly reason?: string | undefined
  readonly status: RefundStatus
  readonly created_at: SandboxTime
  readonly completed_at?: SandboxTime | undefined
  readonly plan: StoredPlan
}

/**
 * Returns the remainder: the amount that can still be refunded, in minor units. It excludes refunded amounts. It also
 * excludes pending refunds, unless `reservesPending` is false (spec 4.4).
 */
export function refundableAmount(
  { amount, amount_refunded }: { readonly amount: number; readonly amount_refunded: number },
  refunds: readonly { readonly status: string; readonly amount: number }[],
  reservesPending = true,
): number {
  const pending = reservesPending ? refunds.filter(({ status }) => status === 'pending') : []
  return pending.reduce((left, refund) => left - refund.amount, amount - amount_refunded)
}

/** A refund as the API shows it, alone or in its payment. */
export interface PublicRefund {
  id: string
  payment_id: string
  merchant_id: string
  amount: number
  reason?: string
  status: RefundStatus
  created_at: string
  completed_at?: string | null
}

export function presentRefund(refund: Refund, format: FormatOptions): PublicRefund {
  const shown: AllFields<PublicRefund> = {
    id: refund.id,
    payment_id: refund.payment_id,
    merchant_id: refund.merchant_id,
    amount: refund.amount,
    reason: refund.reason,
    status: refund.status,
    created_at: timeText(refund.created_at, format),
    completed_at: timeText(refund.completed_at, format),
  }
  return shown as PublicRefund
}
