// Spec 6.1, Receiver rules: compares raw bytes in constant time and limits the age of the timestamp in both directions.
import type { WebhookEventName } from '../domain/events.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicPayout } from '../domain/payout.ts'
import type { SignatureVersion } from '../domain/signatures.ts'
import { equalText, hmacHex } from '../domain/signatures.ts'
import { durationInWords, parseDuration } from '../domain/time.ts'
import { requireOptions, requireRawBody } from './argument-checks.ts'
import { detectDamagedBody } from './body-transforms.ts'
import { EXPECTED_HEADERS, findHeaderValue, type HeadersLike } from './header-value.ts'
import { normalizeSecrets, type SecretInput, secretKind } from './secret.ts'
import { isMilliseconds, MILLISECONDS_MESSAGE, parseSignatureHeader } from './signature-header.ts'

interface Message<Name extends WebhookEventName, Data> {
  /** `evt_…`, the same on every retry. Store it, and handle each id once. */
  readonly id: string
  readonly event: Name
  /** RFC 3339 in UTC. */
  readonly created_at: string
  /** The complete object at the time of the event. */
  readonly data: Data
}

/** The body of a webhook. A later version of the service may send other event names. Respond with 2xx to them too. */
export type WebhookMessage =
  | Message<Extract<WebhookEventName, `payment.${string}`>, PublicPayment>
  | Message<Extract<WebhookEventName, `payout.${string}`>, PublicPayout>

/** The options of `verifyWebhook`. */
export interface VerifyOptions {
  /** The maximum distance of `t=` from now: a duration such as `'5m'`, or ms such as 300_000. Default: 5 minutes. */
  readonly tolerance?: number | string
  /** The current time in ms since the Unix epoch. The default is the system time. */
  readonly now?: number
  /** Also accepts `sha256=…`, which has no protection against replays. Use it only for endpoints set to v1. */
  readonly allowV1?: boolean
}

/** The reason why a webhook is invalid. */
export type VerifyFailure =
  | 'missing_header'
  | 'malformed_header'
  | 'v1_not_allowed'
  | 'mismatch'
  | 'stale'
  | 'future'
  | 'malformed_body'

/** The message with its id, or the reason why the webhook is invalid. If it is invalid, respond with 400. */
export type VerifyResult =
  | {
      readonly valid: true
      readonly event: WebhookMessage
      readonly id: string
      /** The time of signing in Unix seconds. A v1 signature has none. */
      readonly timestamp?: number
      readonly version: SignatureVersion
    }
  | {
      readonly valid: false
      readonly reason: VerifyFailure
      /** The problem and the next step, for your log. */
      readonly message: string
    }

const DEFAULT_TOLERANCE = 5 * 60 * 1000

/**
 * Verifies a webhook. Call it before you use anything from the body.
 *
 * @param rawBody the bytes as received, before any JSON parser.
 * @param headers the headers of the request, as your framework has them, or only the value of `X-PSP-Signature`.
 * @param secret the `whs_…` secret of the endpoint, or a list of secrets during a rotation.
 * @throws {WebhookSecretError} if the secret is unusable, TypeError and RangeError for other invalid arguments. It
 * never throws because of the content of the request
 * @example const result = verifyWebhook(await readBody(req), req.headers, process.env.PSP_WEBHOOK_SECRET) if
 * (!result.valid) return res.writeHead(400).end(result.message)
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  headers: HeadersLike,
  secret: SecretInput,
  options: VerifyOptions = {},
): VerifyResult {
  requireRawBody('verifyWebhook', rawBody)
  checkVerifyOptions(options)
  const secrets = normalizeSecrets(secret)
  requireOrder(headers, secrets)
  const value = findHeaderValue(headers, 'x-psp-signature')
  if (value === undefined)
    return failure('missing_header', 'The X-PSP-Signature header is missing, so this is not a webhook from psp.')
  const header = parseSignatureHeader(value)
  if (header.format === 'malformed')
    return failure('malformed_header', `X-PSP-Signature is malformed: ${header.problem}.`)
  if (header.format === 'v1') {
    if (!options.allowV1) return failure('v1_not_allowed', V1_NOT_ALLOWED)
    return matchesAnySecret(secrets, header.v1, rawBody)
      ? acceptMessage(rawBody, 'v1')
      : mismatchFailure(secrets, rawBody)
  }
  if (header.v2 === undefined)
    return failure('malformed_header', 'X-PSP-Signature has no v2=, and only v2= proves the time.')
  if (!matchesAnySecret(secrets, header.v2, `${header.t}.`, rawBody)) return mismatchFailure(secrets, rawBody)
  return timestampIssue(Number(header.t), options) ?? acceptMessage(rawBody, 'v2', Number(header.t))
}

const V1_NOT_ALLOWED =
  'The webhook is signed with v1 (sha256=…), which does not protect against replays. Set the endpoint to v2, or pass allowV1.'

const OPTION_NAMES = { tolerance: true, now: true, allowV1: true } satisfies Record<keyof VerifyOptions, true>

/**
 * Rejects swapped arguments. It also checks `secrets`, because a client can send a header that looks like a secret.
 * @throws TypeError
 */
