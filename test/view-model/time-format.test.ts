import { describe, expect, test } from 'vitest'
import {
  chooseTimeFormat,
  formatAge,
  formatDate,
  formatDateTime,
  formatTime,
  formatUntil,
  spansDays,
} from '../../src/view-model/time-format.ts'

const NOON = '2026-05-06T12:00:01.123Z'
const NOW = Date.parse(NOON)

test('an instant is formatted in UTC, from a number or RFC 3339', () => {
  expect([formatDateTime(NOW), formatDateTime('2026-05-07T01:30:00+03:00')]).toEqual([
    '2026-05-06 12:00:01',
    '2026-05-06 22:30:00',
  ])
  expect([formatTime(NOW), formatDate(NOW), formatDate(NOON)]).toEqual(['12:00:01', '2026-05-06', '2026-05-06'])
})

test('an invalid instant has no text', () => {
  expect([formatDateTime('soon'), formatTime(Number.NaN), formatDate('')]).toEqual(['', '', ''])
})

describe('the times of a column', () => {
  const shown = (...instants: readonly string[]) => instants.map(chooseTimeFormat([...instants, undefined, 'soon']))

  test('have milliseconds if all are on one day', () => {
    expect(shown(NOON, '2026-05-06T23:59:59.999Z')).toEqual(['12:00:01.123', '23:59:59.999'])
  })

  test('have the day if they span days', () => {
    expect(shown(NOON, '2026-05-07T00:00:00Z')).toEqual(['05-06 12:00:01', '05-07 00:00:00'])
  })

  test('have the year if they span years', () => {
    expect(shown('2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z')).toEqual([
      '2025-12-31 23:59:59',
      '2026-01-01 00:00:00',
    ])
  })

  test('have no text if they are missing or invalid', () => {
    const format = chooseTimeFormat([])
    expect([format(undefined), format('soon'), format(NOON)]).toEqual(['', '', '12:00:01.123'])
  })

  test('span days if they are on two days', () => {
    expect([spansDays([NOON, NOON]), spansDays([NOON, '2026-05-07T00:00:00Z']), spansDays([])]).toEqual([
      false,
      true,
      false,
    ])
  })
})

test('an age is never negative', () => {
  expect([formatAge(NOON, NOW + 3000), formatAge(NOON, NOW - 1), formatAge('soon', NOW)]).toEqual(['3 s', '0 ms', ''])
})

test('a time until an instant is due when the instant is reached', () => {
  expect([formatUntil(NOON, NOW - 1), formatUntil(NOON, NOW), formatUntil(undefined, NOW)]).toEqual([
    'in 1 ms',
    'due',
    '',
  ])
})
