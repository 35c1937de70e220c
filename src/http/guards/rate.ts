// Spec 8: the rate limit per merchant, a token bucket with the tokens of one second.
import { refuse } from '../../domain/errors.ts'
import { createTokenBuckets } from './token-buckets.ts'

/**
 * Takes one token per call, except in a dry run.
 * @param monotonic returns ms and never goes back
 * @returns a function that throws 429 `rate_limited` with `Retry-After` in whole seconds, at least 1
 */
export function createRateGuard(
  monotonic: () => number,
): (merchantId: string, perSecond: number, dryRun?: boolean) => void {
  const buckets = createTokenBuckets(monotonic)
  return (merchantId, perSecond, dryRun) => {
    if (perSecond <= 0) return
    const size = Math.max(1, perSecond)
    const wait = dryRun === true ? buckets.wait(merchantId, size, perSecond) : buckets.take(merchantId, size, perSecond)
    if (wait === 0) return
    throw refuse('rate_limited', `Over ${perSecond} requests a second for this merchant. Retry in ${wait} s.`, {
      'Retry-After': String(wait),
    })
  }
}
