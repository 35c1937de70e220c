// Spec 6.1 and 5.5: every known reason why a signature does not fit, in the order in which they are tried.
import { isDeepStrictEqual } from 'node:util'
import { equalText, hmacHex } from '../domain/hmac.ts'
import { MENDS } from '../domain/receiver-advice.ts'
import { BODY_TRIES, candidates } from './explain-bodies.ts'
import { type ExplainCase, type ExplainedCause, fitsHeader, type KnownSecret } from './explain-case.ts'
import { lostBody } from './lost-bodies.ts'
import { secretKind } from './secret.ts'
import { isMilliseconds, MILLISECONDS } from './signature-header.ts'

export interface Finding {
  readonly cause: ExplainedCause
  /** Cause and next step. */
  readonly message: string
}

type Attempt = (known: ExplainCase) => Finding | undefined

/** Each one is pure. The first that finds something wins, so the surest come first. */
export const ATTEMPTS: readonly Attempt[] = [
  onlyV1Given,
  timestampLeftOut,
  timestampInMilliseconds,
  timestampChanged,
  bodyChangedOnTheWay,
  bodyLostOnTheWay,
  storedBodyFits,
  anotherSecretFits,
  secretOfTheOtherKind,
]

function onlyV1Given({ header, given, body }: ExplainCase): Finding | undefined {
  if (header.form !== 'timed' || header.v2 !== undefined) return undefined
  const fits = given.some((secret) => equalText(hmacHex(secret, body), header.v1 ?? ''))
  const about = fits ? 'v1= fits the body, but it does not prove the time' : 'v1= does not fit the body either'
  return {
    cause: 'v1_for_v2',
    message: `The header has v1= and no v2=: ${about}. ${MENDS.v2}`,
  }
}

function timestampLeftOut({ header, given, body }: ExplainCase): Finding | undefined {
  if (header.form !== 'timed') return undefined
  if (!given.some((secret) => equalText(hmacHex(secret, body), header.v2 ?? ''))) return undefined
  return {
    cause: 'missing_timestamp_prefix',
    message: `v2= was made over the body alone. ${MENDS.timestamp_prefix}`,
  }
}

function timestampInMilliseconds({ header, given, body }: ExplainCase): Finding | undefined {
  if (header.form !== 'timed') return undefined
  const other = isMilliseconds(header.t) ? header.t.slice(0, -3) : `${header.t}000`
  return given.some((secret) => fitsHeader(header, secret, body, other))
    ? { cause: 'milliseconds', message: MILLISECONDS }
    : undefined
}

function timestampChanged({ header, given, body }: ExplainCase): Finding | undefined {
  if (header.form !== 'timed') return undefined
  if (!given.some((secret) => equalText(hmacHex(secret, body), header.v1 ?? ''))) return undefined
  return {
    cause: 'tampered',
    message: 'v1= fits and v2= does not: body and secret are right, t= was changed after signing. Refuse it.',
  }
}

function bodyChangedOnTheWay({ header, given, body }: ExplainCase): Finding | undefined {
  for (const { tried, body: signed } of candidates(body)) {
    if (given.some((secret) => fitsHeader(header, secret, signed)))
      return { cause: tried.cause, message: tried.message }
  }
  return undefined
}

/** The body of a request to the service may be empty, or `{}`. */
function bodyLostOnTheWay({ purpose, body, stored }: ExplainCase): Finding | undefined {
  const lost = purpose === 'webhook' ? lostBody(body, stored) : undefined
  return lost && { cause: lost.cause, message: lost.message }
}

function storedBodyFits({ header, given, body, stored }: ExplainCase): Finding | undefined {
  if (stored === undefined || !given.some((secret) => fitsHeader(header, secret, stored))) return undefined
  const reserialised = BODY_TRIES.find((tried) => tried.cause === 'reserialised')
  if (reserialised !== undefined && sameJson(body, stored))
    return { cause: 'reserialised', message: reserialised.message }
  return {
    cause: 'tampered',
    message: "The signature fits the event's stored bytes: this body was changed after signing. Refuse it.",
  }
}

function sameJson(a: Buffer, b: Buffer): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(a.toString()), JSON.parse(b.toString()))
  } catch {
    return false
  }
}

function anotherSecretFits(tried: ExplainCase): Finding | undefined {
  const fitting = tried.known.find(
    ({ secret }) => !tried.given.includes(secret) && fitsHeader(tried.header, secret, tried.body),
  )
  return fitting === undefined ? undefined : aboutSecret(tried, fitting)
}

function aboutSecret({ purpose, given, known }: ExplainCase, fitting: KnownSecret): Finding {
  const kinds = given.map((secret) => known.find((one) => one.secret === secret)?.kind ?? secretKind(secret))
  const wrong = (kind: KnownSecret['kind'] | undefined) =>
    kind !== undefined && SIGNS_REQUESTS.includes(kind) !== (purpose === 'request')
  const fits = `the body was signed with the secret of ${fitting.label}`
  if (wrong(fitting.kind)) {
    return { cause: 'wrong_secret_kind', message: `The signer used the wrong kind of secret: ${fits}. ${KINDS}` }
  }
  if (kinds.length > 0 && kinds.every(wrong)) {
    return { cause: 'wrong_secret_kind', message: `The secret given is of the wrong kind: ${fits}. ${KINDS}` }
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

const KINDS = MENDS.secret_kind
const SIGNS_REQUESTS: readonly KnownSecret['kind'][] = ['signing', 'former_signing']

function secretOfTheOtherKind({ purpose, given }: ExplainCase): Finding | undefined {
  const wrong = purpose === 'request' ? 'webhook' : 'signing'
  if (given.length === 0 || !given.every((secret) => secretKind(secret) === wrong)) return undefined
  return { cause: 'wrong_secret_kind', message: `The secret given is of the wrong kind. ${KINDS}` }
}
