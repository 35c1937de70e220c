import type { Payment } from '../domain/payment.ts'
import type { Refund } from '../domain/refund.ts'

/**
 * What is wrong with the sum that a stored payment says was paid back, in minor units. More than its amount is right
 * only where its refunds raced (`reserve_pending_refunds=false`), and then they tell it.
 */
export function refundedSumFault(payment: Payment, refunds: Iterable<Refund>): string | undefined {
  const { id, amount, amount_refunded } = payment
  if (amount_refunded <= amount) return undefined
  let sum = 0
  for (const refund of refunds) if (refund.payment_id === id && refund.status === 'succeeded') sum += refund.amount
  if (amount_refunded <= sum) return undefined
  return `expected at most the amount, ${amount}, or what its refunds come to, ${sum}, got ${amount_refunded}`
}
