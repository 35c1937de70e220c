// Spec 5.5 and 6.1: HMAC-SHA256 keyed with a whole secret as UTF-8, and how two of them are compared.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 over `parts` one after another (text as UTF-8), in lower-case hex. */
export function hmacHex(secret: string, ...parts: readonly (Uint8Array | string)[]): string {
  const hmac = createHmac('sha256', keyOf(secret))
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}

/** Compares in constant time, on bytes; texts of different length are unequal and never throw. */
export function equalText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

const KEYS_KEPT = 256
const keys = new Map<string, KeyObject>()

/** A prepared key halves the cost of a signature; the oldest one goes when there are too many. */
function keyOf(secret: string): KeyObject {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(secret, 'utf8')
  if (keys.size >= KEYS_KEPT) {
    for (const oldest of keys.keys()) {
      keys.delete(oldest)
      break
    }
  }
  keys.set(secret, key)
  return key
}
