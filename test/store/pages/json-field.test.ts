// Fields of rows are read from the bytes of a page. The result is the same as that of `JSON.parse`.
import { expect, test } from 'vitest'
import { textHash } from '../../../src/store/memory/murmur-hash.ts'
import { fieldHash, fieldText } from '../../../src/store/pages/json-field.ts'

test.each([
  ['the first field', '{"id":"pay-1","amount":1}', 'id', 'pay-1'],
  ['a later field', '{"id":"r1","amount":1,"payment_id":"pay-1"}', 'payment_id', 'pay-1'],
  [
    'an id that a user moved behind an object with another id',
    '{"metadata":{"id":"inner"},"id":"pay-1"}',
    'id',
    'pay-1',
  ],
  ['a field that starts with the same letter as the first one', '{"id":"pay-1","idea":"red"}', 'idea', 'red'],
  ['a field that is longer than the row', '{"id":"a"}', 'a_very_long_name', undefined],
  ['a field that only the next row has', '{"id":"a"}', 'object_id', undefined],
  ['a field that is not a text', '{"id":"a","amount":1}', 'amount', undefined],
  ['a text with escaped characters', '{"id":"a\\"b\\\\","amount":1}', 'id', 'a"b\\'],
  ['a text that is not ASCII', '{"id":"ё ₽ 🎉"}', 'id', 'ё ₽ 🎉'],
  ['an empty text', '{"id":"","amount":1}', 'id', ''],
])('a row is read by its bytes: %s is found', (_, row, field, value) => {
  const before = '{"id":"before"},\n'
  const bytes = Buffer.from(`${before}${row},\n{"id":"after","object_id":"pay-2"}\n]}\n`)
  const end = before.length + Buffer.byteLength(row)
  expect(fieldText(bytes, before.length, end, field)).toBe(value)
  expect(fieldHash(bytes, before.length, end, field)).toBe(value === undefined ? undefined : textHash(value))
})
