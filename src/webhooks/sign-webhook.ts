// Spec 6.1: signs a webhook in a test of a handler.
import { SIGNATURE_VERSIONS, type SignatureInput, signatureHeader, type V1Form } from '../domain/signatures.ts'
import { requireOptions } from './argument-checks.ts'
import { normalizeSecret } from './secret.ts'
import { isMilliseconds, MILLISECONDS_MESSAGE } from './signature-header.ts'

/** The body to sign, and how to sign it. */
export interface WebhookToSign extends Omit<SignatureInput, 'secret' | 'timestamp' | 'v1Form'> {
  /** The whole `whs_…` secret. The call throws if it is `undefined`, such as an unset environment variable. */
  readonly secret: string | undefined
  /** Whole Unix seconds. The default is the system time. */
  readonly timestamp?: number | undefined
  /**
   * The content of `v1=`. `body` (default) is the HMAC of the body alone. `timestamped` is the HMAC of `t.body`, the
   * same value as in `v2=`. `omit` leaves `v1=` out.
   */
  readonly v1?: V1Form
}

/**
 * Returns the value of `X-PSP-Signature`: `t=1764547200,v1=<hex>,v2=<hex>`, or `sha256=<hex>` for version v1.
 * If `v1` is `omit`, the v2 format has no `v1=`.
 * @throws {WebhookSecretError} if the secret is unusable, TypeError for other invalid arguments
 * @example
 * const header = signWebhook({ body, secret: process.env.PSP_WEBHOOK_SECRET })
 * await fetch(url, { method: 'POST', body, headers: { 'X-PSP-Signature': header } })
 */
export function signWebhook(webhook: WebhookToSign): string {
  requireOptions('signWebhook', webhook, OPTION_NAMES, '{ body, secret }')
  const { body, timestamp = Math.floor(Date.now() / 1000), version = 'v2', v1 = 'body' } = webhook
  const secret = normalizeSecret(webhook.secret)
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw argumentError('body', 'the bytes or text that are sent')
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) throw argumentError('timestamp', 'whole Unix seconds')
  if (isMilliseconds(String(timestamp))) throw new TypeError(`timestamp: ${MILLISECONDS_MESSAGE}`)
  if (!SIGNATURE_VERSIONS.includes(version)) throw argumentError('version', 'v2 or v1')
  if (!Object.hasOwn(V1_VALUES, v1)) throw argumentError('v1', 'body, timestamped or omit')
  return signatureHeader({ body, secret, timestamp, version, v1Form: v1 })
}

const OPTION_NAMES = {
  body: true,
  secret: true,
  timestamp: true,
  version: true,
  v1: true,
} satisfies Record<keyof WebhookToSign, true>

const V1_VALUES = { body: true, timestamped: true, omit: true } satisfies Record<V1Form, true>

function argumentError(name: keyof WebhookToSign, expected: string): TypeError {
  return new TypeError(`${name}: signWebhook expects ${expected}.`)
}
