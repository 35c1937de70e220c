// Derives the step of the page from the payment. While the payment's method is `any`, the step also depends on the
// method that the browser tab shows.
import { awaitsBuyer, type Payment } from '../../domain/payment.ts'
import { METHODS, PAGE_METHODS, type PageForm, type PageMethod } from '../../domain/payment-methods.ts'
import { isFinalPayment, type PaymentStatus } from '../../domain/payment-states.ts'
import type { SandboxTime } from '../../domain/time.ts'

/** `waiting` is for payments without a buyer. Every status except `pending` is also a step. */
export type Step = 'choose' | PageForm | 'three_ds' | 'waiting' | Exclude<PaymentStatus, 'pending'>

/** @param picked the method that this browser tab shows; used only if the payment's method is `any` */
export function stepOfPayment(payment: Payment, confirming: boolean, picked: PageMethod | undefined): Step {
  if (payment.status !== 'pending' && !awaitsBuyer(payment)) return payment.status
  const method = payment.method === 'any' ? picked : payment.method
  if (confirming && (method === undefined || METHODS[method].page === 'cards')) return 'three_ds'
  return method === undefined ? 'choose' : METHODS[method].page
}

/**
 * Returns a string that changes whenever an open page must be rendered again.
 * @param round the number of forms that the buyer has sent on the 3-D Secure page
 */
export function pageVersion(payment: Payment, step: Step, round = 0): string {
  return `${payment.status}.${payment.method}.${step}.${payment.amount_refunded}.${round}`
}

/** Returns the time at which the payment expires, or `undefined` if the payment is final. */
export function paymentDeadline(payment: Payment): SandboxTime | undefined {
  if (payment.status === 'pending') return payment.expires_at
  return payment.status === 'processing' ? payment.processing_until : undefined
}

/** Spec 3.4: returns the ms until the buyer returns to the shop, or `undefined` if the buyer does not return. */
export function returnDelay(payment: Payment): number | undefined {
  if (payment.return_url === undefined || !isFinalPayment(payment.status)) return undefined
  return payment.status === 'succeeded' ? 2000 : 0
}

/** Returns the payment's method if the buyer can choose it on the page. */
export function pageMethodOf(payment: Payment): PageMethod | undefined {
  return PAGE_METHODS.find((method) => method === payment.method)
}
