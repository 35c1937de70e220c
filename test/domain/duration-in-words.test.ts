import { expect, test } from 'vitest'
import { durationInWords } from '../../src/domain/time.ts'
import { readSettings } from '../../src/settings.ts'

test('the retry intervals are formatted as they are written', () => {
  const steps = ['10 s', '1 min', '5 min', '30 min', '2 h', '6 h', '24 h', '48 h']
  expect(readSettings().webhook_retries.map(durationInWords)).toEqual(steps)
})

test.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [1500, '2 s'],
  [59_999, '1 min'],
  [90_000, '1 min 30 s'],
  [3_599_900, '1 h'],
  [7_140_000, '1 h 59 min'],
  [376_526_000, '4 d 9 h'],
  [891_013_500, '10 d 8 h'],
])('durationInWords of %d ms is %s', (ms, words) => {
  expect(durationInWords(ms)).toBe(words)
})
