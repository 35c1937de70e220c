import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BodySchema } from '../../src/http/body-schema.ts'
import { createPaymentBody } from '../../src/http/public/create-payment.ts'
import { createPayoutBody } from '../../src/http/public/create-payout.ts'
import { refundPaymentBody } from '../../src/http/public/refund-payment.ts'

const CASES: readonly { name: string; shape: BodySchema<unknown>; usual: Record<string, unknown> }[] = [
  {
    name: 'a payment',
    shape: createPaymentBody,
    usual: {
      amount: 150_000,
      currency: 'RUB',
      method: 'sbp',
      order_id: 'A-1',
      customer_id: 'c-1',
      return_url: 'https://shop.example/thanks',
      description: 'A basket',
      webhook_url: 'https://shop.example/hooks',
      metadata: { basket: 'b-17' },
    },
  },
  {
    name: 'a payout',
    shape: createPayoutBody,
    usual: {
      amount: 100,
      currency: 'RUB',
      method: 'payouts_sbp',
      phone: '+79991234567',
      bank_id: '100000000111',
      full_name: 'Anna K',
    },
  },
  { name: 'a refund', shape: refundPaymentBody, usual: { amount: 0, reason: 'Too small' } },
]

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', 'RUB', 'rub', 'XXX', 'sbp', 'any', 'one\nline', '+7999', 'http://u:p@h/', true),
  fc.constantFrom<unknown>(0, 1, -1, 1.5, 2 ** 53, 2 ** 53 - 1, '1', {}, [], [1], { a: 'b' }, { a: 1 }, { a: null }),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

describe.each(CASES)('The body of $name', ({ shape, usual }) => {
  const names = Object.keys(shape.schema.shape)
  const body = fc.record(Object.fromEntries(names.map((name) => [name, fc.oneof(fc.constant(usual[name]), odd)])), {
    requiredKeys: [],
  })

  it('is parsed as zod parses it, field by field and in the same order', () => {
    fc.assert(
      fc.property(body, (given) => {
        const parsed = shape.schema.safeParse(withoutAbsent(shape, given))
        if (parsed.success) expect(JSON.stringify(check(shape, given))).toBe(JSON.stringify(parsed.data))
        else expect(() => check(shape, given)).toThrow()
      }),
      { numRuns: 1000 },
    )
  })
})

function check(shape: BodySchema<unknown>, given: object): unknown {
  return shape.check(structuredClone(given), { strict: true, warnings: [] })
}

/** Removes absent fields: null in each optional field, and "" in fields of free text. */
function withoutAbsent(shape: BodySchema<unknown>, given: Record<string, unknown>): Record<string, unknown> {
  const blank = ['order_id', 'customer_id', 'description', 'full_name', 'reason']
  const optional = (name: string) => shape.schema.shape[name]?.safeParse(undefined).success === true
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => !(optional(name) && (value === null || (value === '' && blank.includes(name)))),
    ),
  )
}
