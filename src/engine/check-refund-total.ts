import type { Payment } from '../domain/payment.ts'
import type { Refund } from '../domain/refund.ts'

/**
 * Returns why the refunded total of a stored payment is invalid. A total above the amount is valid only if refunds raced
 * (`reserve_pending_refunds=false`), and then equals their sum. Amounts are in minor units.
 */
export function refundTotalIssue(payment: Payment, refunds: Iterable<Refund>): string | undefined {
  const { id, amount, amount_refunded } = payment
  if (amount_refunded <= amount) return undefined
  let sum = 0
  for (const refund of refunds) if (refund.payment_id === id && refund.status === 'succeeded') sum += refund.amount
  if (amount_refunded <= sum) return undefined
  return `expected at most the amount, ${amount}, or the sum of its refunds, ${sum}, got ${amount_refunded}`
}
