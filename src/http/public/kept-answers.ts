import type { Payment, PublicPayment } from '../../domain/payment.ts'
import type { Shop } from '../../domain/shop.ts'
import type { Settings } from '../../settings.ts'

/** A payment as it is shown, and that as JSON. */
export interface Shown {
  readonly body: PublicPayment
  readonly text: string
}

interface Kept extends Shown {
  readonly shop: Shop
  readonly look: Settings
}

const KEPT = 256

/**
 * What was shown of payments that are asked for again and again until they are final. Rows are values: what was made of
 * the same payment, shop and settings still holds. Only for payments without refunds, which are rows of their own.
 */
export function createKeptAnswers(show: (payment: Payment, shop: Shop, look: Settings) => PublicPayment) {
  const kept = new Map<Payment, Kept>()
  return (payment: Payment, shop: Shop, look: Settings): Shown => {
    const known = kept.get(payment)
    if (known !== undefined && known.shop === shop && known.look === look) return known
    const body = show(payment, shop, look)
    const shown = { body, text: JSON.stringify(body), shop, look }
    if (kept.size >= KEPT) kept.clear()
    kept.set(payment, shown)
    return shown
  }
}
