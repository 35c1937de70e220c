// The facts of a payment or payout with which rules and faults match.
import type { Facts } from './faults.ts'
import type { Payment } from './payment.ts'
import type { Payout } from './payout.ts'

type PaymentLike = Pick<
  Payment,
  'amount' | 'currency' | 'method' | 'order_id' | 'customer_id' | 'description' | 'shop_id' | 'metadata'
> & { readonly status?: string }

export function paymentFacts(payment: PaymentLike): Facts {
  const { amount, currency, method, order_id, customer_id, description, status, shop_id, metadata } = payment
  return { amount, currency, payment_method: method, order_id, customer_id, description, status, shop_id, metadata }
}

export function payoutFacts({ amount, currency, method, recipient, status, shop_id }: Payout): Facts {
  const { phone, bank_id } = recipient
  return { amount, currency, payment_method: method, phone, bank_id, status, shop_id }
}
