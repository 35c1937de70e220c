// Spec 4: bodies and answers of the public operations, as they travel.

import type { PublicPayment } from '../domain/payment.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import type { PublicPayout } from '../domain/payout.ts'
import type { PlanText } from '../domain/simulator-plan.ts'

/** Money in minor units. */
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

/** Money in minor units. */
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

/** What travels beside the body of a create or refund. */
export interface RequestOptions {
  /** `Idempotency-Key`: the same key makes one object, however often it is sent. */
  readonly idempotencyKey?: string | undefined
  /** A plan of the simulator, sent as `X-PSP-Simulate`. */
  readonly outcome?: PlanText | undefined
  /** Breaks the request off. */
  readonly signal?: AbortSignal | undefined
}
