// Slows down a caller that guesses the control token: ten wrong ones at once, then one per second.
import { refuse } from '../../domain/errors.ts'
import { createTokenBuckets } from '../guards/token-buckets.ts'

export interface WrongTokens {
  /** @throws RefusalError rate_limited if the address has to wait, whatever token it sends now */
  check(address: string): void
  /** The address sent a wrong token. */
  count(address: string): void
}

const BURST = 10
const PER_SECOND = 1

/** @param monotonic ms, never stepping back */
export function createWrongTokens(monotonic: () => number): WrongTokens {
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
