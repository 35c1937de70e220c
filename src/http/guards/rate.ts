// Spec 8: the rate limit per merchant, a token bucket on the wall clock that holds one second's worth.
import { refuse } from '../../domain/errors.ts'

interface Bucket {
  tokens: number
  /** Monotonic ms of the last refill. */
  at: number
  /** When it will be full again, where nobody takes more; from then on it says nothing. */
  full_at: number
}

/** From so many on, those that are full again are looked for and dropped. */
const BUCKETS_KEPT = 10_000

/**
 * Takes one token per call.
 * @param monotonic ms, never stepping back
 * @returns throws 429 `rate_limited` with `Retry-After` in whole seconds, at least 1
 */
export function createRateGuard(monotonic: () => number): (merchantId: string, perSecond: number) => void {
  const buckets = new Map<string, Bucket>()
  let most = BUCKETS_KEPT

  function dropFull(now: number): void {
    for (const [id, { full_at }] of buckets) if (full_at <= now) buckets.delete(id)
    // Where most are in use, the next look is far off: it costs each newcomer little.
    most = Math.max(BUCKETS_KEPT, 2 * buckets.size)
  }

  return (merchantId, perSecond) => {
    if (perSecond <= 0) return
    const now = monotonic()
    const full = Math.max(1, perSecond)
    const bucket = buckets.get(merchantId) ?? { tokens: full, at: now, full_at: now }
    bucket.tokens = Math.min(full, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    if (buckets.size >= most && !buckets.has(merchantId)) dropFull(now)
    buckets.set(merchantId, bucket)
    const taken = bucket.tokens >= 1
    if (taken) bucket.tokens -= 1
    bucket.full_at = now + ((full - bucket.tokens) / perSecond) * 1000
    if (taken) return
    const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
    throw refuse('rate_limited', `Over ${perSecond} requests a second for this merchant. Retry in ${wait} s.`, {
      'Retry-After': String(wait),
    })
  }
}
