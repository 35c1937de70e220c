// Webhooks: each event, each delivery of it, each attempt with the bytes that went out and came back.
import type { AttemptView, DeliveryView, MessageView } from '../../client/control-wire.ts'
import { hardWrap } from '../../terminal/text-width.ts'
import { formatElapsed } from '../../terminal/time-format.ts'
import { type Lines, type Part, stranger } from '../looks/line.ts'
import type { Marks } from '../looks/marks.ts'
import { httpLook, statusLook, statusText } from '../looks/status.ts'
import { answerWord } from '../state/message-word.ts'
import type { DeliveryRow } from '../state/rows.ts'
import type { Detail } from '../state/state.ts'
import { dateOnly, dateTime, type Face, faceOf, isDated } from './clock-face.ts'
import { bodyLines, fields, heading } from './field-lines.ts'

export function eventLines({ events, deliveries, loading }: Detail, width: number, marks: Marks): Lines {
  if (events.length === 0)
    return loading ? [...heading('Webhooks'), [['reading…', 'dim']]] : [...heading('Webhooks'), [['none yet', 'dim']]]
  const lines = events.toReversed().flatMap((event): Lines => {
    const own = deliveries.filter(({ event_id }) => event_id === event.id).toReversed()
    return [
      [[event.event, 'name'], `  ${event.id}`, [`  ${dateTime(event.created_at)}`, 'dim']],
      ...(own.length === 0 ? [[['  nobody listens for it', 'dim'] satisfies Part]] : []),
      ...own.flatMap((delivery) => oneDelivery(delivery, event.created_at, width, marks)),
    ]
  })
  return [...heading('Webhooks'), ...lines]
}

/** The detail of one delivery. */
export function deliveryLines(row: DeliveryRow, { deliveries, loading }: Detail, width: number, marks: Marks): Lines {
  const delivery = deliveries.find(({ id }) => id === row.id)
  const instants = delivery?.attempts.map(({ at }) => at) ?? []
  const face = faceOf(instants)
  return [
    [[row.event, 'name'], `  ${row.event_id}`],
    [[statusText(row.status, marks), statusLook(row.status)], `  ${stranger(row.url)}`],
    ...heading('Fields'),
    ...fields([
      ['delivery', row.id],
      ['object', row.object_id],
      ['attempts', row.total === undefined ? row.made : `${row.made} of at most ${row.total}`],
      ['next', row.next_attempt_at === undefined ? undefined : dateTime(row.next_attempt_at)],
    ]),
    ...heading('Attempts', isDated(instants) ? '' : dateOnly(instants[0] ?? '')),
    ...(delivery === undefined
      ? [[[loading ? 'reading…' : 'not kept any more', 'dim'] satisfies Part]]
      : delivery.attempts.flatMap((attempt) => attemptLines(attempt, width, face))),
  ]
}

function oneDelivery(
  { url, status, attempts, next_attempt_at }: DeliveryView,
  since: string,
  width: number,
  marks: Marks,
): Lines {
  const face = faceOf([since, ...attempts.map(({ at }) => at)])
  const next = next_attempt_at ? ([`  next ${dateTime(next_attempt_at)}`, 'odd' as const] as const) : ''
  return [
    ['  ', [statusText(status, marks), statusLook(status)], `  ${stranger(url)}`, next],
    ...attempts.flatMap((attempt) => attemptLines(attempt, width, face)),
  ]
}

function attemptLines(attempt: AttemptView, width: number, face: Face): Lines {
  const { number, at, ms, status, error, fault, request, response } = attempt
  return [
    [
      [`  #${number}  ${face(at)}  `, 'dim'],
      [stranger(answerWord({ status, error: error ?? undefined })), httpLook(status ?? 0)],
      [`  ${formatElapsed(ms)}`, 'dim'],
      status && error ? [`  ${stranger(error)}`, 'dim'] : '',
      fault === undefined ? '' : [`  fault ${stranger(fault)}`, 'odd'],
    ],
    [['  → request', 'dim']],
    ...messageLines(request, width),
    ...(response === null || response === undefined
      ? []
      : [[['  ← answer', 'dim'] satisfies Part], ...messageLines(response, width)]),
  ]
}

function messageLines({ headers = {}, ...body }: MessageView, width: number): Lines {
  const pairs: readonly (readonly [string, string])[] = Array.isArray(headers) ? headers : Object.entries(headers)
  return [
    ...pairs.flatMap(([name, value]) => headerLines(stranger(name), stranger(value), width)),
    ...bodyLines(body, '    ', width),
  ]
}

/** Whole, over as many lines as it takes: a signature is compared byte by byte. */
function headerLines(name: string, value: string, width: number): Lines {
  const [first = '', ...more] = hardWrap(`${name}: ${value}`, width - 4)
  const head: readonly Part[] = [[`    ${first.slice(0, name.length + 1)}`, 'dim'], first.slice(name.length + 1)]
  return [head, ...more.map((piece): readonly Part[] => [`    ${piece}`])]
}
