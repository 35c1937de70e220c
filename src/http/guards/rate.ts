// Spec 8: the rate limit per merchant, a token bucket on the wall clock that holds one second's worth.
import { refuse } from '../../domain/errors.ts'

interface Bucket {
  tokens: number
  /** Monotonic ms of the last refill. */
  at: number
}

/** Buckets that are full again say nothing; they go when there are this many. */
const BUCKETS_KEPT = 10_000

/**
 * Takes one token per call.
 * @param monotonic ms, never stepping back
 * @returns throws 429 `rate_limited` with `Retry-After` in whole seconds, at least 1
 */
export function createRateGuard(monotonic: () => number): (merchantId: string, perSecond: number) => void {
  const buckets = new Map<string, Bucket>()
  return (merchantId, perSecond) => {
    if (perSecond <= 0) return
    const now = monotonic()
    const full = Math.max(1, perSecond)
    const bucket = buckets.get(merchantId) ?? { tokens: full, at: now }
    bucket.tokens = Math.min(full, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    if (buckets.size >= BUCKETS_KEPT && !buckets.has(merchantId)) buckets.clear()
    buckets.set(merchantId, bucket)
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1
      return
    }
    const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
    throw refuse('rate_limited', `Over ${perSecond} requests a second for this merchant. Retry in ${wait} s.`, {
      'Retry-After': String(wait),
    })
  }
}
