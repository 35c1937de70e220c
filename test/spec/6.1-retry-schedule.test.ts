// Spec 6.1, Delivery: the intervals between attempts. 6.1-deliveries tests that deliveries use them.
import { expect, test } from 'vitest'
import { defaultAttemptOffsets, maxAttempts, nextAttemptDelay } from '../../src/domain/retry-schedule.ts'
import { readSettings } from '../../src/settings.ts'

const INTERVALS = readSettings().webhook_retries

test('the retry schedule has one first attempt and eight retries over 3.36 days', () => {
  expect(defaultAttemptOffsets().map((ms) => ms / 1000)).toEqual([0, 10, 70, 370, 2170, 9370, 30_970, 117_370, 290_170])
})

test('each failed attempt is followed by its interval, and the ninth is the last', () => {
  const waited = Array.from({ length: 9 }, (_, i) => nextAttemptDelay({}, i + 1, INTERVALS))
  expect(waited).toEqual([...INTERVALS, undefined])
  expect(maxAttempts({}, INTERVALS)).toBe(9)
})

test('a delivery without intervals, a replay and a manual retry have one attempt', () => {
  expect([nextAttemptDelay({}, 1, []), maxAttempts({}, [])]).toEqual([undefined, 1])
  expect([nextAttemptDelay({ no_retries: true }, 1, INTERVALS), maxAttempts({ no_retries: true }, INTERVALS)]).toEqual([
    undefined,
    1,
  ])
})

test('manual attempts are in addition to the attempts of the retry schedule', () => {
  expect([
    maxAttempts({ manual_attempts: 2 }, INTERVALS),
    maxAttempts({ no_retries: true, manual_attempts: 2 }, []),
  ]).toEqual([11, 3])
})
