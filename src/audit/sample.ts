// Builds sample payments and their events, as the service would send them (spec 2.1 and 6.1).
import type { WebhookEventName } from '../domain/events.ts'
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicRefund } from '../domain/refund.ts'
import { rfc3339 } from '../domain/time.ts'
import type { MessageValues } from './check.ts'
import type { Subject } from './effect.ts'

export type Sample = PublicPayment & Record<string, unknown>

/** Returns a successful payment. */
export function paidPayment(values: MessageValues, orderId = values.order()): Sample {
  const { now, random, amount } = values
  const shop = random.uuid()
  return {
    id: random.uuid(),
    merchant_id: random.uuid(),
    shop_id: shop,
    shop_name: 'Audit',
    terminal_id: shop,
    terminal_name: 'Audit',
    order_id: orderId,
    amount,
    amount_refunded: 0,
    amount_usdt: Math.round(amount / 80) / 100,
    currency: 'RUB',
    method: 'sbp',
    status: 'succeeded',
    rrn: String(now % 1_000_000_000_000).padStart(12, '0'),
    bank_name: 'Audit Bank',
    return_url: 'https://shop.example/return',
    created_at: rfc3339(now - 2000),
    captured_at: rfc3339(now),
    finalized_at: rfc3339(now),
    expires_at: rfc3339(now + 24 * 3600 * 1000),
    metadata: { ...values.metadata, mode: 'test', sample: 'true' },
    refunds: [],
  }
}

/** Returns a payment that the bank declined. */
export function failedPayment(values: MessageValues): Sample {
  const { rrn, captured_at, ...payment } = paidPayment(values)
  return { ...payment, status: 'failed', metadata: { ...payment.metadata, failure_code: 'insufficient_funds' } }
}

/** Returns the payment after another refund of `amount` minor units. */
export function refunded(values: MessageValues, payment: Sample, amount: number): Sample {
  const refund: PublicRefund = {
    id: values.random.uuid(),
    payment_id: payment.id,
    merchant_id: payment.merchant_id,
    amount,
    reason: 'audit',
    status: 'succeeded',
    created_at: rfc3339(values.now),
    completed_at: rfc3339(values.now),
  }
  const amount_refunded = payment.amount_refunded + amount
  return {
    ...payment,
    amount_refunded,
    status: amount_refunded === payment.amount ? 'refunded' : 'succeeded',
    refunds: [...payment.refunds, refund],
  }
}

/** Returns a percentage of the payment, in whole minor units. */
export function share({ amount }: MessageValues, percent: number): number {
  return Math.max(1, Math.floor((amount * percent) / 100))
}

export function subjectOf({ id, order_id }: Pick<PublicPayment, 'id' | 'order_id'>): Subject {
  return { payment_id: id, order_id }
}

/** An event's id and its serialized body. */
export interface Body {
  readonly id: string
  readonly text: string
}

export function eventBody(
  values: MessageValues,
  event: WebhookEventName | (string & {}),
  data: unknown,
  more: { readonly [field: string]: unknown } = {},
): Body {
  const id = `evt_${values.random.token(24)}`
  return { id, text: JSON.stringify({ id, event, created_at: rfc3339(values.now), data, ...more }) }
}
