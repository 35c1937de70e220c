// The messages and warnings about a body, as the caller reads them.
import { describe, expect, test } from 'vitest'
import { createPaymentBody } from '../../src/http/public/create-payment.ts'

/** Returns the warnings, or the message of the error. */
function check(body: unknown, strict = false): readonly string[] | string {
  const warnings: string[] = []
  try {
    createPaymentBody.check(body, { strict, warnings })
    return warnings
  } catch (error) {
    return (error as Error).message
  }
}

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, 1]))
const TEN = '"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9"'

describe('unknown fields', () => {
  test.each([
    [{}, []],
    [{ amuont: 1 }, ['unknown field "amuont" was ignored, did you mean amount?']],
    [{ zzzzzz: 1 }, ['unknown field "zzzzzz" was ignored']],
    [{ amuont: 1, curency: 'RUB' }, ['unknown fields "amuont", "curency" were ignored']],
    [many(10), [`unknown fields ${TEN} were ignored`]],
    [many(12), [`unknown fields ${TEN} and 2 more were ignored`]],
  ])('an unknown field among %j gives the warnings %j', (fields, warnings) => {
    expect(check({ amount: 100, ...fields })).toEqual(warnings)
  })

  test('an unknown field is an error if the setting is strict', () => {
    const setting = '(the setting strict_body rejects unknown fields).'
    expect(check({ amount: 100, amuont: 1 }, true)).toBe(`body: unknown field "amuont" ${setting}`)
    expect(check({ amount: 100, a: 1, b: 2 }, true)).toBe(`body: unknown fields "a", "b" ${setting}`)
    expect(check({ amount: 100 }, true)).toEqual([])
  })
})

test.each([
  [null, 'null'],
  [[], 'an array'],
  [[{ amount: 100 }], 'an array'],
  ['100', '"100"'],
  [100, '100'],
  [true, 'true'],
])('%j is not a body', (body, shown) => {
  expect(check(body)).toBe(`body: expected a JSON object, got ${shown}.`)
})

const EXPECTED = 'expected an integer in minor units from 1 to 9007199254740991'

test('a missing field is required, and a wrong value is shown with at most 60 characters', () => {
  expect(check({})).toBe(`amount: required, ${EXPECTED}.`)
  expect(check({ amount: '100' })).toBe(`amount: ${EXPECTED}, got "100".`)
  expect(check({ amount: 'x'.repeat(58) })).toBe(`amount: ${EXPECTED}, got "${'x'.repeat(58)}".`)
  expect(check({ amount: 'x'.repeat(59) })).toBe(`amount: ${EXPECTED}, got "${'x'.repeat(59)}….`)
})
