import { type Payment, type PublicPayment, presentPayment } from '../../domain/payment.ts'
import type { Shop } from '../../domain/shop.ts'
import { type BatchSize, isFull } from '../../engine/batch-size.ts'
import type { Settings } from '../../settings.ts'

/** A payment as the public API returns it, as an object and as JSON. */
export interface SerializedPayment {
  readonly body: PublicPayment
  readonly text: string
}

interface CacheEntry extends SerializedPayment {
  readonly shop: Shop
  readonly settings: Settings
}

const LIMIT: BatchSize = { rows: 256, bytes: 16 * 1024 * 1024 }

/** Serializes a payment that has no refunds. */
export type PaymentResponseCache = (payment: Payment, shop: Shop, settings: Settings) => SerializedPayment

/**
 * Caches serialized payments, because clients poll them until they are final. Rows are immutable, so an entry is valid
 * for the same payment, shop and settings. Refunds are separate rows, so payments with refunds are not cached.
 */
export function createPaymentResponseCache(): PaymentResponseCache {
  const entries = new Map<Payment, CacheEntry>()
  let bytes = 0
  return (payment, shop, settings) => {
    const known = entries.get(payment)
    if (known !== undefined && known.shop === shop && known.settings === settings) return known
    const body = presentPayment(payment, [], shop, settings)
    const entry = { body, text: JSON.stringify(body), shop, settings }
    if (isFull({ rows: entries.size, bytes }, LIMIT)) {
      entries.clear()
      bytes = 0
    }
    entries.set(payment, entry)
    bytes += entry.text.length
    return entry
  }
}
