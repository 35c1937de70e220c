// Spec 6.1 and 5.5: why a signature does not fit, in words that name the next step.
import { checkOptions, requireRawBody } from './argument-checks.ts'
import { type DiagnosisInput, type ExplainedCause, type KnownSecret, matchesHeader } from './diagnosis-input.ts'
import { normalizeSecret } from './secret.ts'
import { DIAGNOSES } from './signature-diagnoses.ts'
import { isMilliseconds, MILLISECONDS_MESSAGE, parseSignatureHeader, type SignatureHeader } from './signature-header.ts'
import { checkTimes, timestampIssue, type VerifyOptions } from './verify-webhook.ts'

export type { ExplainedCause, KnownSecret }

/** A signature to be explained; `tolerance` and `now` as of `verifyWebhook`. */
export interface ExplainInput extends Omit<VerifyOptions, 'allowV1'> {
  /** The body at hand, byte for byte. */
  readonly rawBody: Uint8Array | string
  /** The value of the header; `undefined` where there was none. */
  readonly header: string | undefined
  /** The secrets that should fit; with none, the known ones of the right kind. */
  readonly secrets: readonly string[]
  /** Other secrets to try, so that a mix-up can be named. */
  readonly known?: readonly KnownSecret[]
  /** The bytes the sandbox stored for this event. */
  readonly storedBody?: Uint8Array | string | undefined
  /** `request`: the signature of a request to the service, `sha256=` with the shop secret. `webhook` where absent. */
  readonly purpose?: 'webhook' | 'request'
}

/** Valid, or the cause; `message` names the next step, too. */
export type Explanation =
  | { readonly valid: true; readonly version: 'v1' | 'v2'; readonly message: string }
  | { readonly valid: false; readonly cause: ExplainedCause; readonly message: string }

/**
 * Verifies a signature and, where it does not fit, tries what usually goes wrong until something does.
 * A v1 signature is valid, with a note. Pure apart from the clock, which `now` replaces.
 * @throws {WebhookSecretError} when a given secret is unusable, TypeError and RangeError for other slips in the call
 */
export function explainSignature(input: ExplainInput): Explanation {
  checkInput(input)
  const { purpose = 'webhook' } = input
  if (input.header === undefined) return malformed(`There is no signature header: ${expectedForm(purpose)}`)
  const header = parseSignatureHeader(input.header)
  if (header.form === 'malformed')
    return malformed(`The header cannot be read: ${header.problem}. It must be ${expectedForm(purpose)}`)
  if (purpose === 'request' && header.form !== 'v1')
    return malformed(`This is the form of a webhook. It must be ${expectedForm(purpose)}`)
  const tried = toDiagnosisInput(input, purpose, header)
  if (tried.given.some((secret) => matchesHeader(header, secret, tried.body)))
    return explainMatch(header, purpose, input)
  for (const attempt of DIAGNOSES) {
    const found = attempt(tried)
    if (found !== undefined) return { valid: false, ...found }
  }
  return { valid: false, cause: 'mismatch', message: mismatchMessage(tried) }
}

const INPUT_FIELDS = {
  rawBody: true,
  header: true,
  secrets: true,
  known: true,
  storedBody: true,
  purpose: true,
  tolerance: true,
  now: true,
} satisfies Record<keyof ExplainInput, true>

function checkInput(input: ExplainInput): void {
  checkOptions('explainSignature', input, INPUT_FIELDS, '{ rawBody, header, secrets }')
  requireRawBody('explainSignature', input.rawBody)
  checkTimes(input)
  const { header, secrets } = input
  if (header !== undefined && typeof header !== 'string')
    throw new TypeError('header: expected the value of X-PSP-Signature, or undefined where there was none.')
  if (!Array.isArray(secrets)) throw new TypeError('secrets: expected a list of secrets.')
}

function mismatchMessage({ given, known }: DiagnosisInput): string {
  const others = known.filter(({ secret }) => !given.includes(secret)).length
  const secrets =
    others === 0
      ? 'the secret'
      : `the secret, nor with ${others === 1 ? 'the other one' : `one of the ${others} others`} this sandbox knows`
  return `Most likely the secret is another one, or the body is: this signature was not made with ${secrets}, over these bytes or any usual change of them. Take the secret of the endpoint that got the webhook, and the raw bytes as they came.`
}

function expectedForm(purpose: 'webhook' | 'request'): string {
  const plain = 'sha256=<64 lower-case hex digits>.'
  return purpose === 'request'
    ? `${plain.slice(0, -1)} with the shop's thm_ secret.`
    : `t=<unix seconds>,v1=<hex>,v2=<hex>, or ${plain}`
}

function malformed(message: string): Explanation {
  return { valid: false, cause: 'malformed_header', message }
}

function toDiagnosisInput(
  input: ExplainInput,
  purpose: 'webhook' | 'request',
  header: SignatureHeader,
): DiagnosisInput {
  const known = input.known ?? []
  const usual = purpose === 'request' ? 'signing' : 'webhook'
  const given =
    input.secrets.length > 0 ? input.secrets : known.filter(({ kind }) => kind === usual).map(({ secret }) => secret)
  return {
    purpose,
    header,
    body: Buffer.from(input.rawBody as Uint8Array),
    given: given.map(normalizeSecret),
    known,
    ...(input.storedBody === undefined ? {} : { stored: Buffer.from(input.storedBody as Uint8Array) }),
  }
}

function explainMatch(header: SignatureHeader, purpose: 'webhook' | 'request', options: ExplainInput): Explanation {
  if (purpose === 'request') return { valid: true, version: 'v1', message: 'The request signature fits.' }
  if (header.form === 'v1') {
    return { valid: true, version: 'v1', message: 'The v1 signature fits. It has no replay protection: prefer v2.' }
  }
  if (isMilliseconds(header.t)) return { valid: false, cause: 'milliseconds', message: MILLISECONDS_MESSAGE }
  const late = timestampIssue(Number(header.t), options)
  if (late !== undefined) return { valid: false, cause: late.reason, message: late.message }
  return { valid: true, version: 'v2', message: 'The signature fits and its time is fresh.' }
}
