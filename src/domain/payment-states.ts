// Spec 3.1: states of a payment and every way from one to another.
import type { WebhookEventName } from './events.ts'

export const PAYMENT_STATUSES = [
  'pending',
  'processing',
  'succeeded',
  'failed',
  'expired',
  'cancelled',
  'refunded',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

interface TransitionRow {
  from: PaymentStatus
  on: string
  to: PaymentStatus
  /** In words. */
  when: string
  webhook?: WebhookEventName
}

/** A pair that is not listed here does not happen. `payment.refunded` belongs to the refund, not to this table. */
export const PAYMENT_TRANSITIONS = [
  { from: 'pending', on: 'method_chosen', to: 'pending', when: 'the buyer picks a method on the hosted page' },
  { from: 'pending', on: 'session_opened', to: 'processing', when: "the bank's session opens" },
  { from: 'processing', on: 'bank_approved', to: 'succeeded', when: 'the bank says yes', webhook: 'payment.succeeded' },
  { from: 'processing', on: 'bank_declined', to: 'failed', when: 'the bank refuses', webhook: 'payment.failed' },
  {
    from: 'processing',
    on: 'session_timed_out',
    to: 'expired',
    when: '`processing_until` passes without an answer of the bank',
    webhook: 'payment.expired',
  },
  {
    from: 'pending',
    on: 'link_ran_out',
    to: 'expired',
    when: '`expires_at` passes and nobody has paid',
    webhook: 'payment.expired',
  },
  { from: 'pending', on: 'cancelled', to: 'cancelled', when: 'the shop cancels it', webhook: 'payment.cancelled' },
  { from: 'succeeded', on: 'fully_refunded', to: 'refunded', when: 'its succeeded refunds reach its amount' },
] as const satisfies readonly TransitionRow[]

/** What merchants are told when a payment is over, before any refund: one of these, once. */
export const PAYMENT_END_EVENTS: readonly WebhookEventName[] = [
  ...new Set(PAYMENT_TRANSITIONS.flatMap((row) => ('webhook' in row ? [row.webhook] : []))),
]

export type PaymentTrigger = (typeof PAYMENT_TRANSITIONS)[number]['on']

/** The row for this state and trigger, or `undefined`: then the move does not exist. */
export function paymentTransition(from: PaymentStatus, on: PaymentTrigger): TransitionRow | undefined {
  return PAYMENT_TRANSITIONS.find((row) => row.from === from && row.on === on)
}

/** No transition leaves these, but a refund may turn `succeeded` into `refunded`. */
export function isFinalPayment(status: PaymentStatus): boolean {
  return status !== 'pending' && status !== 'processing'
}
