// The output lines of `psp listen`.

import type { ClockView } from '../../../client/clock-types.ts'
import type { DeliveryState, ListenerDelivery } from '../../../client/listener-types.ts'
import { countOf } from '../../../domain/count-text.ts'
import { headerValue, type RecordedBody } from '../../../domain/delivery.ts'
import { isAccepted } from '../../../domain/http-response.ts'
import { causeAndAdvice } from '../../../domain/receiver-failures.ts'
import { durationInWords } from '../../../domain/time.ts'
import { formatElapsed, formatTimeOfDay, formatUtc } from '../../../domain/time-text.ts'
import { sanitizeLine, sanitizeText, truncateChars } from '../../../terminal/sanitize.ts'
import { type Paint, paintHttp } from '../../output/colour.ts'
import { objectText, wholeLines, wrapBlock } from '../../output/lines.ts'
import { CLOCK_TOLERANCE } from '../../output/notes.ts'
import type { ForwardedResponse } from './forwarder.ts'

/** The indent of wrapped lines and of bodies: the width of the time and the arrow. */
export const INDENT = ' '.repeat(18)
/** Maximum lines of the response of a failed attempt. A long HTML page would hide the other output. */
const MAX_LINES = 12
const MAX_CHARACTERS = 400

/** `12:00:01.123  --> payment.succeeded  evt_9f…  payment 3f2a…  1 500.00 RUB  order ord_1764…`. */
export function eventLine(
  delivery: ListenerDelivery,
  { now, hasSeveralReceivers }: EventLineContext,
  paint: Paint,
): string {
  const parts = [nameOf(delivery), delivery.event_id, ...objectParts(delivery)].map(sanitizeLine)
  const [event = '', ...rest] = parts
  const to = hasSeveralReceivers ? [`to ${sanitizeLine(delivery.url)}`] : []
  const line = [`${paint.dim(formatTimeOfDay(now))}  --> ${paint.name(event)}`, ...rest, ...to]
  const again = delivery.attempt > 1 ? [`attempt ${delivery.attempt} of ${delivery.attempts_total}`] : []
  const edited = delivery.edited === true ? [paint.warn('edited')] : []
  const replay = delivery.replay === true && delivery.edited !== true ? [paint.dim('replay')] : []
  return [...line, ...edited, ...replay, ...again, ...differentTime(delivery, now).map(paint.dim)].join('  ')
}

/** Returns the event name in the body, which an injected fault may have changed. */
function nameOf({ event, body_b64 }: ListenerDelivery): string {
  const nameInBody = documentOf(body_b64)['event']
  return typeof nameInBody === 'string' ? nameInBody : event
}

export interface EventLineContext {
  /** The system time, in ms. */
  readonly now: number
  /** Each line then shows the URL of its receiver. */
  readonly hasSeveralReceivers: boolean
}

/** Returns the sandbox time if it differs from the system time at the beginning of the line. */
function differentTime({ due_at }: ListenerDelivery, now: number): string[] {
  const due = Date.parse(due_at ?? '')
  if (Number.isNaN(due) || Math.abs(due - now) < CLOCK_TOLERANCE) return []
  return [`sandbox time ${formatUtc(due_at ?? '')}`]
}

function objectParts({ event, object_id, body_b64 }: ListenerDelivery): string[] {
  return [`${event.slice(0, event.indexOf('.'))} ${object_id}`, ...objectText(event, dataOf(body_b64))]
}

function dataOf(body_b64: string): { readonly [field: string]: unknown } {
  const { data } = documentOf(body_b64)
  return typeof data === 'object' && data !== null ? { ...data } : {}
}

/** Parses the body. Returns `{}` if it is invalid, because an injected fault can change it. */
function documentOf(body_b64: string): { readonly [field: string]: unknown } {
  try {
    const document: unknown = JSON.parse(Buffer.from(body_b64, 'base64').toString('utf8'))
    return typeof document === 'object' && document !== null ? { ...document } : {}
  } catch {
    return {}
  }
}

export interface AttemptFacts {
  readonly delivery: ListenerDelivery
  readonly response: ForwardedResponse
  /** The state of the delivery after the attempt; absent if the response could not be reported. */
  readonly after: DeliveryState | undefined
  /** The sandbox's clock; present if another attempt follows. */
  readonly clock: ClockView | undefined
  readonly now: number
  /** Another event was printed after the request, so the line of the response must name its event. */
  readonly overlapped?: boolean
}

