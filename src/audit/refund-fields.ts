// Recognizes fields whose names say that refunds change them.
import { keyOf } from './probe-fields.ts'

const BALANCE_KEY = /(^|[._-])(balance|net)$/i
const BALANCE_CAMEL_KEY = /[a-z]Balance$/
const REFUNDED_KEY =
  /(^|[._-])(refunded|refunds|refund(ed|s)?_?(amount|sum|total)|(amount|sum|total)_?refund(ed|s)?)$|[a-z](Refunded|RefundTotal|RefundAmount)$/

/** Returns whether the field is a balance, which a refund lowers. */
export function isBalance(path: string): boolean {
  const key = keyOf(path)
  return BALANCE_KEY.test(key) || BALANCE_CAMEL_KEY.test(key)
}

/** Returns whether the field is the refunded amount, or says that there was a refund. */
export function isRefundedAmount(path: string): boolean {
  return REFUNDED_KEY.test(keyOf(path))
}

export const HANDLE_REFUNDS =
  'Handle payment.refunded: set the refunded amount of the payment to data.amount_refunded, and lower the balance by the difference.'

/** The advice if no value shows refunds. A handler that ignores refunds then looks the same as a correct one. */
export const SHOW_REFUNDS =
  'If the handler ignores payment.refunded, handle it. If it handles refunds, let a probe show them: the refunded amount of the order, as in {"status":"paid","refunded":30000}, or a balance that each refund lowers.'
