// What comes to a payment by itself. Its own row says it: a row of their own for each timer would double what a payment
// costs to write, to keep and to put in order.
import type { Payment, PaymentStep } from '../domain/payment.ts'
import type { SandboxTime } from '../domain/time.ts'
import type { Draft } from './draft.ts'
import type { Timer } from './tables.ts'

/** The next of a payment's timers: its step, or its end where that comes first. A final payment has none. */
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

/** Statuses that a payment leaves by itself. */
export const UNFINISHED = ['pending', 'processing'] as const

/** The payment with what comes next, in place of what was to come. */
export function withStep(draft: Draft, payment: Payment, step: PaymentStep, due: SandboxTime): Payment {
  return draft.put('payments', { ...payment, step, step_at: due, seq: draft.places(2) })
}

/** The payment with nothing to come but its end. */
export function withoutStep(payment: Payment): Payment {
  return { ...payment, step: undefined, step_at: undefined }
}
