// Spec 6.1, Receiver rules: raw bytes, constant time, a timestamp that is fresh on both sides.
import type { WebhookEventName } from '../domain/events.ts'
import { equalText, hmacHex } from '../domain/hmac.ts'
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicPayout } from '../domain/payout.ts'
import { durationInWords, parseDuration } from '../domain/time.ts'
import type { SignatureVersion } from '../domain/webhook-signature.ts'
import { checkOptions, requireRawBody } from './argument-checks.ts'
import { detectDamagedBody } from './damaged-body.ts'
import { findHeaderValue, type HeadersLike } from './header-value.ts'
import { normalizeSecrets, type SecretInput, secretKind } from './secret.ts'
import { isMilliseconds, MILLISECONDS_MESSAGE, parseSignatureHeader } from './signature-header.ts'

interface Message<Name extends WebhookEventName, Data> {
  /** `evt_…`, the same on every retry: remember it, and handle each id once. */
  readonly id: string
  readonly event: Name
  /** RFC 3339 in UTC. */
  readonly created_at: string
  /** The whole object as it was at the time of the event. */
  readonly data: Data
}

/** A webhook's body. A later version of the service may send names that are not listed: answer 2xx to those too. */
export type WebhookMessage =
  | Message<Extract<WebhookEventName, `payment.${string}`>, PublicPayment>
  | Message<Extract<WebhookEventName, `payout.${string}`>, PublicPayout>

/** What may differ from call to call. */
export interface VerifyOptions {
  /** How old or how far ahead `t=` may be: a duration, `'5m'`, or a number of ms, 300_000; 5 minutes where absent. */
  readonly tolerance?: number | string
  /** The time to compare with, in ms since the Unix epoch; the machine's clock where absent. */
  readonly now?: number
  /** Also accept `sha256=…`, which has no protection against replays. Only for endpoints set to v1. */
  readonly allowV1?: boolean
}

/** What can be wrong with a webhook. */
export type VerifyFailure =
  | 'missing_header'
  | 'malformed_header'
  | 'v1_not_allowed'
  | 'mismatch'
  | 'stale'
  | 'future'
  | 'malformed_body'

/** The message with its id, or the reason why it is not to be believed. Answer 400 then. */
export type VerifyResult =
  | {
      readonly valid: true
      readonly event: WebhookMessage
      readonly id: string
      /** When it was signed, Unix seconds; a v1 signature does not say. */
      readonly timestamp?: number
      readonly version: SignatureVersion
    }
  | {
      readonly valid: false
      readonly reason: VerifyFailure
      /** What is wrong and what to look at, for your log. */
      readonly message: string
    }

const DEFAULT_TOLERANCE = 5 * 60 * 1000

/**
 * Checks a webhook before anything in it is believed.
 *
 * @param rawBody the bytes as they came, before any JSON parser
 * @param headers of the request, in any form; or the value of `X-PSP-Signature` alone
 * @param secret `whs_…` of the endpoint; a list while you change over from one to the next
 * @throws {WebhookSecretError} when the secret is unusable, TypeError and RangeError for other slips in the call; never
 * because of what the sender wrote
 * @example
 * const result = verifyWebhook(await readBody(req), req.headers, process.env.PSP_WEBHOOK_SECRET)
 * if (!result.valid) return res.writeHead(400).end(result.message)
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
  const text = findHeaderValue(headers, 'x-psp-signature')
  if (text === undefined)
    return failure('missing_header', 'There is no X-PSP-Signature header: this is no webhook of psp.')
  const header = parseSignatureHeader(text)
  if (header.form === 'malformed')
    return failure('malformed_header', `X-PSP-Signature cannot be read: ${header.problem}.`)
  if (header.form === 'v1') {
    if (!options.allowV1) return failure('v1_not_allowed', V1_NOT_ALLOWED)
    return matchesAnySecret(secrets, header.v1, rawBody)
      ? acceptMessage(rawBody, 'v1')
      : mismatchFailure(secrets, rawBody)
  }
  if (header.v2 === undefined)
    return failure('malformed_header', 'X-PSP-Signature has no v2=, which alone proves the time.')
  if (!matchesAnySecret(secrets, header.v2, `${header.t}.`, rawBody)) return mismatchFailure(secrets, rawBody)
  return timestampIssue(Number(header.t), options) ?? acceptMessage(rawBody, 'v2', Number(header.t))
}

const V1_NOT_ALLOWED =
  'The webhook is signed with v1 (sha256=…), which does not protect against replays. Set the endpoint to v2, or pass allowV1.'

const OPTION_NAMES = { tolerance: true, now: true, allowV1: true } satisfies Record<keyof VerifyOptions, true>

/** Other libraries take the tolerance itself in this place: dropped without a word, it would be five minutes. */
function checkVerifyOptions(options: VerifyOptions): void {
  checkOptions('verifyWebhook', options, OPTION_NAMES, "{ tolerance: '10s' }")
  checkTimes(options)
  const { allowV1 } = options
  if (allowV1 !== undefined && typeof allowV1 !== 'boolean') throw new TypeError('allowV1: expected true or false.')
}

