// Spec 5.5 and 6.1: the signatures of requests (thm_… secret) and webhooks (whs_… secret). All are HMAC-SHA256 over the
// raw bytes of the body, with the whole secret as UTF-8. Version v2 also covers the time.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns the HMAC-SHA256 over the concatenated `parts` (text as UTF-8) in lower-case hex. */
export function hmacHex(secret: string, ...parts: readonly (Uint8Array | string)[]): string {
  const hmac = createHmac('sha256', secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}

/** Compares the bytes in constant time. Strings of different lengths are unequal. */
export function equalText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Returns `sha256=` and the HMAC of the exact bytes in lower-case hex. A request without a body is signed as if its
 * body were the empty string.
 */
export function signRequest(body: Uint8Array | string, secret: string): string {
  return `sha256=${hmacHex(secret, body)}`
}

/**
 * Checks the values of `X-PSP-Signature` and `X-Service-Signature` (`undefined` or null if absent) against the received
 * body. Two different values are `invalid`, and so is a value in another format. Never throws.
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

export const SIGNATURE_VERSIONS = ['v2', 'v1'] as const
export type SignatureVersion = (typeof SIGNATURE_VERSIONS)[number]

/** The content of `v1=`: the legacy HMAC of the body alone, the HMAC of `t.body` as in `v2=`, or no `v1=` at all. */
export type V1Form = 'body' | 'timestamped' | 'omit'

export interface SignatureInput {
  /** The exact bytes that are sent. */
  readonly body: Uint8Array | string
  /** The whole `whs_…` secret. */
  readonly secret: string
  /** Unix time in seconds. */
  readonly timestamp: number
  /** Default: `v2`. */
  readonly version?: SignatureVersion
  /** Default: `body`. */
  readonly v1Form?: V1Form
}

/**
 * Returns the value of `X-PSP-Signature`: `t=1764547200,v1=<hex>,v2=<hex>`, or `sha256=<hex>` for version v1.
 * With `v1Form: 'omit'` there is no `v1=`.
 */
export function signatureHeader({ body, secret, timestamp, version = 'v2', v1Form = 'body' }: SignatureInput): string {
  if (version === 'v1') return `sha256=${hmacHex(secret, body)}`
  const v2 = hmacHex(secret, `${timestamp}.`, body)
  if (v1Form === 'omit') return `t=${timestamp},v2=${v2}`
  return `t=${timestamp},v1=${v1Form === 'timestamped' ? v2 : hmacHex(secret, body)},v2=${v2}`
}

/** Returns a webhook's headers in sending order. `timestamp`: Unix seconds. The fault `unsigned` omits `signature`. */
export function webhookHeaders(eventId: string, timestamp: number, signature: string | undefined) {
  const headers: (readonly [name: string, value: string])[] = [
    CONTENT_TYPE,
    USER_AGENT,
    ['X-PSP-Event-Id', eventId],
    ['X-PSP-Timestamp', String(timestamp)],
  ]
  if (signature !== undefined) headers.push(['X-PSP-Signature', signature])
  return headers
}

const CONTENT_TYPE = ['Content-Type', 'application/json'] as const
const USER_AGENT = ['User-Agent', 'psp-webhook/1.0'] as const
