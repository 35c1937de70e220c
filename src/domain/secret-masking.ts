// Masks API keys and secrets in any text.
import { maskUserInfo } from './http-url.ts'

/** Masks secrets, except the public part of a key and the prefix of other secrets. */
export function maskSecrets(text: string): string {
  return maskUserInfo(text)
    .replace(/\b(sk_(?:test|live)_[A-Za-z0-9]{6}_)[A-Za-z0-9._~+/=-]+/g, '$1***')
    .replace(/\b((?:whs|thm)_)[A-Za-z0-9._~+/=-]+/g, '$1***')
}
