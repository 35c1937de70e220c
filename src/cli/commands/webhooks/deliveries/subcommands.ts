import type { AttemptView, DeliveryView } from '../../../../client/control-types.ts'
import type { MessageView } from '../../../../client/request-types.ts'
import { formatElapsed, formatUtc } from '../../../../domain/time-text.ts'
import { sanitizeLine, sanitizeText } from '../../../../terminal/sanitize.ts'
import { truncate } from '../../../../terminal/text-width.ts'
import type { NoArguments, Run } from '../../../command.ts'
import { type Paint, paintHttp, paintStatus } from '../../../output/colour.ts'
import { wholeLines, wrapBlock, wrapLine } from '../../../output/lines.ts'
import type { Output } from '../../../output/output.ts'
import { printDetails } from '../../../output/result.ts'
import { type Column, idColumn, printPage, timeColumn } from '../../../output/table.ts'
import { resultSubcommand } from '../../../subcommand.ts'
import { resolveFilters, resolveId } from '../../../target/resolve-objects.ts'
import type { DELIVERY_GET_FLAGS, DELIVERY_ID, DELIVERY_LIST_FLAGS } from '../../webhooks.ts'
import { responseText } from './results.ts'

const COLUMNS: readonly Column<DeliveryView>[] = [
  idColumn('delivery', ({ id }) => id),
  { title: 'event', cell: ({ event }) => event },
  { title: 'status', cell: statusText, short: { cell: shortStatus } },
  { title: 'tries', cell: ({ attempts }) => attempts.length, right: true },
  { title: 'response', cell: (delivery) => (delivery.attempts.length === 0 ? undefined : shortResponse(delivery)) },
  timeColumn('last try', ({ attempts }) => attempts.at(-1)?.at ?? ''),
  idColumn('object', ({ object_id }) => object_id),
  { title: 'url', cell: ({ url }) => url, minWidth: 20 },
]

/** Only replays can be edited. */
function statusText({ status, replay, edited }: DeliveryView): string {
  return edited ? `${status}, edited` : replay ? `${status}, replay` : status
}

function shortStatus({ status, replay, edited }: DeliveryView): string {
  if (status !== 'delivered') return status
  return edited ? 'edited' : replay ? 'replayed' : status
}

function shortResponse(delivery: DeliveryView): string {
  return truncate(String(responseText(delivery)), 32)
}

const SEND_AGAIN =
  'exhausted: no further retries. `psp webhooks deliveries retry --status exhausted` sends all of them again.'

export const list: Run<NoArguments, typeof DELIVERY_LIST_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  const page = await client.control.deliveries.list(await resolveFilters(client, flags))
  const { out } = session
  const code = await printPage(
    out,
    page,
    COLUMNS,
    'No deliveries. There is no receiver, or nothing has happened yet.',
    flags,
  )
  if (!out.json && page.items.some(({ status }) => status === 'exhausted')) out.note(out.notePaint.dim(SEND_AGAIN))
  return code
}

export const get: Run<typeof DELIVERY_ID, typeof DELIVERY_GET_FLAGS> = resultSubcommand(
  async ({ control: { deliveries } }, { args }) => deliveries.get(await resolveId(deliveries.list, args.id)),
  (out, delivery, { flags }) => printDelivery(out, delivery, flags.last),
)

export function printDelivery(out: Output, delivery: DeliveryView, onlyLast: boolean): void {
  printDetails(out, [
    ['delivery', delivery.id, out.paint.bold],
    ['status', delivery.status, (text) => paintStatus(out.paint, text)],
    ['event', `${delivery.event}  ${delivery.event_id}`],
    ['object', delivery.object_id],
    ['url', delivery.url],
    ['created by', delivery.replay && 'a replay of the event'],
    ['body', delivery.edited && 'edited: it differs from the body of the event'],
    ['next attempt', delivery.next_attempt_at && formatUtc(delivery.next_attempt_at)],
  ])
  const shown = onlyLast ? delivery.attempts.slice(-1) : delivery.attempts
  for (const [at, attempt] of shown.entries()) printAttempt(out, attempt, shown[at - 1])
  if (delivery.status === 'exhausted') {
    out.note(out.notePaint.dim(`Exhausted: \`psp webhooks deliveries retry ${delivery.id}\` sends it again.`))
  }
}

/** Request headers and a body that are the same as in the attempt before are not printed again. */
function printAttempt(out: Output, attempt: AttemptView, before: AttemptView | undefined): void {
  const fault = attempt.fault === undefined ? '' : `  ${sanitizeLine(`fault ${attempt.fault}`)}`
  out.line()
  const line = `${out.paint.bold(`attempt ${attempt.number}`)}  ${formatUtc(attempt.at)}  ${resultText(attempt, out.paint)}  ${formatElapsed(attempt.ms)}${fault}`
  out.line(wrapLine(line, out.columns, ''))
  const { status, error } = attempt
  // If there is no response, the line above already contains the error.
  if (typeof status === 'number' && status >= 300 && error) printBlock(out, sanitizeLine(error))
  printMessage(out, '>', attempt.request, before?.request)
  if (attempt.response) printMessage(out, '<', attempt.response)
  for (const copy of attempt.copies ?? []) {
    out.line(`${out.paint.bold(`copy ${copy.copy}`)}  ${resultText(copy, out.paint)}  ${formatElapsed(copy.ms)}`)
    if (copy.response) printMessage(out, '<', copy.response)
  }
}

function printMessage(out: Output, arrow: string, message: MessageView, before?: MessageView): void {
  const known = new Set(before === undefined ? [] : headerLines(before))
  const lines = headerLines(message).filter((line) => !known.has(line))
  for (const line of lines) out.line(out.paint.dim(`${arrow} ${line}`))
  const text = bodyText(message)
  if (before !== undefined && text !== '' && bodyText(before) === text) {
    out.line(out.paint.dim(`${arrow} the same body as before`))
  } else if (text !== '') for (const line of wholeLines(text, `${arrow} `)) out.line(line)
  if (message.note !== undefined) printBlock(out, sanitizeLine(message.note))
}

function printBlock(out: Output, text: string): void {
  for (const row of wrapBlock(text, out.columns, '')) out.line(row)
}

function headerLines({ headers = {} }: MessageView): string[] {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers)
  return pairs.map(([name, value]) => sanitizeLine(`${name}: ${value}`))
}

function bodyText({ body, body_b64 }: MessageView): string {
  return body_b64 === undefined ? sanitizeText(body ?? '') : `(base64) ${body_b64}`
}

function resultText({ status, error }: Pick<AttemptView, 'status' | 'error'>, paint: Paint): string {
  if (typeof status !== 'number') return paint.bad(sanitizeLine(error ?? 'no response'))
  // A 2xx response that failed because it was incomplete or too late.
  const why = status < 300 && typeof error === 'string' ? `  ${paint.bad(sanitizeLine(error))}` : ''
  return `${paintHttp(paint, status)}${why}`
}
