import { type Payment, type PublicPayment, presentPayment } from '../../domain/payment.ts'
import type { Shop } from '../../domain/shop.ts'
import type { Settings } from '../../settings.ts'

/** A payment as it is shown, and that as JSON. */
export interface SerializedPayment {
  readonly body: PublicPayment
  readonly text: string
}

interface CacheEntry extends SerializedPayment {
  readonly shop: Shop
  readonly settings: Settings
}

const MAX_ENTRIES = 256

/** Shows a payment that has no refunds. */
export type PaymentResponseCache = (payment: Payment, shop: Shop, look: Settings) => SerializedPayment

/**
 * What one sandbox showed of payments that are asked for again and again until they are final. Rows are values: what was
 * made of the same payment, shop and settings still holds. Refunds are rows of their own, which nobody looks at here.
 */
export function createPaymentResponseCache(): PaymentResponseCache {
  const kept = new Map<Payment, CacheEntry>()
  return (payment, shop, look) => {
    const known = kept.get(payment)
    if (known !== undefined && known.shop === shop && known.settings === look) return known
    const body = presentPayment(payment, [], shop, look)
    const shown = { body, text: JSON.stringify(body), shop, settings: look }
    if (kept.size >= MAX_ENTRIES) kept.clear()
    kept.set(payment, shown)
    return shown
  }
}
