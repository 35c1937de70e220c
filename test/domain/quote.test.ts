import { expect, test } from 'vitest'
import { quote } from '../../src/domain/zod-messages.ts'

test.each([
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [Number.NaN, 'NaN'],
  [10n, '10n'],
  [1.5, '1.5'],
  ['a "b"', '"a \\"b\\""'],
  [null, 'null'],
  [{ a: [1] }, '{"a":[1]}'],
  [undefined, 'nothing'],
])('quote of %o is %s', (value, text) => {
  expect(quote(value)).toBe(text)
})
