import type { PublicRefund } from '../../domain/refund.ts'
import type { ListedPayment } from '../../view-model/rows/rows.ts'

/** A refund with its payment. The tables contain refunds only inside their payments. */
export interface RefundRow {
  readonly id: string
  readonly refund: PublicRefund
  readonly payment: ListedPayment
}
