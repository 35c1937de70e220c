// Spec 3.1: the states of a payment and its transitions.
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
  /** A description for the documents. */
  when: string
  webhook?: WebhookEventName
}

/** All transitions. `payment.refunded` belongs to the refund, not to this table. */
export const PAYMENT_TRANSITIONS = [
  { from: 'pending', on: 'method_chosen', to: 'pending', when: 'the buyer picks a method on the hosted page' },
  { from: 'pending', on: 'session_opened', to: 'processing', when: "the bank's session opens" },
  { from: 'processing', on: 'bank_approved', to: 'succeeded', when: 'the bank approves', webhook: 'payment.succeeded' },
  { from: 'processing', on: 'bank_declined', to: 'failed', when: 'the bank declines', webhook: 'payment.failed' },
  {
    from: 'processing',
    on: 'session_timed_out',
    to: 'expired',
    when: '`processing_until` passes without a response from the bank',
    webhook: 'payment.expired',
  },
  {
    from: 'pending',
    on: 'link_ran_out',
    to: 'expired',
    when: '`expires_at` passes without a payment by the buyer',
    webhook: 'payment.expired',
  },
  { from: 'pending', on: 'cancelled', to: 'cancelled', when: 'the shop cancels it', webhook: 'payment.cancelled' },
  { from: 'succeeded', on: 'fully_refunded', to: 'refunded', when: 'its succeeded refunds reach its amount' },
] as const satisfies readonly TransitionRow[]

/** The events with which a payment becomes final. Each final payment has exactly one of them. */
export const PAYMENT_END_EVENTS: readonly WebhookEventName[] = /* @__PURE__ */ endEvents()

/** A pure call, so that a bundle that uses only the statuses omits the transitions. */
function endEvents(): readonly WebhookEventName[] {
  return [...new Set(PAYMENT_TRANSITIONS.flatMap((row) => ('webhook' in row ? [row.webhook] : [])))]
}

export type PaymentTrigger = (typeof PAYMENT_TRANSITIONS)[number]['on']

export function paymentTransition(from: PaymentStatus, on: PaymentTrigger): TransitionRow | undefined {
  return PAYMENT_TRANSITIONS.find((row) => row.from === from && row.on === on)
}

/** Whether the payment is over. After that, only a refund can change the status. */
export function isFinalPayment(status: PaymentStatus): boolean {
  return status !== 'pending' && status !== 'processing'
}
