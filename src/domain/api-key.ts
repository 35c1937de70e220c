// Spec 5.1 to 5.3: API keys, `sk_test_<6 chars>_<secret>` and `sk_live_…`.
import { createHash } from 'node:crypto'
import type { Mode } from './shop.ts'

const KEY = /^sk_(test|live)_([A-Za-z0-9]{6})_[A-Za-z0-9._~+/=-]{1,256}$/

/** `formatKey('test', 'abc123', 'xyz')` is `sk_test_abc123_xyz`. */
export function formatKey(mode: Mode, prefix6: string, secret: string): string {
  return `sk_${mode}_${prefix6}_${secret}`
}

/**
 * The six public characters of a new key. On a shard they begin with `S` and its number as two hex digits, which no
 * other key does: a proxy reads there where the key lives.
 */
export function keyPrefix(token: (length: number) => string, shard: number | undefined): string {
  return shard === undefined ? token(6) : `S${shard.toString(16).padStart(2, '0')}${token(3)}`
}

/** Mode and public part (`sk_test_abc123`) of a key; `undefined` for text of another form. */
export function parseKey(text: string): { readonly mode: Mode; readonly hint: string } | undefined {
  const [, mode, prefix] = KEY.exec(text) ?? []
  if (mode === undefined || prefix === undefined) return undefined
  return { mode: mode as Mode, hint: `sk_${mode}_${prefix}` }
}

/** A key of which only the hash is known. */
export interface KnownKey {
  readonly hash: string
  readonly hint: string
  readonly mode: Mode
}

/** What may be stored of a key; `undefined` for text of another form. */
export function knownKey(text: string): KnownKey | undefined {
  const parts = parseKey(text)
  return parts && { hash: hashKey(text), ...parts }
}

/** SHA-256 of the whole key in hex: what is stored instead of it. */
export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The token of `Authorization: Bearer <token>`, the scheme in any case; `undefined` for anything else. */
export function bearerToken(authorization: string | null | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1]
}
