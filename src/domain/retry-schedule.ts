// Spec 6.1: the retry schedule, that is, the intervals between the attempts of a delivery.
import { parseDuration } from './time.ts'

/** The eight intervals between the nine attempts. The default of the setting `webhook_retries`. */
export const DEFAULT_RETRY_INTERVALS = ['10s', '1m', '5m', '30m', '2h', '6h', '24h', '48h'] as const

/** The fields of a delivery that change its number of attempts. */
interface RetryPolicy {
  /** True for a replay, and for a manual retry of a finished delivery. */
  readonly no_retries?: boolean
  /** The number of attempts that were started manually, in addition to the schedule. */
  readonly manual_attempts?: number
}

/**
 * Returns the ms between the due times of attempt `number` (starting at 1) and the next attempt, or `undefined` after
 * the last.
 * @param number counts only the attempts of the schedule
 * @param intervals in ms
 */
export function nextAttemptDelay(
  { no_retries }: RetryPolicy,
  number: number,
  intervals: readonly number[],
): number | undefined {
  return no_retries === true ? undefined : intervals[number - 1]
}

/** Returns the number of attempts of a delivery that never succeeds. */
export function maxAttempts({ no_retries, manual_attempts = 0 }: RetryPolicy, intervals: readonly number[]): number {
  return manual_attempts + (no_retries === true ? 1 : intervals.length + 1)
}

/** Returns the ms from the first attempt to each attempt: 0, 10 000, 70 000 and so on. */
export function defaultAttemptOffsets(): number[] {
  let offset = 0
  const later = DEFAULT_RETRY_INTERVALS.map((interval) => {
    offset += parseDuration(interval) ?? Number.NaN
    return offset
  })
  return [0, ...later]
}