/**
 * A time that is no number is neither early nor late: every replay would pass.
 * @throws TypeError, RangeError
 */
export function checkTimes({ now, tolerance = DEFAULT_TOLERANCE }: Pick<VerifyOptions, 'now' | 'tolerance'>): void {
  parseTolerance(tolerance)
  if (now !== undefined && !Number.isFinite(now))
    throw new TypeError('now: expected ms since the Unix epoch, a number.')
}

function matchesAnySecret(
  secrets: readonly string[],
  hash: string,
  ...signed: readonly (Uint8Array | string)[]
): boolean {
  let found = false
  for (const secret of secrets) if (equalText(hmacHex(secret, ...signed), hash)) found = true
  return found
}

/** `undefined` when `timestamp` (Unix seconds) is within the tolerance, on either side of now. */
export function timestampIssue(timestamp: number, { tolerance: given = DEFAULT_TOLERANCE, now }: VerifyOptions) {
  const tolerance = parseTolerance(given)
  const age = (now ?? Date.now()) - timestamp * 1000
  if (age > tolerance)
    return failure(
      'stale',
      `The webhook was signed ${formatAge(age)} ago, more than ${describeTolerance(tolerance)}: a replay, or this clock is ahead.`,
    )
  if (-age > tolerance && isMilliseconds(String(timestamp))) return failure('future', MILLISECONDS_MESSAGE)
  if (-age > tolerance)
    return failure(
      'future',
      `The webhook is signed ${formatAge(-age)} ahead of this clock, more than ${describeTolerance(tolerance)}: set the clock (NTP).`,
    )
  return undefined
}

function parseTolerance(given: number | string): number {
  const ms = typeof given === 'string' ? parseDuration(given) : given
  if (typeof ms === 'number' && ms >= 0) return ms
  throw new RangeError(`tolerance: expected a duration such as '5m', or a number of ms such as 300_000, got ${given}.`)
}

/** Whoever writes 300 means seconds: it is to be seen that they are none. */
function describeTolerance(tolerance: number): string {
  const unit = tolerance > 0 && tolerance < 1000 ? ' (a number is taken as ms)' : ''
  return `the tolerance of ${formatAge(tolerance)}${unit}`
}

const EXACT_BELOW = 7_200_000

/** What is compared with the tolerance is told exactly, what is far off in words. */
function formatAge(ms: number): string {
  if (ms >= EXACT_BELOW) return durationInWords(ms)
  return ms > 0 && ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`
}

function acceptMessage(rawBody: Uint8Array | string, version: SignatureVersion, timestamp?: number): VerifyResult {
  const event = readMessage(rawBody)
  if (event === undefined)
    return failure('malformed_body', 'The signature fits, but the body is no webhook: {id, event, data}.')
  return { valid: true, event, id: event.id, version, ...(timestamp === undefined ? {} : { timestamp }) }
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
  const lost = detectDamagedBody(Buffer.from(rawBody as Uint8Array))
  if (lost !== undefined) return failure('mismatch', `The signature does not fit. ${lost.message}`)
  const hint = secrets.every((secret) => secretKind(secret) === 'signing')
    ? 'The secret begins with thm_, which signs requests; webhooks are signed with whs_….'
    : "Check that the body is the raw bytes and that the secret is this endpoint's; psp verify --explain names the cause."
  return failure('mismatch', `The signature does not fit body and secret. ${hint}`)
}

function failure<R extends VerifyFailure>(reason: R, message: string) {
  return { valid: false, reason, message } as const
}
