// Checks the signatures of a recording. The age of a signature does not matter, because a recording is always old.
import type { ImportedEvent } from '../domain/imported-event.ts'
import { explainSignature, type KnownSecret } from '../webhooks/explain-signature.ts'
import { verifyWebhook } from '../webhooks/verify-webhook.ts'

export interface SignatureCheck {
  readonly signature: ImportedEvent['signature']
  readonly cause?: string
  /** The explanation and the next step. */
  readonly why?: string
  /** The time in the signature, in ms. */
  readonly signedAt?: number
}

export type SignatureChecker = (body: string, header: string | undefined) => SignatureCheck

export interface Secrets {
  /** The secrets that should match. If there is none, a signature that does not match a known secret is unchecked. */
  readonly given: readonly string[]
  readonly known: readonly KnownSecret[]
}

export function createSignatureChecker({ given, known }: Secrets): SignatureChecker {
  const secrets = known
    .filter(({ kind }) => kind === 'webhook' || kind === 'former_webhook')
    .map(({ secret }) => secret)
  const fitsKnown = (body: string, header: string, { signedAt }: { readonly signedAt?: number }) =>
    secrets.length > 0 &&
    verifyWebhook(body, header, secrets, { allowV1: true, ...(signedAt === undefined ? {} : { now: signedAt }) }).valid
  return (body, header) => {
    if (header === undefined) return { signature: 'missing' }
    const seconds = Number(/(?:^|,)\s*t=(\d{9,11})(?:,|$)/.exec(header)?.[1] ?? Number.NaN)
    const signed = Number.isNaN(seconds) ? {} : { signedAt: seconds * 1000 }
    if (given.length === 0) return { signature: fitsKnown(body, header, signed) ? 'valid' : 'unchecked', ...signed }
    const result = explainSignature({
      rawBody: body,
      header,
      secrets: given,
      known,
      ...(signed.signedAt === undefined ? {} : { now: signed.signedAt }),
    })
    if (result.valid) return { signature: 'valid', ...signed }
    return { signature: 'invalid', cause: result.cause, why: result.message, ...signed }
  }
}
