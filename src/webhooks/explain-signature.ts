// Spec 6.1 and 5.5: explains why a signature does not match, and names the next step.
import { requireOptions, requireRawBody } from './argument-checks.ts'
import { type DiagnosisInput, type ExplainedCause, type KnownSecret, matchesHeader } from './diagnosis-input.ts'
import { normalizeSecret } from './secret.ts'
import { diagnose } from './signature-diagnoses.ts'
import { isMilliseconds, MILLISECONDS_MESSAGE, parseSignatureHeader, type SignatureHeader } from './signature-header.ts'
import { checkTimes, timestampIssue, type VerifyOptions } from './verify-webhook.ts'

export type { ExplainedCause, KnownSecret }

/** The signature to explain. `tolerance` and `now` are those of `verifyWebhook`. */
export interface ExplainInput extends Omit<VerifyOptions, 'allowV1'> {
  /** The received body, byte for byte. */
  readonly rawBody: Uint8Array | string
  /** The value of the header, or `undefined` if it was missing. */
  readonly header: string | undefined
  /** The secrets that should match. If empty, the known secrets of the right kind are used. */
  readonly secrets: readonly string[]
  /** Other secrets to try, so that a wrong secret can be identified. */
  readonly known?: readonly KnownSecret[]
  /** The bytes that the sandbox signed for this event. */
  readonly storedBody?: Uint8Array | string | undefined
  /** `request` for a request to the service, signed as `sha256=` with the signing secret. The default is `webhook`. */
  readonly purpose?: 'webhook' | 'request'
}

/** The result: valid, or the cause and a message that includes the next step. */
export type Explanation =
  | { readonly valid: true; readonly version: 'v1' | 'v2'; readonly message: string }
  | { readonly valid: false; readonly cause: ExplainedCause; readonly message: string }

/**
 * Verifies a signature. If it does not match, tries common mistakes until one explains it.
 * A v1 signature is valid, with a note. Reads the system clock unless `now` is given, and has no other side effect.
 * @throws {WebhookSecretError} if a given secret is unusable, TypeError and RangeError for other invalid arguments
 */
export function explainSignature(input: ExplainInput): Explanation {
  checkInput(input)
  const { purpose = 'webhook' } = input
  if (input.header === undefined)
    return malformed(`The signature header is missing. It must be ${expectedFormat(purpose)}`)
  const header = parseSignatureHeader(input.header)
  if (header.format === 'malformed')
    return malformed(`The header is malformed: ${header.problem}. It must be ${expectedFormat(purpose)}`)
  if (purpose === 'request' && header.format !== 'v1')
    return malformed(`This is the header of a webhook, not of a request. It must be ${expectedFormat(purpose)}`)
  const diagnosisInput = toDiagnosisInput(input, purpose, header)
  if (diagnosisInput.given.some((secret) => matchesHeader(header, secret, diagnosisInput.body)))
    return explainMatch(header, purpose, input)
  const finding = diagnose(diagnosisInput) ?? { cause: 'mismatch', message: mismatchMessage(diagnosisInput) }
  return { valid: false, ...finding }
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
  requireOptions('explainSignature', input, INPUT_FIELDS, '{ rawBody, header, secrets }')
  requireRawBody('explainSignature', input.rawBody)
  checkTimes(input)
  const { header, secrets } = input
  if (header !== undefined && typeof header !== 'string')
    throw new TypeError('header: expected the value of X-PSP-Signature, or undefined if it is missing.')
  if (!Array.isArray(secrets)) throw new TypeError('secrets: expected a list of secrets.')
}

function mismatchMessage({ given, known }: DiagnosisInput): string {
  const others = known.filter(({ secret }) => !given.includes(secret)).length
  const secrets =
    others === 0
      ? 'the secret'
      : `the secret or with ${others === 1 ? 'the other secret' : `any of the ${others} other secrets`} of this sandbox`
  return `Probably the secret is wrong or the body was changed: the signature was not made from these bytes, or a common variant of them, with ${secrets}. Use the secret of the endpoint that received the webhook, and the raw bytes as received.`
}

function expectedFormat(purpose: 'webhook' | 'request'): string {
  const v1Format = 'sha256=<64 lower-case hex digits>'
  return purpose === 'request'
    ? `${v1Format} with the shop's thm_ secret.`
    : `t=<unix seconds>,v1=<hex>,v2=<hex>, or ${v1Format}.`
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
  const expectedKind = purpose === 'request' ? 'signing' : 'webhook'
  const given =
    input.secrets.length > 0
      ? input.secrets
      : known.filter(({ kind }) => kind === expectedKind).map(({ secret }) => secret)
  return {
    purpose,
    header,
    body: Buffer.from(input.rawBody as Uint8Array),
    given: given.map(normalizeSecret),
    known,
    ...(input.storedBody !== undefined && { stored: Buffer.from(input.storedBody as Uint8Array) }),
  }
}

function explainMatch(header: SignatureHeader, purpose: 'webhook' | 'request', options: ExplainInput): Explanation {
  if (purpose === 'request') return { valid: true, version: 'v1', message: 'The request signature matches.' }
  if (header.format === 'v1') {
    return {
      valid: true,
      version: 'v1',
      message: 'The v1 signature matches. It has no replay protection, so prefer v2.',
    }
  }
  if (isMilliseconds(header.t)) return { valid: false, cause: 'milliseconds', message: MILLISECONDS_MESSAGE }
  const issue = timestampIssue(Number(header.t), options)
  if (issue !== undefined) return { valid: false, cause: issue.reason, message: issue.message }
  return { valid: true, version: 'v2', message: 'The signature matches and its time is within the tolerance.' }
}
