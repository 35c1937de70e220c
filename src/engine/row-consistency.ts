// Checks that involve several stored rows. The schema of a row checks the row alone.

import type { Payment } from '../domain/payment.ts'
import type { Refund } from '../domain/refund.ts'
import type { Endpoint } from '../domain/shop.ts'
import { httpUrl } from './row-formats.ts'
import type { TableName } from './tables.ts'

/** A table, a field, and the table to which the field refers. */
export const REFERENCES: readonly (readonly [from: TableName, field: string, to: TableName])[] = [
  ['shops', 'merchant_id', 'merchants'],
  ['keys', 'shop_id', 'shops'],
  ['endpoints', 'shop_id', 'shops'],
  ['payments', 'shop_id', 'shops'],
  ['refunds', 'shop_id', 'shops'],
  ['refunds', 'payment_id', 'payments'],
  ['payouts', 'shop_id', 'shops'],
  ['events', 'shop_id', 'shops'],
  ['deliveries', 'shop_id', 'shops'],
  ['deliveries', 'event_id', 'events'],
]

/**
 * Returns why the refunded total of a stored payment is invalid. A total above the amount is valid only if refunds
 * raced (`reserve_pending_refunds=false`). It is then at most the sum of the refunds. Amounts are in minor units.
 */
export function refundTotalIssue(payment: Payment, refunds: Iterable<Refund>): string | undefined {
  const { id, amount, amount_refunded } = payment
  if (amount_refunded <= amount) return undefined
  let sum = 0
  for (const refund of refunds) if (refund.payment_id === id && refund.status === 'succeeded') sum += refund.amount
  if (amount_refunded <= sum) return undefined
  return `expected at most the amount, ${amount}, or the sum of its refunds, ${sum}, got ${amount_refunded}`
}

const URL_FORM = 'expected an absolute http or https URL without user name and password'

/**
 * Returns why the URL of a stored delivery is invalid. A listener may have any URL, because the listener sends the
 * webhook. So may a deleted endpoint, because nothing is sent to it any more.
 *
 * @param endpoint the endpoint of the delivery; `undefined` if it has none, or if the endpoint was deleted
 */
export function deliveryUrlIssue(
  { url, endpoint_id }: { readonly url: string; readonly endpoint_id?: string | undefined },
  endpoint: Pick<Endpoint, 'listener'> | undefined,
): string | undefined {
  const isSent = endpoint_id === undefined || (endpoint !== undefined && endpoint.listener !== true)
  return isSent && !httpUrl.safeParse(url).success ? URL_FORM : undefined
}
