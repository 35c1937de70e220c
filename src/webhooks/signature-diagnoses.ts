// Spec 6.1 and 5.5: every known reason why a signature does not fit, in the order in which they are tried.
import { isDeepStrictEqual } from 'node:util'
import { equalText, hmacHex } from '../domain/hmac.ts'
import { MENDS } from '../domain/receiver-advice.ts'
import { BODY_TRANSFORMS, candidateBodies } from './body-transforms.ts'
import { detectDamagedBody } from './damaged-body.ts'
import { type DiagnosisInput, type ExplainedCause, type KnownSecret, matchesHeader } from './diagnosis-input.ts'
import { secretKind } from './secret.ts'
import { isMilliseconds, MILLISECONDS_MESSAGE } from './signature-header.ts'

export interface Finding {
  readonly cause: ExplainedCause
  /** Cause and next step. */
  readonly message: string
}

type Diagnosis = (known: DiagnosisInput) => Finding | undefined

/** Each one is pure. The first that finds something wins, so the surest come first. */
export const DIAGNOSES: readonly Diagnosis[] = [
  diagnoseMissingV2,
  diagnoseUnsignedTimestamp,
  diagnoseMilliseconds,
  diagnoseChangedTimestamp,
  diagnoseTransformedBody,
  diagnoseDamagedBody,
  diagnoseByStoredBody,
  diagnoseOtherSecret,
  diagnoseSecretKind,
]

function diagnoseMissingV2({ header, given, body }: DiagnosisInput): Finding | undefined {
  if (header.form !== 'timed' || header.v2 !== undefined) return undefined
  const fits = given.some((secret) => equalText(hmacHex(secret, body), header.v1 ?? ''))
  const about = fits ? 'v1= fits the body, but it does not prove the time' : 'v1= does not fit the body either'
  return {
    cause: 'v1_for_v2',
    message: `The header has v1= and no v2=: ${about}. ${MENDS.v2}`,
  }
}

function diagnoseUnsignedTimestamp({ header, given, body }: DiagnosisInput): Finding | undefined {
  if (header.form !== 'timed') return undefined
  if (!given.some((secret) => equalText(hmacHex(secret, body), header.v2 ?? ''))) return undefined
  return {
    cause: 'missing_timestamp_prefix',
    message: `v2= was made over the body alone. ${MENDS.timestamp_prefix}`,
  }
}

function diagnoseMilliseconds({ header, given, body }: DiagnosisInput): Finding | undefined {
  if (header.form !== 'timed') return undefined
  const other = isMilliseconds(header.t) ? header.t.slice(0, -3) : `${header.t}000`
  return given.some((secret) => matchesHeader(header, secret, body, other))
    ? { cause: 'milliseconds', message: MILLISECONDS_MESSAGE }
    : undefined
}

function diagnoseChangedTimestamp({ header, given, body }: DiagnosisInput): Finding | undefined {
  if (header.form !== 'timed') return undefined
  if (!given.some((secret) => equalText(hmacHex(secret, body), header.v1 ?? ''))) return undefined
  return {
    cause: 'tampered',
    message: 'v1= fits and v2= does not: body and secret are right, t= was changed after signing. Refuse it.',
  }
}

function diagnoseTransformedBody({ header, given, body }: DiagnosisInput): Finding | undefined {
  for (const { tried, body: signed } of candidateBodies(body)) {
    if (given.some((secret) => matchesHeader(header, secret, signed)))
      return { cause: tried.cause, message: tried.message }
  }
  return undefined
}

/** The body of a request to the service may be empty, or `{}`. */
function diagnoseDamagedBody({ purpose, body, stored }: DiagnosisInput): Finding | undefined {
  const lost = purpose === 'webhook' ? detectDamagedBody(body, stored) : undefined
  return lost && { cause: lost.cause, message: lost.message }
}

function diagnoseByStoredBody({ header, given, body, stored }: DiagnosisInput): Finding | undefined {
  if (stored === undefined || !given.some((secret) => matchesHeader(header, secret, stored))) return undefined
  const reserialised = BODY_TRANSFORMS.find((tried) => tried.cause === 'reserialised')
  if (reserialised !== undefined && isSameJson(body, stored))
    return { cause: 'reserialised', message: reserialised.message }
  return {
    cause: 'tampered',
    message: "The signature fits the event's stored bytes: this body was changed after signing. Refuse it.",
  }
}

function isSameJson(a: Buffer, b: Buffer): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(a.toString()), JSON.parse(b.toString()))
  } catch {
    return false
  }
}

function diagnoseOtherSecret(tried: DiagnosisInput): Finding | undefined {
  const fitting = tried.known.find(
    ({ secret }) => !tried.given.includes(secret) && matchesHeader(tried.header, secret, tried.body),
  )
  return fitting === undefined ? undefined : describeMatchingSecret(tried, fitting)
}

function describeMatchingSecret({ purpose, given, known }: DiagnosisInput, fitting: KnownSecret): Finding {
  const kinds = given.map((secret) => known.find((one) => one.secret === secret)?.kind ?? secretKind(secret))
  const wrong = (kind: KnownSecret['kind'] | undefined) =>
    kind !== undefined && REQUEST_SECRET_KINDS.includes(kind) !== (purpose === 'request')
  const fits = `the body was signed with the secret of ${fitting.label}`
  if (wrong(fitting.kind)) {
    return { cause: 'wrong_secret_kind', message: `The signer used the wrong kind of secret: ${fits}. ${KIND_FIX}` }
  }
  if (kinds.length > 0 && kinds.every(wrong)) {
    return { cause: 'wrong_secret_kind', message: `The secret given is of the wrong kind: ${fits}. ${KIND_FIX}` }
  }
  const isFormer = (kind: KnownSecret['kind'] | undefined) => kind === 'former' || kind === 'former_signing'
  if (isFormer(fitting.kind)) {
    const next = purpose === 'request' ? 'Sign with the new one.' : 'Replay the event to get a fresh signature.'
    return { cause: 'rotated_secret', message: `The secret was rotated since: ${fits}. ${next}` }
  }
  if (kinds.some(isFormer)) {
    return {
      cause: 'rotated_secret',
      message: `The secret given was rotated away: ${fits}. Set the new one where you verify.`,
    }
  }
  return {
    cause: 'wrong_secret',
    message: `The secret given is another one: ${fits}. ${MENDS.secret}`,
  }
}

const KIND_FIX = MENDS.secret_kind
const REQUEST_SECRET_KINDS: readonly KnownSecret['kind'][] = ['signing', 'former_signing']

function diagnoseSecretKind({ purpose, given }: DiagnosisInput): Finding | undefined {
  const wrong = purpose === 'request' ? 'webhook' : 'signing'
  if (given.length === 0 || !given.every((secret) => secretKind(secret) === wrong)) return undefined
  return { cause: 'wrong_secret_kind', message: `The secret given is of the wrong kind. ${KIND_FIX}` }
}
