// Spec 6.1, Delivery: when a webhook is tried again.

const S = 1000
const M = 60 * S
const H = 60 * M

/** Intervals between attempts, in ms: one first POST and eight retries. */
export const DEFAULT_RETRY_INTERVALS: readonly number[] = [10 * S, M, 5 * M, 30 * M, 2 * H, 6 * H, 24 * H, 48 * H]

/** ms from the instant attempt number `attemptsMade` was due to the next one; `undefined`: that was the last. */
export function nextAttemptDelay(attemptsMade: number, intervals: readonly number[]): number | undefined {
  return attemptsMade < 1 ? 0 : intervals[attemptsMade - 1]
}

/** Attempts of a delivery that never succeeds; one that is sent again by hand (`once`) has no ladder. */
export function mostAttempts({ once }: { readonly once?: boolean }, intervals: readonly number[]): number {
  return once === true ? 1 : intervals.length + 1
}

/** ms from the first attempt to each one, the first included: `[0, 10000, 70000, …]`. */
export function attemptOffsets(intervals: readonly number[]): number[] {
  const offsets = [0]
  for (const interval of intervals) offsets.push((offsets.at(-1) ?? 0) + interval)
  return offsets
}

export const DEFAULT_ATTEMPT_OFFSETS: readonly number[] = attemptOffsets(DEFAULT_RETRY_INTERVALS)
