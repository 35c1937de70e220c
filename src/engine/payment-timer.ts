// The timers of a payment are fields of its row. Separate timer rows would double the cost of storing a payment.
import { changePayment, type Payment, type PaymentStep } from '../domain/payment.ts'
import type { SandboxTime } from '../domain/time.ts'
import type { Draft } from './draft.ts'
import type { Timer } from './tables.ts'

/** Returns a payment's next timer: its step, or its expiry unless the step is earlier. Final payments have none. */
export function paymentTimer(payment: Payment): Timer | undefined {
  const { id, status, step, step_at, seq = 0 } = payment
  const end = status === 'pending' ? payment.expires_at : status === 'processing' ? payment.processing_until : undefined
  if (step !== undefined && step_at !== undefined && (end === undefined || step_at < end)) {
    return { id: `${step}:${id}`, kind: step, object_id: id, due: step_at, seq: seq + 1 }
  }
  if (end === undefined) return undefined
  const kind = status === 'pending' ? 'link_timeout' : 'session_timeout'
  return { id: `${kind}:${id}`, kind, object_id: id, due: end, seq }
}

/** The statuses of a payment that can still expire. */
export const OPEN_STATUSES = ['pending', 'processing'] as const

/** Returns the fields of the next step, which replaces the scheduled one. */
export function nextStep(draft: Draft, step: PaymentStep, due: SandboxTime): Pick<Payment, 'step' | 'step_at' | 'seq'> {
  return { step, step_at: due, seq: draft.reserveTimerSeq(2) }
}

/** Returns the payment without a next step; only its expiry remains. */
export function withoutStep(payment: Payment): Payment {
  return changePayment(payment, { step: undefined, step_at: undefined })
}
