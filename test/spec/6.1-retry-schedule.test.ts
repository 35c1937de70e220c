// Spec 6.1, Delivery: the intervals between attempts.
import { expect, test } from 'vitest'
import {
  attemptOffsets,
  DEFAULT_ATTEMPT_OFFSETS,
  DEFAULT_RETRY_INTERVALS,
  nextAttemptDelay,
} from '../../src/domain/retry-schedule.ts'
import { readSettings } from '../../src/settings.ts'

test('one first attempt and eight retries, over 3.36 days', () => {
  expect(DEFAULT_ATTEMPT_OFFSETS.map((ms) => ms / 1000)).toEqual([0, 10, 70, 370, 2170, 9370, 30_970, 117_370, 290_170])
})

test('the setting has the same intervals', () => {
  expect(readSettings().webhook_retries).toEqual(DEFAULT_RETRY_INTERVALS)
})

test('each failed attempt waits its interval, the ninth is the last', () => {
  const waited = Array.from({ length: 9 }, (_, i) => nextAttemptDelay(i + 1, DEFAULT_RETRY_INTERVALS))
  expect(waited).toEqual([...DEFAULT_RETRY_INTERVALS, undefined])
})

test('the first attempt goes at once; without intervals it is the only one', () => {
  expect(nextAttemptDelay(0, [5])).toBe(0)
  expect(nextAttemptDelay(1, [])).toBeUndefined()
  expect(attemptOffsets([])).toEqual([0])
})
