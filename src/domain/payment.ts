// Spec 2.1: the payment, as it is stored and as the API shows it.
import type { PaymentMethod } from './payment-methods.ts'
import type { PaymentStatus } from './payment-states.ts'
import type { PublicRefund, Refund } from './refund.ts'
import { presentRefund } from './refund.ts'
import type { FormatOptions } from './serialization.ts'
import { instant, owner } from './serialization.ts'
import type { Mode, Shop } from './shop.ts'
import type { StoredPlan } from './simulator-plan.ts'
import type { SandboxTime } from './time.ts'

/** Pairs of the merchant and of the service; keys may be any text, `__proto__` too: copy by entries, never by assignment. */
export type Metadata = { readonly [key: string]: string }

/** What the simulator does next with a payment that is not final. */
export const PAYMENT_STEPS = ['pick_method', 'open_session', 'bank_answer'] as const
export type PaymentStep = (typeof PAYMENT_STEPS)[number]

/**
 * A payment as it is stored. Times in ms of the sandbox's clock, money in minor units. What comes to it later is
 * `undefined` from the start, see `newPayment`.
 */
export interface Payment {
  readonly id: string
  readonly merchant_id: string
  readonly shop_id: string
  readonly mode: Mode
  readonly order_id: string
  readonly amount: number
  readonly amount_refunded: number
  /** Worth in USDT when it was made, major units to the cent. */
  readonly amount_usdt: number
  readonly currency: string
  readonly method: PaymentMethod
  readonly status: PaymentStatus
  readonly created_at: SandboxTime
  readonly expires_at: SandboxTime
  readonly metadata: Metadata
  /** What the simulator does with it, and what decided so. */
  readonly plan: StoredPlan
  /** What comes by itself, unless its status changes before; absent: it waits for somebody, or for its end. */
  readonly step?: PaymentStep | undefined
  readonly step_at?: SandboxTime | undefined
  /** Its place among what happens at one instant; absent once it is final. */
  readonly seq?: number | undefined
  readonly customer_id?: string | undefined
  readonly return_url?: string | undefined
  readonly webhook_url?: string | undefined
  readonly description?: string | undefined
  readonly processing_until?: SandboxTime | undefined
  readonly captured_at?: SandboxTime | undefined
  readonly finalized_at?: SandboxTime | undefined
  readonly rrn?: string | undefined
  readonly bank_name?: string | undefined
  /** The acquiring bank's name and operation id, live mode only. */
  readonly bank?: string | undefined
  readonly bank_ref?: string | undefined
  readonly customer_card_brand?: string | undefined
  readonly customer_card_mask?: string | undefined
  readonly customer_card_holder?: string | undefined
  readonly customer_phone_mask?: string | undefined
  readonly customer_payer_bank?: string | undefined
  /** When a person first opened the hosted page: from then on the automatic buyer stands down. */
  readonly page_opened_at?: SandboxTime
  /** An explicit act opened the bank session: a page opened later does not stop the bank's answer. */
  readonly session_by_act?: true
  /** The session is open, and a person at the page has taken it over and has yet to pay. */
  readonly awaits_buyer?: true
}

/** True where the buyer may act: before a bank session, or in one that the person at the page took over. */
export function awaitsBuyer({ status, awaits_buyer }: Payment): boolean {
  return status === 'pending' || (status === 'processing' && awaits_buyer === true)
}

/** A payment as the API, webhooks and commands show it. Absent fields have nothing to say. */
export interface PublicPayment {
  id: string
  merchant_id: string
  shop_id?: string
  shop_name?: string
  terminal_id?: string
  terminal_name?: string
  order_id: string
  amount: number
  amount_refunded: number
  amount_usdt: number
  currency: string
  method: PaymentMethod
  status: PaymentStatus
  rrn?: string
  bank_name?: string
  return_url?: string
  created_at: string
  captured_at?: string | null
  finalized_at?: string | null
  expires_at: string
  processing_until?: string | null
  metadata: Metadata
  customer_card_brand?: string
  customer_card_mask?: string
  customer_card_holder?: string
  customer_phone_mask?: string
  customer_payer_bank?: string
  refunds: PublicRefund[]
}

const OPTIONAL = [
  'rrn',
  'bank_name',
  'return_url',
  'customer_card_brand',
  'customer_card_mask',
  'customer_card_holder',
  'customer_phone_mask',
  'customer_payer_bank',
] as const satisfies readonly (keyof Payment & keyof PublicPayment)[]

/** The payment with its refunds (oldest first), in the spelling the settings ask for. */
export function presentPayment(
  payment: Payment,
  refunds: readonly Refund[],
  shop: Shop,
  look: FormatOptions,
): PublicPayment {
  const shown: Partial<PublicPayment> = {
    id: payment.id,
    merchant_id: payment.merchant_id,
    ...owner(shop, look),
    order_id: payment.order_id,
    amount: payment.amount,
    amount_refunded: payment.amount_refunded,
    amount_usdt: payment.amount_usdt,
    currency: payment.currency,
    method: payment.method,
    status: payment.status,
  }
  for (const field of OPTIONAL) {
    const value = payment[field]
    if (value !== undefined) shown[field] = value
  }
  instant(shown, 'created_at', payment.created_at, look)
  instant(shown, 'captured_at', payment.captured_at, look)
  instant(shown, 'finalized_at', payment.finalized_at, look)
  instant(shown, 'expires_at', payment.expires_at, look)
  instant(shown, 'processing_until', payment.processing_until, look)
  shown.metadata = payment.metadata
  shown.refunds = refunds.map((refund) => presentRefund(refund, look))
  return shown as PublicPayment
}
