// Spec 2: the objects of the public API as schemas. Tests validate each response with them.

import * as z from 'zod'
import { FAILURE_CODE_NAMES } from '../../domain/failure-codes.ts'
import {
  mode,
  paymentMethod,
  paymentStatus,
  payoutMethod,
  payoutStatus,
  plannedOutcome,
  refundStatus,
} from '../value-schemas.ts'

const uuid = (description: string) => z.string().meta({ format: 'uuid', description })
const text = (description: string) => z.string().meta({ description })
/** Not an `enum`, because programs must accept codes of later versions. */
const failure = (description: string) => z.string().meta({ description, 'x-extensible-enum': [...FAILURE_CODE_NAMES] })
const money = (description: string) => z.int().min(0).meta({ format: 'int64', description })
const time = (description: string) => z.string().meta({ format: 'date-time', description })
/** Unset times are absent; the setting `empty_dates` may make them null or empty. */
const laterTime = (description: string) => z.string().nullable().meta({ format: 'date-time', description }).optional()

const ID = 'The id of the object. It never changes.'
const MERCHANT = 'The merchant whose key created the object.'
const CREATED = 'The time of creation, as RFC 3339 in UTC.'
const CURRENCY = 'The ISO 4217 code, which determines the number of decimal places.'
const owner = {
  shop_id: uuid('The shop whose key created the object. Absent if the setting `naming` is `terminal`.').optional(),
  terminal_id: uuid('The same as `shop_id`. Absent if the setting `naming` is `shop`.').optional(),
}
const names = {
  shop_name: text("The shop's name. Present if `shop_id` is present.").optional(),
  terminal_name: text("The shop's name. Present if `terminal_id` is present.").optional(),
}
const keyMode = mode.meta({
  description: 'The mode of the key: `test` if it begins with `sk_test_`, `live` if with `sk_live_`.',
})
const simulator = plannedOutcome.meta({
  description: 'The planned outcome, in test mode only.',
})
const idempotent = z
  .boolean()
  .meta({ description: 'True if the Idempotency-Key was used before, so the existing object is returned.' })
const bankName = text('The acquiring bank, in live mode only.').optional()
const bankRef = text("The operation's id at the acquiring bank, in live mode only.").optional()

/** Spec 2.3. */
export const refund = z.object({
  id: uuid(ID),
  payment_id: uuid('The payment that is refunded.'),
  merchant_id: uuid(MERCHANT),
  amount: money("Amount in minor units of the payment's currency."),
  reason: text('The reason from the request, for the receipt and the audit log.').optional(),
  status: refundStatus.meta({ description: 'The status. `succeeded` and `failed` are final.' }),
  created_at: time(CREATED),
  completed_at: laterTime('When the refund became final. Absent until then.'),
})

/** Spec 4.4. */
export const createdRefund = refund.extend({ idempotent })

/** Spec 2.1. */
export const payment = z.object({
  id: uuid(ID),
  merchant_id: uuid(MERCHANT),
  ...owner,
  ...names,
  order_id: text("The shop's order number. Default: `ord_` and Unix milliseconds."),
  amount: money('Amount in minor units: 150000 is 1 500.00 RUB, and 1500 is 1500 yen.'),
  amount_refunded: money("The sum of the payment's succeeded refunds, in minor units."),
  amount_usdt: z.number().meta({
    format: 'double',
    description: 'The amount in USDT at the time of creation, to the cent. It is 0 for a currency without a rate.',
  }),
  currency: text(CURRENCY),
  method: paymentMethod.meta({ description: 'The method. It is `any` until the buyer has chosen one.' }),
  status: paymentStatus.meta({ description: 'The status in the life cycle.' }),
  rrn: text("The bank's reference, 12 digits. Present after the bank approved the payment.").optional(),
  bank_name: text('The bank with which the bank session was opened. Present after the session was opened.').optional(),
  return_url: text('The URL to which the buyer returns.').optional(),
  created_at: time(CREATED),
  captured_at: laterTime('When the money was received. Present only if the payment succeeded.'),
  finalized_at: laterTime('When the payment first became final. A refund does not change this time.'),
  expires_at: time('When the link expires, if no bank session was opened.'),
  processing_until: laterTime('When the bank session expires. Absent before the session is opened.'),
  metadata: z
    .record(z.string(), z.string())
    .meta({ description: 'Pairs from the request, and pairs that the service adds.' }),
  customer_card_brand: text('The brand, such as `MIR`, `Visa` or `Mastercard`. Only for payments by card.').optional(),
  customer_card_mask: text('The first six and last four digits of the card.').optional(),
  customer_card_holder: text('The name on the card.').optional(),
  customer_phone_mask: text("The buyer's phone, masked except for the last four digits: `+7******1234`.").optional(),
  customer_payer_bank: text('The bank from which the buyer paid.').optional(),
  refunds: z.array(refund).meta({
    description: "The payment's refunds, the oldest first. The public API has no other list of refunds.",
  }),
})

/** Spec 2.2. */
export const createdPayment = z.object({
  payment: payment.meta({ description: 'The payment as it is now.' }),
  payment_url: z.string().meta({ format: 'uri', description: 'The page to which the shop sends the buyer.' }),
  mode: keyMode,
  idempotent,
  simulator: simulator.optional(),
  bank: bankName,
  bank_ref: bankRef,
  failure_code: failure(
    'Why the bank refused the payment immediately. Its status is then already `failed`.',
  ).optional(),
  failure_message: text('The failure as a sentence.').optional(),
})

/** Spec 4.3. */
export const cancelled = z.object({ status: z.literal('cancelled').meta({ description: 'The new status.' }) })

/** Spec 2.4. */
export const payout = z.object({
  id: uuid(ID),
  merchant_id: uuid(MERCHANT),
  ...owner,
  amount: money('Amount in minor units of the currency.'),
  currency: text(CURRENCY),
  method: payoutMethod.meta({ description: 'The only method: SBP.' }),
  status: payoutStatus.meta({ description: 'The status. `succeeded` and `failed` are final.' }),
  fail_reason: text('The unified failure code. Empty unless the payout failed.'),
  recipient: z
    .object({
      phone: text('+7 and 10 digits.'),
      bank_id: text("`member_id` of the recipient's bank."),
      full_name: text('The name from the request.').optional(),
    })
    .meta({ description: 'The recipient.' }),
  created_at: time(CREATED),
  completed_at: laterTime('When the payout became final. Absent until then.'),
})

/** Spec 2.4. */
export const createdPayout = z.object({
  payout: payout.meta({ description: 'The payout as it is now.' }),
  mode: keyMode,
  idempotent,
  simulator: simulator.optional(),
  bank: bankName,
  bank_ref: bankRef,
  failure_reason: failure(
    'Why the bank refused the payout immediately. Its status is then already `failed`.',
  ).optional(),
})

/** Spec 2.5. */
export const bank = z.object({
  member_id: z.string().meta({ pattern: '^\\d{12}$', description: '12 digits: the `bank_id` of a payout.' }),
  name: text('The name in Russian.'),
  name_en: text('The name in English.'),
})

/** Spec 4.7. */
export const bankList = z.object({
  items: z.array(bank).meta({ description: 'The banks, sorted by their Russian names.' }),
})
