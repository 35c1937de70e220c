// Text by terminal columns: a wide character has two, a combining mark none.
import { describe, expect, test } from 'vitest'
import { ASCII_METRICS } from '../../src/terminal/ascii-metrics.ts'
import { displayWidth, hardWrap, pad, truncate } from '../../src/terminal/text-width.ts'

test.each([
  ['', 0],
  ['a b', 3],
  ['заказ', 5],
  ['你好', 4],
  ['e\u0301', 1],
  ['👩\u200d💻', 2],
])('the width of %j is %d columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns)
})

test.each([
  ['order', 6, 'order'],
  ['order', 5, 'order'],
  ['order', 4, 'ord…'],
  ['order', 1, '…'],
  ['order', 0, ''],
  ['order', -1, ''],
  ['', 0, ''],
])('%j is truncated to %d columns as %j, with and without `string-width`', (text, columns, shown) => {
  expect(truncate(text, columns)).toBe(shown)
  expect(ASCII_METRICS.truncate(text, columns)).toBe(shown)
})

test.each([
  ['заказ', 5, 'заказ'],
  ['заказ', 4, 'зак…'],
  ['你好吗', 6, '你好吗'],
  ['你好吗', 5, '你好…'],
  ['你好吗', 4, '你…'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
])('%j is truncated to %d columns as %j, without a break inside a character', (text, columns, shown) => {
  expect(truncate(text, columns)).toBe(shown)
})

test('a padded text has exactly the width of its column, on either side', () => {
  expect(pad('paid', 6)).toBe('paid  ')
  expect(pad('100', 6, 'right')).toBe('   100')
  expect(pad('你好', 6)).toBe('你好  ')
  expect(pad('你好', 6, 'right')).toBe('  你好')
  expect(pad('succeeded', 6)).toBe('succe…')
  expect(pad('succeeded', 9)).toBe('succeeded')
})

describe('`hardWrap` breaks lines at the last column and keeps all characters', () => {
  test.each([
    ['0123456789', 4, ['0123', '4567', '89']],
    ['01234567', 4, ['0123', '4567']],
    ['a b\n\nlong line', 5, ['a b', '', 'long ', 'line']],
    ['', 5, ['']],
    ['abc', 0, ['a', 'b', 'c']],
    ['заказ 1', 5, ['заказ', ' 1']],
    ['你好吗', 5, ['你好', '吗']],
    ['你好吗', 4, ['你好', '吗']],
    ['e\u0301e\u0301e\u0301', 2, ['e\u0301e\u0301', 'e\u0301']],
  ])('%j at %d columns', (text, columns, lines) => {
    expect(hardWrap(text, columns)).toEqual(lines)
  })
})