/** `12:00:01.168  <-- 500 POST http://localhost:3000/hooks  45 ms  attempt 1 of 9, next in 10 s`. */
export function attemptLine(facts: AttemptFacts, paint: Paint): string {
  const { delivery, response, now } = facts
  const code = String(response.status ?? '---')
  const status =
    response.status === undefined || response.error !== undefined ? paint.bad(code) : paintHttp(paint, response.status)
  const line = `${paint.dim(formatTimeOfDay(now))}  <-- ${status} POST ${sanitizeLine(delivery.url)}`
  const whose = facts.overlapped === true ? sanitizeLine(delivery.event_id) : ''
  return [line, formatElapsed(response.ms), attemptText(facts), whose].filter((part) => part !== '').join('  ')
}

function attemptText({ delivery, response, after, clock }: AttemptFacts): string {
  const { attempt, attempts_total } = delivery
  // With an injected fault, the server may count the response as too late.
  const delivered = after === undefined ? isAccepted(response) : after.status === 'delivered'
  if (delivered) return attempt === 1 ? '' : `attempt ${attempt} of ${attempts_total}`
  const counted = `attempt ${attempt} of ${attempts_total}`
  if (after?.next_attempt_at !== undefined && after.next_attempt_at !== null) {
    return `${counted}, ${nextText(delivery, after.next_attempt_at, clock)}`
  }
  return after?.status === 'exhausted' ? `${counted}, exhausted: \`${RETRY}\` sends it again` : counted
}

const RETRY = 'psp webhooks deliveries retry --status exhausted'

/** Returns the interval between the due times of this attempt and the next one, as in the retry schedule (spec 6.1). */
function nextText({ due_at }: ListenerDelivery, next: string, clock: ClockView | undefined): string {
  const step = Date.parse(next) - Date.parse(due_at ?? clock?.now ?? '')
  if (Number.isNaN(step)) return `next at ${formatUtc(next)}`
  return `next in ${durationInWords(step)}${TIME_SUFFIXES[clock?.mode ?? 'real']}`
}

const TIME_SUFFIXES = { real: '', frozen: ' of frozen time', scaled: ' of sandbox time' } as const satisfies Record<
  ClockView['mode'],
  string
>

/**
 * Returns lines with the error and the response body.
 * @param isComplete whether to return the whole body
 * @param columns absent if stdout is not a terminal
 */
export function responseLines(
  { error, body, headers = [] }: Pick<ForwardedResponse, 'error' | 'body' | 'headers'>,
  isComplete: boolean,
  columns: number | undefined,
): string[] {
  // Only the cause. The reporter prints the advice, once.
  const why = error === undefined ? [] : wrapBlock(sanitizeLine(causeAndAdvice(error).cause), columns, INDENT)
  const location = headerValue(headers, 'location')
  const to = location === undefined ? [] : wrapBlock(`Location: ${sanitizeLine(location)}`, columns, INDENT)
  const note = body?.note === undefined ? [] : wrapBlock(sanitizeLine(body.note), columns, INDENT)
  if (isComplete) return [...why, ...to, ...bodyLines(textOf(body)), ...note]
  const text = sanitizeText(textOf(body)).trim()
  return [...why, ...to, ...(text === '' ? [] : firstLines(text, columns)), ...note]
}

/** Returns the body as text. A binary body is decoded as UTF-8. */
export function textOf({ text, b64 }: RecordedBody = {}): string {
  return text ?? Buffer.from(b64 ?? '', 'base64').toString('utf8')
}

/** Returns the lines of a complete body, without control characters. */
export function bodyLines(body: string): string[] {
  const text = sanitizeText(body).trim()
  return text === '' ? [] : wholeLines(text, INDENT)
}

function firstLines(text: string, columns: number | undefined): string[] {
  const shown = truncateChars(text, MAX_CHARACTERS)
  const [lines, more] = [shown.split('\n').slice(0, MAX_LINES), text.split('\n').length - MAX_LINES]
  const rows = wrapBlock(lines.join('\n'), columns, INDENT)
  if (more > 0) return [...rows, `${INDENT}… ${countOf(more, 'line')} more: --show-body shows them`]
  return shown === text ? rows : [...rows, `${INDENT}--show-body shows all of it`]
}
