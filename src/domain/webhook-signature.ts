// Spec 6.1: the headers of a webhook and its two signature formats.
import { hmacHex } from './hmac.ts'

export const SIGNATURE_VERSIONS = ['v2', 'v1'] as const
export type SignatureVersion = (typeof SIGNATURE_VERSIONS)[number]

/** What stands at `v1=` beside `v2=`: the legacy HMAC of the body, one of `t.body`, or nothing. */
export type V1Form = 'body' | 'timestamped' | 'omit'

/** What `signatureHeader` signs, and how. */
export interface SignatureInput {
  /** The very bytes that are sent. */
  readonly body: Uint8Array | string
  /** The whole `whs_…` text. */
  readonly secret: string
  /** Unix time in seconds. */
  readonly timestamp: number
  /** `v2` where absent. */
  readonly version?: SignatureVersion
  /** `body` where absent. */
  readonly v1?: V1Form
}

/**
 * The value of `X-PSP-Signature`: `t=1764547200,v1=<hex>,v2=<hex>`, or `sha256=<hex>` for version v1.
 * Where `v1` is `omit` the v2 form has no `v1=`.
 */
export function signatureHeader({ body, secret, timestamp, version = 'v2', v1 = 'body' }: SignatureInput): string {
  if (version === 'v1') return `sha256=${hmacHex(secret, body)}`
  const v2 = hmacHex(secret, `${timestamp}.`, body)
  if (v1 === 'omit') return `t=${timestamp},v2=${v2}`
  return `t=${timestamp},v1=${v1 === 'timestamped' ? v2 : hmacHex(secret, body)},v2=${v2}`
}

/**
 * Every header of a webhook in the order in which it is sent. `timestamp` in Unix seconds, the same as in the signature;
 * without a signature (a fault of the simulator) its header is left out.
 */
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
