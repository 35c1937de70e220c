import { expect, test } from 'vitest'
import { characterCount, isLongerThan } from '../../src/domain/characters.ts'

test.each([
  ['', 0],
  ['abc', 3],
  ['жук', 3],
  ['💳💳', 2],
  ['\ud83d', 1],
])('the text %j has %i characters', (text, count) => {
  expect(characterCount(text)).toBe(count)
  expect(isLongerThan(text, count)).toBe(false)
  if (count > 0) expect(isLongerThan(text, count - 1)).toBe(true)
})
