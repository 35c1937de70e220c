import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFull, rowSize } from '../../src/engine/batch-size.ts'

test.each([
  [{ rows: 9, bytes: 99 }, false],
  [{ rows: 10, bytes: 0 }, true],
  [{ rows: 0, bytes: 100 }, true],
  [{ rows: 11, bytes: 101 }, true],
])('a batch with the limits of 10 rows and 100 bytes is full at either limit: %j is %j', (batch, full) => {
  expect(isFull(batch, { rows: 10, bytes: 100 })).toBe(full)
})

test('the size of a row with long texts is within a tenth of that of its JSON, however deep the texts are', () => {
  const text = fc.integer({ min: 2000, max: 20_000 }).map((length) => 'x'.repeat(length))
  const value = fc.oneof(text, fc.dictionary(fc.string({ maxLength: 5 }), text), fc.array(fc.record({ text })))
  fc.assert(
    fc.property(text, fc.array(value, { maxLength: 4 }), (id, values) => {
      const row = { id, nothing: null, number: 7, ...Object.fromEntries(values.map((each, n) => [`field${n}`, each])) }
      const size = JSON.stringify(row).length
      expect(Math.abs(rowSize(row) - size)).toBeLessThan(size / 10)
    }),
  )
})

test('the size of a row of many short fields grows with their number', () => {
  const numbers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, n]))
  expect(rowSize(numbers(10_000))).toBeGreaterThan(JSON.stringify(numbers(10_000)).length / 2)
})
