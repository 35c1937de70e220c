// Checks the signatures of a recording. The age of a signature does not matter, because a recording is always old.
import { isUtf8 } from 'node:buffer'
import type { HeaderList } from '../domain/delivery.ts'
import { BODY_MASKED, eventNamesOf, type ImportedEvent } from '../domain/imported-event.ts'
import { explainSignature, type KnownSecret } from '../webhooks/explain-signature.ts'
import { verifyWebhook } from '../webhooks/verify-webhook.ts'
import type { RecordedSignature } from './har.ts'
import { headerIn, SIGNATURE_HEADER } from './recorded-message.ts'

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

/** Returns the check at the time of the recording if the body was masked since. Otherwise the check of the body applies. */
export function resultWhenRecorded(check: SignatureCheck, recorded: RecordedSignature | undefined): SignatureCheck {
  if (recorded?.is_masked !== true) return check
  const { signedAt } = check
  const signed = signedAt === undefined ? {} : { signedAt }
  if (recorded.result === 'valid') return { signature: 'valid_when_recorded', ...signed }
  if (recorded.result === 'unchecked') return { signature: 'unchecked', cause: BODY_MASKED, ...signed }
  const { cause = 'unknown', why = '' } = recorded
  return { signature: 'invalid', cause, why: `${why} This was checked when it was recorded.`.trim(), ...signed }
}

/** Returns the check of a webhook to record, or `undefined` for other requests. */
export function checkToRecord(
  check: SignatureChecker,
  headers: HeaderList,
  body: Buffer,
): Omit<RecordedSignature, 'is_masked'> | undefined {
  const header = headerIn(headers, SIGNATURE_HEADER)
  const text = isUtf8(body) ? body.toString('utf8') : ''
  if (header === undefined || eventNamesOf(text) === undefined) return undefined
  const { signature, cause, why } = check(text, header)
  if (signature !== 'invalid') return { result: signature === 'valid' ? 'valid' : 'unchecked' }
  return { result: signature, cause, why }
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
