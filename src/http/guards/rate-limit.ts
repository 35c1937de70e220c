// Rate limits as token buckets: the requests of a merchant (spec 8), and guesses of the control token.
import { refuse } from '../../domain/errors.ts'

/**
 * @param monotonic returns ms and never goes back
 * @returns a function that takes one token of the merchant, or none in a dry run. The bucket has the tokens of one
 * second. The function throws 429 `rate_limited` if the bucket is empty, with `Retry-After` in whole seconds, at least
 * 1
 */
export function createRateGuard(
  monotonic: () => number,
): (merchantId: string, perSecond: number, dryRun?: boolean) => void {
  const buckets = createTokenBuckets(monotonic)
  return (merchantId, perSecond, dryRun) => {
    if (perSecond <= 0) return
    const size = Math.max(1, perSecond)
    const wait = dryRun === true ? buckets.wait(merchantId, size, perSecond) : buckets.take(merchantId, size, perSecond)
    refuseDuring(wait, `Over ${perSecond} requests a second for this merchant.`)
  }
}

/** Limits wrong control tokens of an address: a burst of ten, then one per second. */
export interface TokenGuessLimiter {
  /** @throws RefusalError rate_limited if the address has to wait, whatever token it sends now */
  check(address: string): void
  /** Records that the address sent a wrong token. */
  count(address: string): void
}

const GUESS_BURST = 10
const GUESSES_PER_SECOND = 1

/** @param monotonic returns ms and never goes back */
export function createTokenGuessLimiter(monotonic: () => number): TokenGuessLimiter {
  const buckets = createTokenBuckets(monotonic)
  return {
    check(address) {
      const wait = buckets.wait(address, GUESS_BURST, GUESSES_PER_SECOND)
      refuseDuring(wait, `Too many wrong control tokens from ${address}.`)
    },
    count: (address) => void buckets.take(address, GUESS_BURST, GUESSES_PER_SECOND),
  }
}

function refuseDuring(seconds: number, cause: string): void {
  if (seconds === 0) return
  throw refuse('rate_limited', `${cause} Retry in ${seconds} s.`, { 'Retry-After': String(seconds) })
}

interface Bucket {
  tokens: number
  /** Monotonic ms of the last refill. */
  at: number
  /** Monotonic ms at which the bucket is full again if no token is taken. A full bucket is like a new one. */
  full_at: number
}

interface TokenBuckets {
  /** Takes a token and returns 0. If the bucket is empty, returns the whole seconds until it has a token. */
  take(id: string, size: number, perSecond: number): number
  /** Returns what {@link take} would return, and takes nothing. */
  wait(id: string, size: number, perSecond: number): number
}

/** Number of buckets at which full buckets are dropped for the first time. */
const MIN_SWEEP_SIZE = 10_000

/** Drops full buckets, so that the buckets of many ids do not fill the memory. */
function createTokenBuckets(monotonic: () => number): TokenBuckets {
  const buckets = new Map<string, Bucket>()
  let sweepSize = MIN_SWEEP_SIZE

  function dropFull(now: number): void {
    for (const [id, { full_at }] of buckets) if (full_at <= now) buckets.delete(id)
    // If most buckets are in use, the next sweep is postponed, so that new ids stay cheap.
    sweepSize = Math.max(MIN_SWEEP_SIZE, 2 * buckets.size)
  }

  function tokensOf(bucket: Bucket | undefined, now: number, size: number, perSecond: number): number {
    if (bucket === undefined) return size
    return Math.min(size, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
  }

  function secondsUntilOne(tokens: number, perSecond: number): number {
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond))
  }

  return {
    take(id, size, perSecond) {
      const now = monotonic()
      const known = buckets.get(id)
      const tokens = tokensOf(known, now, size, perSecond)
      if (known === undefined && buckets.size >= sweepSize) dropFull(now)
      const bucket = known ?? { tokens: 0, at: 0, full_at: 0 }
      if (known === undefined) buckets.set(id, bucket)
      bucket.tokens = tokens >= 1 ? tokens - 1 : tokens
      bucket.at = now
      bucket.full_at = now + ((size - bucket.tokens) / perSecond) * 1000
      return secondsUntilOne(tokens, perSecond)
    },
    wait: (id, size, perSecond) => secondsUntilOne(tokensOf(buckets.get(id), monotonic(), size, perSecond), perSecond),
  }
}
