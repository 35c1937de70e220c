// Paints events, their deliveries, and attempts with request and response.

import { formatElapsed } from '../../domain/time-text.ts'
import { sanitizeLine } from '../../terminal/sanitize.ts'
import { displayWidth, hardWrap } from '../../terminal/text-width.ts'
import { wrapWords } from '../../terminal/wrap-words.ts'
import type { AttemptBlock, DeliveryBlock, EventBlock, MessageContent } from '../../view-model/detail/blocks.ts'
import { MARK_TONES } from '../../view-model/rows/delivery-mark.ts'
import { chooseTimeFormat, formatDateTime, type TimeFormat } from '../../view-model/time-format.ts'
import type { Span, StyledLines } from '../theme/styled-line.ts'
import { statusText } from '../theme/theme.ts'
import { bodyLines, type LineContext } from './json-lines.ts'

export function eventLines(
  { events, loading }: { readonly events: readonly EventBlock[]; readonly loading: boolean },
  context: LineContext,
): StyledLines {
  if (events.length === 0) return [[[loading ? 'loading' : 'none yet', 'dim']]]
  return events.flatMap(
    ({ id, event, at, deliveries }): StyledLines => [
      [[event, 'accent'], `  ${id}`, [`  ${formatDateTime(at)}`, 'dim']],
      ...(deliveries.length === 0 ? [[['  no endpoint receives this event', 'dim'] satisfies Span]] : []),
      ...deliveries.flatMap((delivery) => deliveryLines(delivery, at, context)),
    ],
  )
}

function deliveryLines(
  { id, url, mark, status, tone, attempts, nextAttemptAt }: DeliveryBlock,
  since: string,
  context: LineContext,
): StyledLines {
  const formatTime = chooseTimeFormat([since, ...attempts.map(({ at }) => at)])
  const next: Span = nextAttemptAt === undefined ? '' : [`  next ${formatDateTime(nextAttemptAt)}`, 'warning']
  return [
    [
      '  ',
      [statusText(status, context.symbols), tone],
      mark === undefined ? '' : [`  ${mark}`, MARK_TONES[mark]],
      `  ${sanitizeLine(url)}`,
      next,
    ],
    ...attemptsLines(attempts, formatTime, id, context),
  ]
}

export function attemptsLines(
  attempts: readonly AttemptBlock[],
  formatTime: TimeFormat,
  deliveryId: string,
  context: LineContext,
): StyledLines {
  return attempts.flatMap(
    ({ number, at, result, tone, ms, isManual, error, fault, request, response }): StyledLines => [
      ...wrapSpans(
        [
          [`  #${number}  ${formatTime(at)}  `, 'dim'],
          [sanitizeLine(result), tone],
          [`  ${formatElapsed(ms)}`, 'dim'],
          [isManual ? '  manual' : '', 'dim'],
          error === undefined ? '' : [`  ${sanitizeLine(error)}`, 'dim'],
          fault === undefined ? '' : [`  fault ${sanitizeLine(fault)}`, 'warning'],
        ],
        context.width,
      ),
      [['  → request', 'dim']],
      ...messageLines(request, `${deliveryId} ${number} request`, context),
      ...(response === undefined
        ? []
        : [
            [['  ← response', 'dim'] satisfies Span],
            ...messageLines(response, `${deliveryId} ${number} response`, context),
          ]),
    ],
  )
}

/** Wraps a line that is too long. Each span keeps its style. */
export function wrapSpans(spans: readonly Span[], width: number): StyledLines {
  const lines: Span[][] = [[]]
  let room = width
  for (const span of spans) {
    const [text, style] = typeof span === 'string' ? ([span, 'plain'] as const) : span
    let rest = text
    while (rest !== '') {
      const piece = takeWords(rest, room)
      if (room <= 0) {
        lines.push(['    '])
        room = width - 4
      } else {
        lines.at(-1)?.push([piece, style])
        rest = rest.slice(piece.length).trimStart()
        room = rest === '' ? room - displayWidth(piece) : 0
      }
    }
  }
  return lines
}

/** Returns as many whole words as fit. A word that is too long for a line is split. */
function takeWords(text: string, columns: number): string {
  const [piece = ''] = hardWrap(text, columns)
  if (piece.length === text.length || text[piece.length] === ' ') return piece
  return piece.slice(0, piece.lastIndexOf(' ') + 1) || piece
}

/** Returns whether the line is the first one of an attempt that failed. */
export function isFailedAttempt([first, result]: readonly Span[]): boolean {
  const isFirst = Array.isArray(first) && /^ {2}#\d+ {2}/.test(String(first[0]))
  return isFirst && Array.isArray(result) && result[1] !== 'success'
}

function messageLines({ headers, body, note }: MessageContent, bodyId: string, context: LineContext): StyledLines {
  return [
    ...headers.flatMap(([name, value]) => headerLines(sanitizeLine(name), sanitizeLine(value), context.width)),
    ...bodyLines(body, '    ', context, bodyId),
    ...noteLines(note, context.width),
  ]
}

function noteLines(note: string | undefined, width: number): StyledLines {
  if (note === undefined) return []
  return wrapWords(sanitizeLine(note), width - 4)
    .flatMap((line) => hardWrap(line, width - 4))
    .map((piece): readonly Span[] => [[`    ${piece}`, 'dim']])
}

/** Wraps a header instead of truncating it, because a signature is compared byte by byte. */
function headerLines(name: string, value: string, width: number): StyledLines {
  const [first = '', ...more] = hardWrap(`${name}: ${value}`, width - 4)
  const head: readonly Span[] = [[`    ${first.slice(0, name.length + 1)}`, 'dim'], first.slice(name.length + 1)]
  return [head, ...more.map((piece): readonly Span[] => [`    ${piece}`])]
}
