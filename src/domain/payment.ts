// Spec 2.1: the stored payment and the payment of the API.
import type { PaymentMethod } from './payment-methods.ts'
import type { PaymentStatus } from './payment-states.ts'
import type { PublicRefund, Refund } from './refund.ts'
import { presentRefund } from './refund.ts'
import { type AllFields, type FormatOptions, shopFields, timeText } from './serialization.ts'
import type { Mode, Shop } from './shop.ts'
import type { StoredPlan } from './simulator-plan.ts'
import type { SandboxTime } from './time.ts'

/** Key-value pairs of the merchant and the service. A key can be any string, even `__proto__`: do not assign by key. */
export type Metadata = { readonly [key: string]: string }

/** The next step of the simulator for a payment that is not final. */
export const PAYMENT_STEPS = ['pick_method', 'open_session', 'bank_answer'] as const
export type PaymentStep = (typeof PAYMENT_STEPS)[number]

/**
 * A stored payment. Times are in ms of the sandbox's clock, amounts in minor units. Fields that are set later are
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
  /** Amount in USDT at creation, in major units with two decimal places. */
  readonly amount_usdt: number
  readonly currency: string
  readonly method: PaymentMethod
  readonly status: PaymentStatus
  readonly created_at: SandboxTime
  readonly expires_at: SandboxTime
  readonly metadata: Metadata
  /** The plan of the simulator and its source. */
  readonly plan: StoredPlan
  /** The next automatic step, unless the status changes first. Absent while an action or the deadline is awaited. */
  readonly step?: PaymentStep | undefined
  readonly step_at?: SandboxTime | undefined
  /** The order of steps that are due at the same time. Absent if the payment is final. */
  readonly seq?: number | undefined
  readonly customer_id?: string | undefined
  readonly return_url?: string | undefined
  readonly webhook_url?: string | undefined
  readonly description?: string | undefined
  readonly processing_until?: SandboxTime | undefined
  readonly captured_at?: SandboxTime | undefined
  readonly finalized_at?: SandboxTime | undefined
  readonly rrn?: string | undefined
  /** The payer's bank, or the issuer of the card. Set when the bank session opens. */
  readonly bank_name?: string | undefined
  /** The acquiring bank's name and operation id, live mode only. */
  readonly bank?: string | undefined
  readonly bank_ref?: string | undefined
  readonly customer_card_brand?: string | undefined
  readonly customer_card_mask?: string | undefined
  readonly customer_card_holder?: string | undefined
  readonly customer_phone_mask?: string | undefined
  readonly customer_payer_bank?: string | undefined
  /** When a person first opened the hosted page, which disables the simulated buyer. */
  readonly page_opened_at?: SandboxTime | undefined
  /** An explicit action opened the bank session, so opening the page later does not delay the bank's response. */
  readonly session_by_act?: true | undefined
  /** The session is open, but a person opened the page and has not paid yet. */
  readonly awaits_buyer?: true | undefined
}

/**
 * Returns a copy of the payment with the given fields. All payments get the same fields in the same order, so that V8
 * gives them one hidden class. A spread of rows with several hidden classes takes longer.
 * @param more overrides `change`. Adding these fields to a spread of `change` would create a new hidden class each
 *   time.
 */
export function changePayment(payment: Payment, change: Partial<Payment>, more?: Partial<Payment>): Payment {
  const copy: AllFields<Payment> = {
    id: payment.id,
    merchant_id: payment.merchant_id,
    shop_id: payment.shop_id,
    mode: payment.mode,
    order_id: payment.order_id,
    amount: payment.amount,
    amount_refunded: payment.amount_refunded,
    amount_usdt: payment.amount_usdt,
    currency: payment.currency,
    method: payment.method,
    status: payment.status,
    created_at: payment.created_at,
    expires_at: payment.expires_at,
    metadata: payment.metadata,
    plan: payment.plan,
    step: payment.step,
    step_at: payment.step_at,
    seq: payment.seq,
    customer_id: payment.customer_id,
    return_url: payment.return_url,
    webhook_url: payment.webhook_url,
    description: payment.description,
    processing_until: payment.processing_until,
    captured_at: payment.captured_at,
    finalized_at: payment.finalized_at,
    rrn: payment.rrn,
    bank_name: payment.bank_name,
    bank: payment.bank,
    bank_ref: payment.bank_ref,
    customer_card_brand: payment.customer_card_brand,
    customer_card_mask: payment.customer_card_mask,
    customer_card_holder: payment.customer_card_holder,
    customer_phone_mask: payment.customer_phone_mask,
    customer_payer_bank: payment.customer_payer_bank,
    page_opened_at: payment.page_opened_at,
    session_by_act: payment.session_by_act,
    awaits_buyer: payment.awaits_buyer,
  }
  return Object.assign(copy as Payment, change, more)
}

/** Whether the buyer can act: before a bank session, or in one during which a person opened the page. */
export function awaitsBuyer({ status, awaits_buyer }: Payment): boolean {
  return status === 'pending' || (status === 'processing' && awaits_buyer === true)
}

/**
 * A payment as the API, webhooks and commands show it. Fields without a value are absent, but a time without a value
 * can be absent, null or empty, depending on `empty_dates`.
 */
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

/** Formats a payment with its refunds (oldest first) according to the settings. */
export function presentPayment(
  payment: Payment,
  refunds: readonly Refund[],
  shop: Shop,
  format: FormatOptions,
): PublicPayment {
  const { shop_id, shop_name, terminal_id, terminal_name } = shopFields(shop, format)
  const shown: AllFields<PublicPayment> = {
    id: payment.id,
    merchant_id: payment.merchant_id,
    shop_id,
    shop_name,
    terminal_id,
    terminal_name,
    order_id: payment.order_id,
    amount: payment.amount,
    amount_refunded: payment.amount_refunded,
    amount_usdt: payment.amount_usdt,
    currency: payment.currency,
    method: payment.method,
    status: payment.status,
    rrn: payment.rrn,
    bank_name: payment.bank_name,
    return_url: payment.return_url,
    customer_card_brand: payment.customer_card_brand,
    customer_card_mask: payment.customer_card_mask,
    customer_card_holder: payment.customer_card_holder,
    customer_phone_mask: payment.customer_phone_mask,
    customer_payer_bank: payment.customer_payer_bank,
    created_at: timeText(payment.created_at, format),
    captured_at: timeText(payment.captured_at, format),
    finalized_at: timeText(payment.finalized_at, format),
    expires_at: timeText(payment.expires_at, format),
    processing_until: timeText(payment.processing_until, format),
    metadata: payment.metadata,
    refunds: refunds.map((refund) => presentRefund(refund, format)),
  }
  return shown as PublicPayment
}
