// The lines of events and requests. They are wrapped with a hanging indent if stdout is a terminal.
import { stripVTControlCharacters } from 'node:util'
import type { EventView } from '../../client/control-types.ts'
import type { RequestView } from '../../client/request-types.ts'
import { formatMoney } from '../../domain/currency.ts'
import { formatElapsed, formatTimeOfDay } from '../../domain/time-text.ts'
import { sanitizeLine, truncateChars } from '../../terminal/sanitize.ts'
import { hardWrap } from '../../terminal/text-width.ts'
import { wrapWords } from '../../terminal/wrap-words.ts'
import { type Paint, paintHttp } from './colour.ts'

/** The indent below text that follows a time: `12:00:01.123  `. */
export const TIME_INDENT = ' '.repeat(14)

/** Minimum columns for text. On a narrow terminal, indents become shorter. */
const MIN_TEXT_COLUMNS = 16

/**
 * If the line is too long, shortens its UUIDs to `3bac26d9-…`, then wraps the line between words.
 * @param columns absent if stdout is not a terminal
 * @param indent of the lines after the first one
 */
export function wrapLine(line: string, columns: number | undefined, indent: string): string {
  if (columns === undefined || stripVTControlCharacters(line).length <= columns) return line
  const short = line.replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1-…')
  const [first = '', ...rest] = wrapWords(short, columns)
  const hang = fittingIndent(indent, columns)
  const below = rest.length === 0 ? [] : wrapWords(rest.join(' '), columns - hang.length)
  return [first.trimEnd(), ...below.map((part) => `${hang}${part.trim()}`)].join('\n')
}

/**
 * Wraps text between words next to `label`. Long words, such as URLs, stay whole.
 * @param look paints each row
 */
export function wrapProse(
  text: string,
  columns: number | undefined,
  label: string,
  look: (row: string) => string = (row) => row,
): string {
  const indent = ' '.repeat(stripVTControlCharacters(label).length)
  return layOut(text, columns, label, indent, (row) => [row], look).join('\n')
}

/** Wraps text into rows that begin with `indent`, and the first one with `first`. Long words are split. */
export function wrapBlock(text: string, columns: number | undefined, first: string, indent = first): string[] {
  return layOut(text, columns, first, indent, hardWrap, (row) => row)
}

/**
 * Returns the lines of a text, such as a header or a body, each with `prefix`. They are not wrapped, because a copied
 * body or signature must be complete. The terminal wraps them without line breaks.
 */
export function wholeLines(text: string, prefix: string): string[] {
  return text.split('\n').map((line) => `${prefix}${line}`)
}

function layOut(
  text: string,
  columns: number | undefined,
  first: string,
  indent: string,
  split: (row: string, room: number) => readonly string[],
  look: (row: string) => string,
): string[] {
  const hang = columns === undefined ? indent : fittingIndent(indent, columns)
  const room = columns === undefined ? undefined : columns - hang.length
  const rows = room === undefined ? text.split('\n') : wrapWords(text, room).flatMap((row) => split(row, room))
  if (hang === indent) return rows.map((row, at) => `${at === 0 ? first : indent}${look(row)}`)
  // There is no room for text next to the label.
  return [first.trimEnd(), ...rows.map((row) => `${hang}${look(row)}`)].filter((row) => row !== '')
}

function fittingIndent(indent: string, columns: number): string {
  return indent.slice(0, Math.max(0, columns - MIN_TEXT_COLUMNS))
}

/** `12:00:01.123  payment.succeeded  evt_9f…  payment 3f2a…  1 500.00 RUB  order ord_1764…`. */
export function eventLine(event: EventView, paint: Paint): string {
  const [kind] = event.event.split('.')
  return [
    paint.dim(formatTimeOfDay(event.created_at)),
    paint.name(event.event),
    event.id,
    `${kind} ${event.object_id}`,
    ...objectText(event.event, event.data),
  ].join('  ')
}

interface IdentifyingFields {
  readonly amount?: unknown
  readonly currency?: unknown
  readonly order_id?: unknown
  readonly recipient?: { readonly phone?: unknown } | null
  readonly refunds?: unknown
}

/** Returns the amount of the event's object, and its order or recipient. */
export function objectText(event: string, data: EventView['data']): string[] {
  const { amount, currency, order_id, recipient, refunds } = data as IdentifyingFields
  return [
    ...moneyText(amount, currency, event === 'payment.refunded' ? refunds : undefined),
    ...(typeof order_id === 'string' ? [`order ${truncateChars(order_id, 100)}`] : []),
    ...(typeof recipient?.phone === 'string' ? [`to ${recipient.phone}`] : []),
  ].map(sanitizeLine)
}

/** `1 500.00 RUB`, or for a refund `refund 500.00 of 1 500.00 RUB`. The event is about the newest refund. */
function moneyText(amount: unknown, currency: unknown, refunds: unknown): string[] {
  if (typeof amount !== 'number' || typeof currency !== 'string') return []
  const money = formatMoney(amount, currency)
  const newest: unknown = Array.isArray(refunds) ? refunds.at(-1)?.amount : undefined
  if (typeof newest !== 'number') return [money]
  return [`refund ${formatMoney(newest, currency).replace(` ${currency}`, '')} of ${money}`]
}

/**
 * `12:00:01.123  201  POST   /v1/public/payments  3 ms  by default`, followed by the error message and the warnings.
 * @param columns absent if stdout is not a terminal
 */
export function requestLine(request: RequestView, at: string, paint: Paint, columns: number | undefined): string {
  const parts = [
    paint.dim(formatTimeOfDay(request.at ?? at)),
    paintHttp(paint, request.status),
    `${request.method.padEnd(6)} ${sanitizeLine(request.path)}`,
    paint.dim(formatElapsed(request.ms)),
  ]
  if (request.code !== undefined && request.code !== null) parts.push(request.code)
  if (request.decided_by !== undefined && request.decided_by !== null)
    parts.push(paint.dim(`by ${sanitizeLine(request.decided_by)}`))
  const below = [...(request.message === undefined ? [] : [request.message]), ...(request.warnings ?? [])]
  const rows = below
    .flatMap((text) => wrapBlock(truncateChars(sanitizeLine(text), MAX_MESSAGE), columns, TIME_INDENT))
    .map(paint.warn)
  return [wrapLine(parts.join('  '), columns, TIME_INDENT), ...rows].join('\n')
}

/** Maximum characters of a message below the request line, because a message may contain a long list. */
const MAX_MESSAGE = 200
