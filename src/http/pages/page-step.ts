// What the page shows of a payment: pure, so that every tab and every reload agrees.
import { awaitsBuyer, type Payment } from '../../domain/payment.ts'
import { METHODS, PAGE_METHODS, type PageForm, type PageMethod } from '../../domain/payment-methods.ts'
import { isFinalPayment, type PaymentStatus } from '../../domain/payment-states.ts'
import type { SandboxTime } from '../../domain/time.ts'

/** `waiting` is a payment no buyer takes part in. A final status is its own step. */
export type Step = 'choose' | PageForm | 'three_ds' | 'waiting' | Exclude<PaymentStatus, 'pending'>

export function stepOfPayment(payment: Payment, confirming: boolean): Step {
  if (payment.status !== 'pending' && !awaitsBuyer(payment)) return payment.status
  if (payment.method === 'any') return 'choose'
  const { page } = METHODS[payment.method]
  return page === 'cards' && confirming ? 'three_ds' : page
}

/** Changes whenever an open page has to be drawn anew. */
export function pageVersion(payment: Payment, step: Step): string {
  return `${payment.status}.${payment.method}.${step}.${payment.amount_refunded}`
}

/** When the payment ends by itself; nothing where it is over. */
export function paymentDeadline(payment: Payment): SandboxTime | undefined {
  if (payment.status === 'pending') return payment.expires_at
  return payment.status === 'processing' ? payment.processing_until : undefined
}

/** Spec 3.4: ms until the buyer goes back to the shop; `undefined`: stays. */
export function returnDelay(payment: Payment): number | undefined {
  if (payment.return_url === undefined || !isFinalPayment(payment.status)) return undefined
  return payment.status === 'succeeded' ? 2000 : 0
}

/** The method the payment has, where it is one of the page's. */
export function pageMethodOf(payment: Payment): PageMethod | undefined {
  return PAGE_METHODS.find((method) => method === payment.method)
}
