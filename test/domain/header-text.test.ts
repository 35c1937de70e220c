import { expect, test } from 'vitest'
import { decodeHeaderText, encodeHeaderText } from '../../src/domain/header-text.ts'

test.each([
  ['order-1', 'order-1'],
  ['заказ', '\xd0\xb7\xd0\xb0\xd0\xba\xd0\xb0\xd0\xb7'],
  ['💳', '\xf0\x9f\x92\xb3'],
  ['\ufeffx', '\xef\xbb\xbfx'],
])('the text %s is encoded as UTF-8 bytes and decoded again', (text, value) => {
  expect(encodeHeaderText(text)).toBe(value)
  expect(decodeHeaderText(value)).toBe(text)
})

test.each(['\xe9', '\xd0', 'x\xff'])('the value %j, which is not UTF-8, is unchanged', (value) => {
  expect(decodeHeaderText(value)).toBe(value)
})
