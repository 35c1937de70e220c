// Spec 6.1: the headers of a webhook and its two signature formats.
import { hmacHex } from './hmac.ts'

export const SIGNATURE_VERSIONS = ['v2', 'v1'] as const
export type SignatureVersion = (typeof SIGNATURE_VERSIONS)[number]

/** The value of `v1=` next to `v2=`: the legacy HMAC of the body, the HMAC of `t.body`, or none. */
export type V1Form = 'body' | 'timestamped' | 'omit'

/** Input of {@link signatureHeader}. */
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
  readonly v1?: V1Form
}

/**
 * Returns the value of `X-PSP-Signature`: `t=1764547200,v1=<hex>,v2=<hex>`, or `sha256=<hex>` for version v1. With `v1: 'omit'`
 * there is no `v1=`.
 */
export function signatureHeader({ body, secret, timestamp, version = 'v2', v1 = 'body' }: SignatureInput): string {
  if (version === 'v1') return `sha256=${hmacHex(secret, body)}`
  const v2 = hmacHex(secret, `${timestamp}.`, body)
  if (v1 === 'omit') return `t=${timestamp},v2=${v2}`
  return `t=${timestamp},v1=${v1 === 'timestamped' ? v2 : hmacHex(secret, body)},v2=${v2}`
}

/**
 * Returns the headers of a webhook in the order in which they are sent. `timestamp` is in Unix seconds, same as in the signature.
 * The fault `unsigned` omits the signature.
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
