// Checks the signatures of a recording. The age of a signature does not matter, because a recording is always old.
import { isUtf8 } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { type HeaderList, headerValue } from '../domain/delivery.ts'
import { BODY_MASKED, eventIdentityOf, type ImportedEvent } from '../domain/imported-event.ts'
import { explainSignature, type KnownSecret } from '../webhooks/explain-signature.ts'
import { verifyWebhook } from '../webhooks/verify-webhook.ts'
import type { RecordedSignature } from './har.ts'
import { SIGNATURE_HEADER } from './recorded-message.ts'

export interface SignatureCheck {
  readonly signature: ImportedEvent['signature']
  readonly cause?: string
  /** The explanation and the next step. */
  readonly why?: string
  /** The time in the signature, in ms. */
  readonly signedAt?: number
  /** The secret of a valid signature. */
  readonly secret?: string
}

/** @param recorded the check at the time of the recording. It applies if the body was masked afterwards. */
export type SignatureChecker = (
  body: string,
  header: string | undefined,
  recorded?: RecordedSignature | undefined,
) => SignatureCheck

export interface Secrets {
  /** The secrets that should match. Without any, a signature that matches no known webhook secret is unchecked. */
  readonly given: readonly string[]
  /** Secrets that psp knows. They explain an invalid signature. Without `given`, the webhook secrets are tried. */
  readonly known: readonly KnownSecret[]
}

/**
 * Returns the result to store in the recording if the request is a signed webhook, or `undefined` for other requests.
 * @param maskHeader returns the value of a header as the recording contains it
 */
export function checkToRecord(
  check: SignatureChecker,
  headers: HeaderList,
  body: Buffer,
  maskHeader: (name: string, value: string) => string,
): Omit<RecordedSignature, 'is_masked'> | undefined {
  const header = headerValue(headers, SIGNATURE_HEADER)
  const text = isUtf8(body) ? body.toString('utf8') : ''
  if (header === undefined || eventIdentityOf(text) === undefined) return undefined
  const { signature, cause, why, secret } = check(text, header)
  if (signature === 'invalid') return { result: signature, cause, why }
  if (signature !== 'valid' || secret === undefined) return { result: 'unchecked' }
  return { result: 'valid', secret_check: secretCheck(secret, maskHeader(SIGNATURE_HEADER, header)) }
}

/**
 * Returns a short hash of the secret. An import compares it with the hashes of the given secrets.
 * @param header the signature header as recorded, because the import does not know the original value
 */
function secretCheck(secret: string, header: string): string {
  return createHmac('sha256', secret).update(`secret of ${header}`).digest('hex').slice(0, 8)
}

export function createSignatureChecker({ given, known }: Secrets): SignatureChecker {
  const knownWebhookSecrets = known
    .filter(({ kind }) => kind === 'webhook' || kind === 'former_webhook')
    .map(({ secret }) => secret)

  return (body, header, recorded) => {
    if (header === undefined) return { signature: 'missing' }
    const seconds = Number(/(?:^|,)\s*t=(\d{9,11})(?:,|$)/.exec(header)?.[1] ?? Number.NaN)
    const signed = Number.isNaN(seconds) ? {} : { signedAt: seconds * 1000 }
    const result = recorded?.is_masked === true ? recordedCheck(header, recorded) : checkNow(body, header, signed)
    return { ...result, ...signed }
  }

  function checkNow(body: string, header: string, { signedAt }: Pick<SignatureCheck, 'signedAt'>): SignatureCheck {
    const at = signedAt === undefined ? {} : { now: signedAt }
    const secret = (given.length === 0 ? knownWebhookSecrets : given).find(
      (secret) => verifyWebhook(body, header, secret, { allowV1: true, ...at }).valid,
    )
    if (secret !== undefined) return { signature: 'valid', secret }
    if (given.length === 0) return { signature: 'unchecked' }
    const result = explainSignature({ rawBody: body, header, secrets: given, known, ...at })
    return result.valid ? { signature: 'valid' } : { signature: 'invalid', cause: result.cause, why: result.message }
  }

  /** Uses the check at the time of the recording, because the masked body no longer matches its signature. */
  function recordedCheck(header: string, { result, secret_check, cause, why = '' }: RecordedSignature): SignatureCheck {
    if (result === 'unchecked') return { signature: 'unchecked', cause: BODY_MASKED }
    if (result === 'invalid') {
      return {
        signature: result,
        cause: cause ?? 'unknown',
        why: `${why} The signature was checked at the time of the recording.`.trim(),
      }
    }
    const isOther =
      secret_check !== undefined &&
      given.length > 0 &&
      !given.some((secret) => secretCheck(secret, header) === secret_check)
    return isOther ? OTHER_SECRET : { signature: 'valid_when_recorded' }
  }
}

const OTHER_SECRET: SignatureCheck = {
  signature: 'invalid',
  cause: 'wrong_secret',
  why: 'No given secret matches. The signature was valid with another secret when it was recorded. Pass the secret of the endpoint that received the events.',
}
