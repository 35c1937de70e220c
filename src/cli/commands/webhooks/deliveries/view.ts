import type { AttemptView, DeliveryView, MessageView } from '../../../../client/control-wire.ts'
import { elapsed, utcTime } from '../../../../terminal/clock-text.ts'
import { plainBlock, plainLine } from '../../../../terminal/plain-text.ts'
import type { Paint } from '../../../colour.ts'
import { printDetails } from '../../../details.ts'
import type { Output } from '../../../output.ts'
import { paintHttp, paintStatus } from '../../../status-look.ts'

export function printDelivery(out: Output, delivery: DeliveryView): void {
  printDetails(out, [
    ['delivery', delivery.id, out.paint.bold],
    ['status', delivery.status, (text) => paintStatus(out.paint, text)],
    ['event', `${delivery.event}  ${delivery.event_id}`],
    ['object', delivery.object_id],
    ['url', delivery.url],
    ['next attempt', delivery.next_attempt_at && utcTime(delivery.next_attempt_at)],
  ])
  for (const attempt of delivery.attempts) printAttempt(out, attempt)
  if (delivery.status === 'exhausted') {
    out.note(out.notePaint.dim(`Given up: \`psp webhooks deliveries retry ${delivery.id}\` sends it again.`))
  }
}

function printAttempt(out: Output, attempt: AttemptView): void {
  const fault = attempt.fault === undefined ? '' : `  ${plainLine(`fault ${attempt.fault}`)}`
  out.line()
  out.line(
    `${out.paint.bold(`attempt ${attempt.number}`)}  ${utcTime(attempt.at)}  ${resultText(attempt, out.paint)}  ${elapsed(attempt.ms)}${fault}`,
  )
  printMessage(out, '>', attempt.request)
  if (attempt.response) printMessage(out, '<', attempt.response)
  for (const copy of attempt.copies ?? []) {
    out.line(`${out.paint.bold(`copy ${copy.copy}`)}  ${resultText(copy, out.paint)}  ${elapsed(copy.ms)}`)
    if (copy.response) printMessage(out, '<', copy.response)
  }
}

function printMessage(out: Output, arrow: string, { headers = {}, body, body_b64 }: MessageView): void {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers)
  for (const [name, value] of pairs) out.line(out.paint.dim(`${arrow} ${plainLine(`${name}: ${value}`)}`))
  const text = body_b64 === undefined ? plainBlock(body ?? '') : `(base64) ${body_b64}`
  if (text !== '') for (const line of text.split('\n')) out.line(`${arrow} ${line}`)
}

/** One line for a delivery: its event, its receiver and how the last attempt went. */
export function attemptSummary(delivery: DeliveryView, paint: Paint): string {
  const last = delivery.attempts.at(-1)
  const went = last === undefined ? 'not attempted' : `${resultText(last, paint)}  ${elapsed(last.ms)}`
  return `${delivery.event_id}  ${delivery.event}  ${plainLine(delivery.url)}  ${went}`
}

function resultText({ status, error }: Pick<AttemptView, 'status' | 'error'>, paint: Paint): string {
  if (typeof status !== 'number') return paint.bad(plainLine(error ?? 'no answer'))
  // A 2xx that did not count: it broke off, or came too late.
  const why = status < 300 && typeof error === 'string' ? `  ${paint.bad(plainLine(error))}` : ''
  return `${paintHttp(paint, status)}${why}`
}

export function tookText(delivery: DeliveryView | undefined): string | undefined {
  const last = delivery?.attempts.at(-1)
  return last === undefined ? undefined : elapsed(last.ms)
}

/** How the last attempt went, without a look. */
export function answerText({ attempts }: DeliveryView): string | number {
  const last = attempts.at(-1)
  if (last === undefined) return 'not attempted'
  const { status, error } = last
  if (typeof status !== 'number') return error ?? 'no answer'
  return status < 300 && typeof error === 'string' ? `${status}, ${error}` : status
}
