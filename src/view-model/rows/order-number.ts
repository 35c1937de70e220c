import type { Tables } from './rows.ts'

/** Returns the order number of a payment, or of the payment of a delivery. */
export function orderNumberOf({ payments, deliveries }: Pick<Tables, 'payments' | 'deliveries'>, id: string) {
  return payments.get(deliveries.get(id)?.object_id ?? id)?.payment.order_id
}
