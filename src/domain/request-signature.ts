// Spec 5.5: the signature of a request to the service, made with the shop's `thm_…` secret over the raw body.
import { equalText, hmacHex } from './hmac.ts'

/** Returns `sha256=` and 64 lower-case hex digits over the exact bytes. A request without a body signs the empty string. */
export function signRequest(body: Uint8Array | string, secret: string): string {
  return `sha256=${hmacHex(secret, body)}`
}

/**
 * Checks the values of `X-PSP-Signature` and `X-Service-Signature` (`undefined` or null if absent) against the received body.
 * Two different values are `invalid`, like any other format. Never throws.
 */
export function checkRequestSignature(
  values: readonly (string | null | undefined)[],
  rawBody: Uint8Array | string,
  secret: string,
): 'ok' | 'missing' | 'invalid' {
  const present = values.filter((value) => value !== undefined && value !== null)
  const [first] = present
  if (first === undefined) return 'missing'
  if (present.some((value) => value !== first)) return 'invalid'
  return equalText(first, signRequest(rawBody, secret)) ? 'ok' : 'invalid'
}
