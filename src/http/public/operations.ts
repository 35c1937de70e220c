// Spec 4: the operations of the public API, in the order of the spec.
import { banks } from './banks.ts'
import { cancelPayment } from './cancel-payment.ts'
import { createPayment } from './create-payment.ts'
import { createPayout } from './create-payout.ts'
import { events } from './events.ts'
import { getPayment } from './get-payment.ts'
import { getPayout } from './get-payout.ts'
import { refundPayment } from './refund-payment.ts'

export const PUBLIC_OPERATIONS = {
  createPayment,
  getPayment,
  cancelPayment,
  refundPayment,
  createPayout,
  getPayout,
  banks,
  events,
}
