// Spec 6.1 and 5.5: every known reason why a signature does not match.
import { isDeepStrictEqual } from 'node:util'
import { FIXES } from '../domain/remediation.ts'
import { equalText, hmacHex } from '../domain/signatures.ts'
import { candidateBodies, detectDamagedBody, RESERIALISED } from './body-transforms.ts'
import { type DiagnosisInput, type ExplainedFinding, type KnownSecret, matchesHeader } from './diagnosis-input.ts'
import { secretKind } from './secret.ts'
import { isMilliseconds, MILLISECONDS_MESSAGE, type SignatureHeader } from './signature-header.ts'

type TimedInput = DiagnosisInput & { readonly header: Extract<SignatureHeader, { format: 'timed' }> }
type Diagnosis<Input> = (input: Input) => ExplainedFinding | undefined

/** Returns the first finding. The most certain diagnoses come first. */
export function diagnose(input: DiagnosisInput): ExplainedFinding | undefined {
  const { header } = input
  const inHeader = header.format === 'timed' ? firstFinding(TIMED_HEADER_DIAGNOSES, { ...input, header }) : undefined
  return inHeader ?? firstFinding(DIAGNOSES, input)
}

function firstFinding<Input>(diagnoses: readonly Diagnosis<Input>[], input: Input): ExplainedFinding | undefined {
  for (const diagnosis of diagnoses) {
    const finding = diagnosis(input)
    if (finding !== undefined) return finding
  }
  return undefined
}

const TIMED_HEADER_DIAGNOSES: readonly Diagnosis<TimedInput>[] = [
  diagnoseMissingV2,
  diagnoseUnsignedTimestamp,
  diagnoseMilliseconds,
  diagnoseChangedTimestamp,
]

const DIAGNOSES: readonly Diagnosis<DiagnosisInput>[] = [
  diagnoseTransformedBody,
  diagnoseDamagedBody,
  diagnoseByStoredBody,
  diagnoseOtherSecret,
  diagnoseSecretKind,
]

function diagnoseMissingV2({ header, given, body }: TimedInput): ExplainedFinding | undefined {
  if (header.v2 !== undefined) return undefined
  const v1Result = isBodyHash(header.v1, given, body)
    ? 'v1= matches the body, but does not prove the time'
    : 'v1= does not match the body either'
  return {
    cause: 'v1_for_v2',
    message: `The header has v1= but no v2=. ${v1Result}. ${FIXES.v2}`,
  }
}

function diagnoseUnsignedTimestamp({ header, given, body }: TimedInput): ExplainedFinding | undefined {
  if (!isBodyHash(header.v2, given, body)) return undefined
  return {
    cause: 'missing_timestamp_prefix',
    message: `v2= signs the body without the timestamp. ${FIXES.timestamp_prefix}`,
  }
}

function diagnoseMilliseconds({ header, given, body }: TimedInput): ExplainedFinding | undefined {
  const otherUnit = isMilliseconds(header.t) ? header.t.slice(0, -3) : `${header.t}000`
  return given.some((secret) => matchesHeader(header, secret, body, otherUnit))
    ? { cause: 'milliseconds', message: MILLISECONDS_MESSAGE }
    : undefined
}

function diagnoseChangedTimestamp({ header, given, body }: TimedInput): ExplainedFinding | undefined {
  if (!isBodyHash(header.v1, given, body)) return undefined
  return {
    cause: 'tampered',
    message:
      'v1= matches and v2= does not, so body and secret are correct but t= was changed after signing. Reject the webhook.',
  }
}

/** Returns true if `hash` signs the body alone, without a time. */
function isBodyHash(hash: string | undefined, secrets: readonly string[], body: Buffer): boolean {
  return hash !== undefined && secrets.some((secret) => equalText(hmacHex(secret, body), hash))
}

function diagnoseTransformedBody({ header, given, body }: DiagnosisInput): ExplainedFinding | undefined {
  for (const { transform, body: signed } of candidateBodies(body)) {
    if (given.some((secret) => matchesHeader(header, secret, signed)))
      return { cause: transform.cause, message: transform.message }
  }
  return undefined
}

/** Checks webhooks only, because the body of a request to the service may be empty or `{}`. */
function diagnoseDamagedBody({ purpose, body, stored }: DiagnosisInput): ExplainedFinding | undefined {
  const damage = purpose === 'webhook' ? detectDamagedBody(body, stored) : undefined
  return damage && { cause: damage.cause, message: damage.message }
}

function diagnoseByStoredBody({ header, given, body, stored }: DiagnosisInput): ExplainedFinding | undefined {
  if (stored === undefined || !given.some((secret) => matchesHeader(header, secret, stored))) return undefined
  if (isDeepStrictEqual(parseBody(body), parseBody(stored))) return RESERIALISED
  return {
    cause: 'tampered',
    message:
      "The signature matches the event's stored bytes, so this body was changed after signing. Reject the webhook.",
  }
}

/** Returns the parsed body, or the body itself if it is not JSON. */
function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return body
  }
}

function diagnoseOtherSecret(input: DiagnosisInput): ExplainedFinding | undefined {
  const matching = input.known.find(
    ({ secret }) => !input.given.includes(secret) && matchesHeader(input.header, secret, input.body),
  )
  return matching === undefined ? undefined : describeMatchingSecret(input, matching)
}

function describeMatchingSecret({ purpose, given, known }: DiagnosisInput, matching: KnownSecret): ExplainedFinding {
  const kinds = given.map((secret) => known.find((entry) => entry.secret === secret)?.kind ?? secretKind(secret))
  const isWrongKind = (kind: KnownSecret['kind'] | undefined) =>
    kind !== undefined && REQUEST_SECRET_KINDS.includes(kind) !== (purpose === 'request')
  const match = `the body was signed with the secret of ${matching.label}`
  if (isWrongKind(matching.kind)) {
    return { cause: 'wrong_secret_kind', message: `The signer used the wrong kind of secret: ${match}. ${KIND_FIX}` }
  }
  if (kinds.length > 0 && kinds.every(isWrongKind)) {
    return { cause: 'wrong_secret_kind', message: `The given secret is of the wrong kind: ${match}. ${KIND_FIX}` }
  }
  const isFormer = (kind: KnownSecret['kind'] | undefined) => kind === 'former_webhook' || kind === 'former_signing'
  if (isFormer(matching.kind)) {
    const next = purpose === 'request' ? 'Sign with the new secret.' : 'Replay the event to get a new signature.'
    return { cause: 'rotated_secret', message: `The secret was rotated after signing: ${match}. ${next}` }
  }
  if (kinds.some(isFormer)) {
    return {
      cause: 'rotated_secret',
      message: `The given secret is from before a rotation: ${match}. Verify with the new secret.`,
    }
  }
  return {
    cause: 'wrong_secret',
    message: `The given secret is a different one: ${match}. ${FIXES.secret}`,
  }
}

const KIND_FIX = FIXES.secret_kind
const REQUEST_SECRET_KINDS: readonly KnownSecret['kind'][] = ['signing', 'former_signing']

function diagnoseSecretKind({ purpose, given }: DiagnosisInput): ExplainedFinding | undefined {
  const wrong = purpose === 'request' ? 'webhook' : 'signing'
  if (given.length === 0 || !given.every((secret) => secretKind(secret) === wrong)) return undefined
  return { cause: 'wrong_secret_kind', message: `The given secret is of the wrong kind. ${KIND_FIX}` }
}
