import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addMs,
  durationInWords,
  formatDuration,
  LONGEST_DURATION,
  parseDuration,
  parseInstant,
  rfc3339,
} from '../../src/domain/time.ts'
import { readSettings } from '../../src/settings.ts'

describe('durations', () => {
  test.each([
    ['500ms', 500],
    ['15s', 15_000],
    ['20m', 1_200_000],
    ['2h', 7_200_000],
    ['3d', 259_200_000],
    ['1h30m', 5_400_000],
    ['0s', 0],
    ['1.5s', 1500],
  ])('the duration %s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  test.each(['', '5', '-5s', '5 s', 's', '1h 30m', '5x', '1e3s', '36500d1ms', `${'9'.repeat(30)}d`])(
    'the text %j is not a duration',
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )

  test('a formatted duration parses to the same ms', () => {
    fc.assert(
      fc.property(fc.nat({ max: LONGEST_DURATION }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms)
      }),
    )
  })
})

describe('instants', () => {
  test.each([
    [9e15, '9999-12-31T23:59:59.999Z'],
    [Number.POSITIVE_INFINITY, '9999-12-31T23:59:59.999Z'],
    [-9e15, '0000-01-01T00:00:00.000Z'],
    [Number.NaN, '0000-01-01T00:00:00.000Z'],
  ])('the instant %d is formatted with four digits of the year', (instant, text) => {
    expect(rfc3339(instant)).toBe(text)
    expect(rfc3339(addMs(instant as never, LONGEST_DURATION))).toMatch(/^\d{4}-/)
  })

  test.each([
    [0, '2026-05-06T12:00:00Z'],
    [3, '2026-05-06T12:00:00.007Z'],
    [6, '2026-05-06T12:00:00.007000Z'],
    [9, '2026-05-06T12:00:00.007000000Z'],
  ] as const)('an instant can have %d fraction digits', (fraction, text) => {
    expect(rfc3339(Date.UTC(2026, 4, 6, 12, 0, 0, 7), fraction)).toBe(text)
  })

  test('a formatted instant parses to the same ms', () => {
    const instants = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) })
    fc.assert(
      fc.property(instants, fc.constantFrom(3, 6, 9), (ms, fraction) => {
        expect(parseInstant(rfc3339(ms, fraction))).toBe(ms)
      }),
    )
  })

  test('an instant can have any offset', () => {
    expect(parseInstant('2026-05-06T15:00:00+03:00')).toBe(Date.UTC(2026, 4, 6, 12))
    expect(parseInstant('2026-05-06 12:00:00z')).toBe(Date.UTC(2026, 4, 6, 12))
  })

  test.each(['2031-02-30T00:00:00Z', '2031-02-29T00:00:00+03:00', '2031-04-31 00:00:00Z', '2031-01-01T24:00:00Z'])(
    'the day or time %j does not exist',
    (text) => {
      expect(parseInstant(text)).toBeUndefined()
    },
  )

  test('the leap day 2032-02-29 exists', () => {
    expect(parseInstant('2032-02-29T23:59:59Z')).toBe(Date.UTC(2032, 1, 29, 23, 59, 59))
  })

  test.each(['', '2026-05-06', '2026-05-06T12:00', '2026-05-06T12:00:00', '2026-13-06T12:00:00Z', 'now', '0'])(
    'the text %j is not an instant',
    (text) => {
      expect(parseInstant(text)).toBeUndefined()
    },
  )
})

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
