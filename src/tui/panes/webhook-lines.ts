// Shows webhooks: each event, each of its deliveries, and each attempt with request and response.
import type { AttemptView, DeliveryView } from '../../client/control-types.ts'
import type { MessageView } from '../../client/request-types.ts'
import { formatElapsed } from '../../domain/time-text.ts'
import { hardWrap } from '../../terminal/text-width.ts'
import type { Detail } from '../../view-model/model.ts'
import { formatAttemptResult } from '../../view-model/rows/message-summary.ts'
import type { DeliveryRow } from '../../view-model/rows/rows.ts'
import {
  chooseTimeFormat,
  formatDate,
  formatDateTime,
  spansDays,
  type TimeFormat,
} from '../../view-model/time-format.ts'
import { type Span, type StyledLines, sanitizeValue } from '../theme/styled-line.ts'
import type { Symbols } from '../theme/theme.ts'
import { httpStatusStyle, statusStyle, statusText } from '../theme/theme.ts'
import { bodyLines, fieldLines, headingLines } from './field-lines.ts'

export function webhookLines({ events, deliveries, loading }: Detail, width: number, symbols: Symbols): StyledLines {
  if (events.length === 0)
    return loading
      ? [...headingLines('Webhooks'), [['loading…', 'dim']]]
      : [...headingLines('Webhooks'), [['none yet', 'dim']]]
  const lines = events.toReversed().flatMap((event): StyledLines => {
    const eventDeliveries = deliveries.filter(({ event_id }) => event_id === event.id).toReversed()
    return [
      [[event.event, 'accent'], `  ${event.id}`, [`  ${formatDateTime(event.created_at)}`, 'dim']],
      ...(eventDeliveries.length === 0 ? [[['  no endpoint receives this event', 'dim'] satisfies Span]] : []),
      ...eventDeliveries.flatMap((delivery) => eventDeliveryLines(delivery, event.created_at, width, symbols)),
    ]
  })
  return [...headingLines('Webhooks'), ...lines]
}

/** Shows the detail of one delivery. */
export function deliveryLines(
  row: DeliveryRow,
  { deliveries, loading }: Detail,
  width: number,
  symbols: Symbols,
): StyledLines {
  const delivery = deliveries.find(({ id }) => id === row.id)
  const instants = delivery?.attempts.map(({ at }) => at) ?? []
  const formatTime = chooseTimeFormat(instants)
  return [
    [[row.event, 'accent'], `  ${row.event_id}`],
    [[statusText(row.status, symbols), statusStyle(row.status)], `  ${sanitizeValue(row.url)}`],
    ...headingLines('Fields'),
    ...fieldLines([
      ['delivery', row.id],
      ['object', row.object_id],
      [
        'attempts',
        row.attemptsTotal === undefined ? row.attemptsMade : `${row.attemptsMade} of at most ${row.attemptsTotal}`,
      ],
      ['next', row.next_attempt_at === undefined ? undefined : formatDateTime(row.next_attempt_at)],
    ]),
    ...headingLines('Attempts', spansDays(instants) ? '' : formatDate(instants[0] ?? '')),
    ...(delivery === undefined
      ? [[[loading ? 'loading…' : 'no longer available', 'dim'] satisfies Span]]
      : delivery.attempts.flatMap((attempt) => attemptLines(attempt, width, formatTime))),
  ]
}

function eventDeliveryLines(
  { url, status, attempts, next_attempt_at }: DeliveryView,
  since: string,
  width: number,
  symbols: Symbols,
): StyledLines {
  const formatTime = chooseTimeFormat([since, ...attempts.map(({ at }) => at)])
  const next = next_attempt_at ? ([`  next ${formatDateTime(next_attempt_at)}`, 'warning' as const] as const) : ''
  return [
    ['  ', [statusText(status, symbols), statusStyle(status)], `  ${sanitizeValue(url)}`, next],
    ...attempts.flatMap((attempt) => attemptLines(attempt, width, formatTime)),
  ]
}

function attemptLines(attempt: AttemptView, width: number, formatTime: TimeFormat): StyledLines {
  const { number, at, ms, status, error, fault, request, response } = attempt
  return [
    [
      [`  #${number}  ${formatTime(at)}  `, 'dim'],
      [sanitizeValue(formatAttemptResult({ status, error: error ?? undefined })), httpStatusStyle(status ?? 0)],
      [`  ${formatElapsed(ms)}`, 'dim'],
      status && error ? [`  ${sanitizeValue(error)}`, 'dim'] : '',
      fault === undefined ? '' : [`  fault ${sanitizeValue(fault)}`, 'warning'],
    ],
    [['  → request', 'dim']],
    ...messageLines(request, width),
    ...(response === null || response === undefined
      ? []
      : [[['  ← response', 'dim'] satisfies Span], ...messageLines(response, width)]),
  ]
}

function messageLines({ headers = {}, ...body }: MessageView, width: number): StyledLines {
  const pairs: readonly (readonly [string, string])[] = Array.isArray(headers) ? headers : Object.entries(headers)
  return [
    ...pairs.flatMap(([name, value]) => headerLines(sanitizeValue(name), sanitizeValue(value), width)),
    ...bodyLines(body, '    ', width),
    ...noteLines(body.note, width),
  ]
}

function noteLines(note: string | undefined, width: number): StyledLines {
  if (note === undefined) return []
  return hardWrap(sanitizeValue(note), width - 4).map((piece): readonly Span[] => [[`    ${piece}`, 'dim']])
}

/** Wraps a header instead of truncating it, because a signature is compared byte by byte. */
function headerLines(name: string, value: string, width: number): StyledLines {
  const [first = '', ...more] = hardWrap(`${name}: ${value}`, width - 4)
  const head: readonly Span[] = [[`    ${first.slice(0, name.length + 1)}`, 'dim'], first.slice(name.length + 1)]
  return [head, ...more.map((piece): readonly Span[] => [`    ${piece}`])]
}
