// Spec 2: the objects of the public API, as schemas. The tests hold every answer against them.

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
} from '../named-values.ts'

const uuid = (description: string) => z.string().meta({ format: 'uuid', description })
const text = (description: string) => z.string().meta({ description })
/** Known today: a program must stand others, too, so it is no `enum`. */
const failure = (description: string) => z.string().meta({ description, 'x-extensible-enum': [...FAILURE_CODE_NAMES] })
const money = (description: string) => z.int().min(0).meta({ format: 'int64', description })
const time = (description: string) => z.string().meta({ format: 'date-time', description })
/** Unset times are absent; the setting `empty_dates` may make them null or empty. */
const laterTime = (description: string) => z.string().nullable().meta({ format: 'date-time', description }).optional()

const ID = 'Of this object; it never changes.'
const MERCHANT = 'The merchant whose key made it.'
const CREATED = 'When it was made; RFC 3339 in UTC.'
const CURRENCY = 'ISO 4217 code; it says how many digits the minor unit has.'
const owner = {
  shop_id: uuid('The shop whose key made it; absent where the setting `naming` says terminal.').optional(),
  terminal_id: uuid('The same shop under its other name; absent where `naming` says shop.').optional(),
}
const names = {
  shop_name: text("The shop's name; goes with `shop_id`.").optional(),
  terminal_name: text("The shop's name; goes with `terminal_id`.").optional(),
}
const keyMode = mode.meta({ description: 'That of the key: `sk_test_` or `sk_live_`.' })
const simulator = plannedOutcome.meta({
  description: 'The planned outcome; test mode only.',
})
const idempotent = z.boolean().meta({ description: 'True where an Idempotency-Key gave an object that was there.' })
const bankName = text('The acquiring bank; live mode only.').optional()
const bankRef = text("The operation's id at that bank; live mode only.").optional()

/** Spec 2.3. */
export const refund = z.object({
  id: uuid(ID),
  payment_id: uuid('The payment that is refunded.'),
  merchant_id: uuid(MERCHANT),
  amount: money('Minor units of the currency of the payment.'),
  reason: text('As it was given; for the receipt and the audit log.').optional(),
  status: refundStatus.meta({ description: 'Where it stands; `succeeded` and `failed` are final.' }),
  created_at: time(CREATED),
  completed_at: laterTime('When it became final; absent until then.'),
})

/** Spec 4.4. */
export const createdRefund = refund.extend({ idempotent })

/** Spec 2.1. */
export const payment = z.object({
  id: uuid(ID),
  merchant_id: uuid(MERCHANT),
  ...owner,
  ...names,
  order_id: text("The shop's own number of the order; `ord_` and Unix milliseconds where none was given."),
  amount: money('Minor units: 150000 is 1 500.00 RUB, and 1500 yen are 1500.'),
  amount_refunded: money('Minor units; the sum of its succeeded refunds.'),
  amount_usdt: z.number().meta({
    format: 'double',
    description:
      'What the amount came to in USDT when the payment was made, to the cent; 0 for a currency without a rate.',
  }),
  currency: text(CURRENCY),
  method: paymentMethod.meta({ description: '`any` until the buyer has chosen one.' }),
  status: paymentStatus.meta({ description: 'Where it stands in its life cycle.' }),
  rrn: text("The bank's reference, 12 digits; there once the bank has said yes.").optional(),
  bank_name: text('The bank that handles it; there once its session is open.').optional(),
  return_url: text('Where the buyer goes in the end.').optional(),
  created_at: time(CREATED),
  captured_at: laterTime('When the money came; absent unless it succeeded.'),
  finalized_at: laterTime('When it first became final; a refund does not move it.'),
  expires_at: time('When its link runs out, if nobody has opened a bank session by then.'),
  processing_until: laterTime('When its bank session runs out; absent before there is one.'),
  metadata: z.record(z.string(), z.string()).meta({ description: "The caller's pairs, and those of the service." }),
  customer_card_brand: text('`MIR`, `Visa`, `Mastercard` or another; of a payment by card.').optional(),
  customer_card_mask: text('First six and last four digits of the card.').optional(),
  customer_card_holder: text('Name on the card.').optional(),
  customer_phone_mask: text("The buyer's phone but for its last four digits: `+7******1234`.").optional(),
  customer_payer_bank: text('The bank the buyer paid from.').optional(),
  refunds: z.array(refund).meta({ description: 'Its refunds, oldest first; there is no other way to read one.' }),
})

/** Spec 2.2. */
export const createdPayment = z.object({
  payment: payment.meta({ description: 'The payment as it is now.' }),
  payment_url: z.string().meta({ format: 'uri', description: 'Send the buyer there.' }),
  mode: keyMode,
  idempotent,
  simulator: simulator.optional(),
  bank: bankName,
  bank_ref: bankRef,
  failure_code: failure('Why the bank refused it at once; then the payment is `failed` already.').optional(),
  failure_message: text('The same in a sentence.').optional(),
})

/** Spec 4.3. */
export const cancelled = z.object({ status: z.literal('cancelled').meta({ description: 'It is cancelled now.' }) })

/** Spec 2.4. */
export const payout = z.object({
  id: uuid(ID),
  merchant_id: uuid(MERCHANT),
  ...owner,
  amount: money('Minor units of the currency.'),
  currency: text(CURRENCY),
  method: payoutMethod.meta({ description: 'By SBP; there is no other one.' }),
  status: payoutStatus.meta({ description: 'Where it stands; `succeeded` and `failed` are final.' }),
  fail_reason: text('The unified failure code; empty while not failed.'),
  recipient: z
    .object({
      phone: text('+7 and 10 digits.'),
      bank_id: text("`member_id` of the recipient's bank."),
      full_name: text('As it was given.').optional(),
    })
    .meta({ description: 'Who gets it.' }),
  created_at: time(CREATED),
  completed_at: laterTime('When it became final; absent until then.'),
})

/** Spec 2.4. */
export const createdPayout = z.object({
  payout: payout.meta({ description: 'The payout as it is now.' }),
  mode: keyMode,
  idempotent,
  simulator: simulator.optional(),
  bank: bankName,
  bank_ref: bankRef,
  failure_reason: failure('Why the bank refused it at once; then the payout is `failed` already.').optional(),
})

/** Spec 2.5. */
export const bank = z.object({
  member_id: z.string().meta({ pattern: '^\\d{12}$', description: '12 digits: the `bank_id` of a payout.' }),
  name: text('In Russian.'),
  name_en: text('In English.'),
})

/** Spec 4.7. */
export const bankList = z.object({ items: z.array(bank).meta({ description: 'Sorted by their Russian names.' }) })
