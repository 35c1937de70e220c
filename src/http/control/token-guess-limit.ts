// Limits guesses of the control token: a burst of ten wrong tokens, then one per second.
import { refuse } from '../../domain/errors.ts'
import { createTokenBuckets } from '../guards/rate-limit.ts'

export interface TokenGuessLimiter {
  /** @throws RefusalError rate_limited if the address has to wait, whatever token it sends now */
  check(address: string): void
  /** Records that the address sent a wrong token. */
  count(address: string): void
}

const BURST = 10
const PER_SECOND = 1

/** @param monotonic returns ms and never goes back */
export function createTokenGuessLimiter(monotonic: () => number): TokenGuessLimiter {
  const buckets = createTokenBuckets(monotonic)
  return {
    check(address) {
      const wait = buckets.wait(address, BURST, PER_SECOND)
      if (wait === 0) return
      throw refuse('rate_limited', `Too many wrong control tokens from ${address}. Retry in ${wait} s.`, {
        'Retry-After': String(wait),
      })
    },
    count: (address) => void buckets.take(address, BURST, PER_SECOND),
  }
}
