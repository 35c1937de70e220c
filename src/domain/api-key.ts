// Spec 5.1 to 5.3: API keys, `sk_test_<6 chars>_<secret>` and `sk_live_…`.
import { createHash } from 'node:crypto'
import type { Mode } from './shop.ts'

const KEY = /^sk_(test|live)_([A-Za-z0-9]{6})_[A-Za-z0-9._~+/=-]{1,256}$/

export function formatKey(mode: Mode, prefix6: string, secret: string): string {
  return `sk_${mode}_${prefix6}_${secret}`
}

/**
 * Returns the six public characters of a new key. On a shard they begin with `S` and the shard's number as two
 * hexadecimal digits, so that a proxy can route the key.
 */
export function keyPrefix(token: (length: number) => string, shard: number | undefined): string {
  return shard === undefined ? token(6) : `S${shard.toString(16).padStart(2, '0')}${token(3)}`
}

/** Returns the mode and the public part (`sk_test_abc123`) of a key, or `undefined` if the text is not a key. */
export function parseKey(text: string): { readonly mode: Mode; readonly hint: string } | undefined {
  const [, mode, prefix] = KEY.exec(text) ?? []
  if (mode === undefined || prefix === undefined) return undefined
  return { mode: mode as Mode, hint: `sk_${mode}_${prefix}` }
}

/** A key without its secret part. */
export interface HashedKey {
  readonly hash: string
  readonly hint: string
  readonly mode: Mode
}

/** Returns the parts of a key that may be stored, or `undefined` if the text is not a key. */
export function hashedKey(text: string): HashedKey | undefined {
  const parts = parseKey(text)
  return parts && { hash: hashKey(text), ...parts }
}

/** Returns the SHA-256 of the whole key in hex, which is stored instead of the key. */
export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Returns the token of `Authorization: Bearer <token>`. The scheme may be in any letter case. */
export function bearerToken(authorization: string | null | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1]
}
