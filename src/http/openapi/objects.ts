// Spec 2: the objects of the public API, as schemas. The tests hold every answer against them.
import * as z from 'zod'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { PAYMENT_STATUSES } from '../../domain/payment-states.ts'
import { PAYOUT_METHODS } from '../../domain/payout.ts'
import { PAYOUT_STATUSES } from '../../domain/payout-states.ts'
import { REFUND_STATUSES } from '../../domain/refund.ts'

const id = z.string().meta({ format: 'uuid' })
const money = z.int().min(0).meta({ format: 'int64', description: 'Minor units of the currency.' })
const time = z.string().meta({ format: 'date-time' })
/** Unset times are absent; the setting `empty_dates` may make them null or empty. */
const laterTime = z
  .union([z.string(), z.null()])
  .meta({ description: 'RFC 3339; absent until it is known.' })
  .optional()
const owner = {
  shop_id: id.optional(),
  shop_name: z.string().optional(),
  terminal_id: id.optional(),
  terminal_name: z.string().optional(),
}
const mode = z.enum(['test', 'live'])
const simulator = z.enum(['succeeded', 'failed', 'requires_action', 'pending']).meta({
  description: 'The planned outcome; test mode only.',
})
const idempotent = z.boolean().meta({ description: 'True where an Idempotency-Key gave an object that was there.' })

/** Spec 2.3. */
export const refund = z.object({
  id,
  payment_id: id,
  merchant_id: id,
  amount: money,
  reason: z.string().optional(),
  status: z.enum(REFUND_STATUSES),
  created_at: time,
  completed_at: laterTime,
})

/** Spec 4.4. */
export const createdRefund = refund.extend({ idempotent })

/** Spec 2.1. */
export const payment = z.object({
  id,
  merchant_id: id,
  ...owner,
  order_id: z.string(),
  amount: money,
  amount_refunded: money,
  amount_usdt: z.number().meta({ format: 'double' }),
  currency: z.string(),
  method: z.enum(PAYMENT_METHODS),
  status: z.enum(PAYMENT_STATUSES),
  rrn: z.string().optional(),
  bank_name: z.string().optional(),
  return_url: z.string().meta({ format: 'uri' }).optional(),
  created_at: time,
  captured_at: laterTime,
  finalized_at: laterTime,
  expires_at: time,
  processing_until: laterTime,
  metadata: z.record(z.string(), z.string()),
  customer_card_brand: z.string().optional(),
  customer_card_mask: z.string().optional(),
  customer_card_holder: z.string().optional(),
  customer_phone_mask: z.string().optional(),
  customer_payer_bank: z.string().optional(),
  refunds: z.array(refund),
})

/** Spec 2.2. */
export const createdPayment = z.object({
  payment,
  payment_url: z.string().meta({ format: 'uri' }),
  mode,
  idempotent,
  simulator: simulator.optional(),
  bank: z.string().optional(),
  bank_ref: z.string().optional(),
  failure_code: z.string().optional(),
  failure_message: z.string().optional(),
})

/** Spec 4.3. */
export const cancelled = z.object({ status: z.literal('cancelled') })

/** Spec 2.4. */
export const payout = z.object({
  id,
  merchant_id: id,
  shop_id: id.optional(),
  terminal_id: id.optional(),
  amount: money,
  currency: z.string(),
  method: z.enum(PAYOUT_METHODS),
  status: z.enum(PAYOUT_STATUSES),
  fail_reason: z.string().meta({ description: 'The unified failure code; empty while not failed.' }),
  recipient: z.object({ phone: z.string(), bank_id: z.string(), full_name: z.string().optional() }),
  created_at: time,
  completed_at: laterTime,
})

/** Spec 2.4. */
export const createdPayout = z.object({
  payout,
  mode,
  idempotent,
  simulator: simulator.optional(),
  bank: z.string().optional(),
  bank_ref: z.string().optional(),
  failure_reason: z.string().optional(),
})

/** Spec 2.5. */
export const bank = z.object({
  member_id: z.string().meta({ pattern: '^\\d{12}$' }),
  name: z.string(),
  name_en: z.string(),
})

/** Spec 4.7. */
export const bankList = z.object({ items: z.array(bank) })

/** Spec 6.2. */
export const eventStream = z.string().meta({
  description: 'Server-sent events: `event: <kind>` and `data: <json>` with `kind`, `payload` and `at`.',
})
