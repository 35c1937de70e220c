// Spec 4: bodies and responses of the public operations, as JSON.

import type { PublicPayment } from '../domain/payment.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import type { PublicPayout } from '../domain/payout.ts'
import type { PlanText } from '../domain/simulator-plan.ts'

/** Amounts are in minor units. */
export interface CreatePaymentBody {
  readonly amount: number
  readonly currency?: string | undefined
  readonly method?: PaymentMethod | undefined
  readonly order_id?: string | undefined
  readonly customer_id?: string | undefined
  readonly return_url?: string | undefined
  readonly description?: string | undefined
  readonly webhook_url?: string | undefined
  readonly metadata?: { readonly [key: string]: string } | undefined
}

export interface CreatePaymentResponse {
  readonly payment: PublicPayment
  readonly payment_url: string
  readonly mode: 'test' | 'live'
  readonly idempotent: boolean
  readonly simulator?: string
  readonly bank?: string
  readonly bank_ref?: string
  readonly failure_code?: string
  readonly failure_message?: string
}

/** Amounts are in minor units. */
export interface CreatePayoutBody {
  readonly amount: number
  readonly currency?: string | undefined
  readonly method?: string | undefined
  readonly phone: string
  readonly bank_id: string
  readonly full_name?: string | undefined
}

export interface CreatePayoutResponse {
  readonly payout: PublicPayout
  readonly mode: 'test' | 'live'
  readonly idempotent: boolean
  readonly simulator?: string
  readonly bank?: string
  readonly bank_ref?: string
  readonly failure_reason?: string
}

export interface SbpBank {
  readonly member_id: string
  readonly name: string
  readonly name_en: string
}

/** Headers of a create or refund, and its abort signal. */
export interface RequestOptions {
  /** The `Idempotency-Key`: requests with the same key create one object. */
  readonly idempotencyKey?: string | undefined
  /** A plan of the simulator, sent as `X-PSP-Simulate`. */
  readonly outcome?: PlanText | undefined
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined
}