function requireOrder(headers: HeadersLike, secrets: readonly string[]): void {
  if (typeof headers !== 'string' || secretKind(headers) === undefined) return
  if (secrets.every((secret) => parseSignatureHeader(secret).format === 'malformed')) return
  throw new TypeError(
    `headers: ${EXPECTED_HEADERS}, got a secret. The order is verifyWebhook(rawBody, headers, secret).`,
  )
}

/** Also rejects a number, which is the tolerance in other libraries. Ignored, it would mean 5 minutes. */
function checkVerifyOptions(options: VerifyOptions): void {
  requireOptions('verifyWebhook', options, OPTION_NAMES, "{ tolerance: '10s' }")
  checkTimes(options)
  const { allowV1 } = options
  if (allowV1 !== undefined && typeof allowV1 !== 'boolean') throw new TypeError('allowV1: expected true or false.')
}

/**
 * Rejects times that are not numbers. Compared with NaN no signature is too old, so every replay would be valid.
 * @throws TypeError, RangeError
 */
export function checkTimes({ now, tolerance = DEFAULT_TOLERANCE }: Pick<VerifyOptions, 'now' | 'tolerance'>): void {
  parseTolerance(tolerance)
  if (now !== undefined && !Number.isFinite(now))
    throw new TypeError('now: expected a number of ms since the Unix epoch.')
}

function matchesAnySecret(
  secrets: readonly string[],
  hash: string,
  ...signed: readonly (Uint8Array | string)[]
): boolean {
  let matches = false
  for (const secret of secrets) if (equalText(hmacHex(secret, ...signed), hash)) matches = true
  return matches
}

/** Returns the failure if `timestamp` (Unix seconds) is further from now than the tolerance. */
export function timestampIssue(
  timestamp: number,
  { tolerance: toleranceInput = DEFAULT_TOLERANCE, now }: VerifyOptions,
) {
  const tolerance = parseTolerance(toleranceInput)
  const age = (now ?? Date.now()) - timestamp * 1000
  if (age > tolerance)
    return failure(
      'stale',
      `The webhook was signed ${formatAge(age)} ago, more than ${describeTolerance(tolerance)}. It is a replay, or this clock is ahead.`,
    )
  if (-age <= tolerance) return undefined
  if (isMilliseconds(String(timestamp))) return failure('future', MILLISECONDS_MESSAGE)
  return failure(
    'future',
    `The webhook was signed ${formatAge(-age)} ahead of this clock, more than ${describeTolerance(tolerance)}. Synchronize the clock (NTP).`,
  )
}

function parseTolerance(tolerance: number | string): number {
  const ms = typeof tolerance === 'string' ? parseDuration(tolerance) : tolerance
  if (typeof ms === 'number' && ms >= 0) return ms
  throw new RangeError(
    `tolerance: expected a duration such as '5m', or a number of ms such as 300_000, got ${tolerance}.`,
  )
}

/** Adds the unit for a small tolerance, because 300 is usually meant as seconds. */
function describeTolerance(tolerance: number): string {
  const unit = tolerance > 0 && tolerance < 1000 ? ' (numbers are in ms)' : ''
  return `the tolerance of ${formatAge(tolerance)}${unit}`
}

const EXACT_BELOW = 7_200_000

/** Formats short ages exactly, so that they can be compared with the tolerance. Long ages get a rounded unit. */
function formatAge(ms: number): string {
  if (ms >= EXACT_BELOW) return durationInWords(ms)
  return ms > 0 && ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`
}

function acceptMessage(rawBody: Uint8Array | string, version: SignatureVersion, timestamp?: number): VerifyResult {
  const event = readMessage(rawBody)
  if (event === undefined)
    return failure('malformed_body', 'The signature matches, but the body is not a webhook with id, event and data.')
  return { valid: true, event, id: event.id, version, ...omitUndefined({ timestamp }) }
}

function readMessage(rawBody: Uint8Array | string): WebhookMessage | undefined {
  try {
    const parsed = JSON.parse(typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString())
    return typeof parsed?.id === 'string' && typeof parsed.event === 'string' ? parsed : undefined
  } catch {
    return undefined
  }
}

function mismatchFailure(secrets: readonly string[], rawBody: Uint8Array | string): VerifyResult {
  const damage = detectDamagedBody(Buffer.from(rawBody as Uint8Array))
  if (damage !== undefined) return failure('mismatch', `The signature does not match. ${damage.message}`)
  const hint = secrets.every((secret) => secretKind(secret) === 'signing')
    ? 'The secret begins with thm_, which signs requests. Use the whs_… secret of the endpoint.'
    : 'Check that the body is the raw bytes and that the secret is the one of this endpoint. `psp verify --delivery ID --explain` finds the cause.'
  return failure('mismatch', `The signature does not match the body and the secret. ${hint}`)
}

function failure<R extends VerifyFailure>(reason: R, message: string) {
  return { valid: false, reason, message } as const
}
