// Spec 5.5 and 6.1: HMAC-SHA256 with the whole secret as UTF-8, and its comparison.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

/** Returns the HMAC-SHA256 over the concatenated `parts` (text as UTF-8) in lower-case hex. */
export function hmacHex(secret: string, ...parts: readonly (Uint8Array | string)[]): string {
  const hmac = createHmac('sha256', keyOf(secret))
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}

/** Compares the bytes in constant time. Texts of different lengths are unequal. */
export function equalText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

const MAX_CACHED_KEYS = 256
const keys = new Map<string, KeyObject>()

/** Caches prepared keys, which halve the cost of a signature. The oldest key is evicted. */
function keyOf(secret: string): KeyObject {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(secret, 'utf8')
  if (keys.size >= MAX_CACHED_KEYS) {
    for (const oldest of keys.keys()) {
      keys.delete(oldest)
      break
    }
  }
  keys.set(secret, key)
  return key
}
