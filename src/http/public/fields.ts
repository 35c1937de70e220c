// Fields of request bodies (spec 4.1, 4.4, 4.5, 8). `error` completes the sentence "expected …".
import * as z from 'zod'
import { isCurrencyCode } from '../../domain/currency.ts'
import { CURRENCY_PATTERN } from '../../domain/text-patterns.ts'
import { httpUrl, recordOf } from '../value-schemas.ts'

const AMOUNT = `an integer in minor units from 1 to ${Number.MAX_SAFE_INTEGER}`
export const amount = z.int({ error: AMOUNT }).min(1, { error: AMOUNT }).meta({
  format: 'int64',
  description: 'Amount in minor units: 150000 is 1 500.00 RUB.',
})

const REFUND_AMOUNT = `an integer in minor units from 0 to ${Number.MAX_SAFE_INTEGER}`
export const refundAmount = z.int({ error: REFUND_AMOUNT }).min(0, { error: REFUND_AMOUNT }).meta({
  format: 'int64',
  description: 'Amount in minor units; 0 refunds the whole remainder.',
})

export const currency = z
  .string({ error: 'an ISO 4217 code such as RUB' })
  .refine(isCurrencyCode, { error: 'an active ISO 4217 code in upper case, such as RUB' })
  .meta({ description: 'ISO 4217 code in upper case.', pattern: CURRENCY_PATTERN })

export const text = (description: string) => z.string({ error: 'a string' }).meta({ description })

export const oneLine = (description: string) =>
  z
    .string({ error: 'a string of one line' })
    .regex(/^[^\r\n\u2028\u2029]*$/, { error: 'one line, without a line break' })
    .meta({ description })

/** Further requirements depend on the settings. */
export const webhookUrl = httpUrl.meta({
  description: 'Receives the webhooks of this payment instead of the configured endpoints.',
})

export const phone = z
  .string({ error: '+7 and 10 digits' })
  .regex(/^\+7\d{10}$/, { error: '+7 and 10 digits' })
  .meta({ description: "The recipient's phone." })

export const bankId = z
  .string({ error: '12 digits, the member_id of a bank' })
  .regex(/^\d{12}$/, { error: '12 digits, the member_id of a bank' })
  .meta({ description: "`member_id` of the recipient's bank." })

export const metadata = recordOf('an object of strings', 'a string (metadata holds strings only)', isString).meta({
  additionalProperties: { type: 'string' },
  description: 'Pairs of strings, returned unchanged. The service overwrites the keys that it sets itself.',
})

function isString(value: unknown): value is string {
  return typeof value === 'string'
}
