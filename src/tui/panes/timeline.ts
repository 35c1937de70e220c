// What became of an object, from its own times and from what the stream told.
import { formatMoney } from '../../domain/currency.ts'
import type { PublicRefund } from '../../domain/refund.ts'
import { formatApproxDuration } from '../../terminal/time-format.ts'
import { type Lines, stranger } from '../looks/line.ts'
import type { Marks } from '../looks/marks.ts'
import { statusLook, statusText } from '../looks/status.ts'
import type { PaymentRow, PayoutRow, Step } from '../state/rows.ts'
import { dateOnly, type Face, faceOf, isDated } from './clock-face.ts'
import { heading } from './field-lines.ts'

/** Steps the object's own fields tell of: they are there also for what happened before the view was opened. */
export function paymentSteps({ payment, steps }: PaymentRow): readonly Step[] {
  const { created_at, finalized_at, status, refunds, currency } = payment
  const known: Step[] = [{ at: created_at, word: 'pending' }]
  if (finalized_at) known.push({ at: finalized_at, word: status === 'refunded' ? 'succeeded' : status })
  for (const refund of refunds) known.push(...refundSteps(refund, currency))
  return merged(known, steps)
}

/** One that settles at once is one step. */
function refundSteps(
  { id, amount, status, created_at, completed_at }: PublicRefund,
  currency: string,
): readonly Step[] {
  const more = `${formatMoney(amount, currency)}  ${id}`
  const end: Step = { at: completed_at ?? created_at, word: `refund ${status}`, more }
  return completed_at && completed_at !== created_at ? [{ at: created_at, word: 'refund pending', more }, end] : [end]
}

export function payoutSteps({ payout, steps }: PayoutRow): readonly Step[] {
  const { created_at, completed_at, status } = payout
  const known: Step[] = [{ at: created_at, word: 'pending' }]
  if (completed_at) known.push({ at: completed_at, word: status })
  return merged(known, steps)
}

/** Each step once, in the order of time; of the same instant in the order in which they were told. */
function merged(known: readonly Step[], told: readonly Step[]): readonly Step[] {
  const toldWords = new Set(told.map(({ word }) => word))
  const all = [...known.filter(({ word }) => !toldWords.has(word)), ...told]
  return all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** @param told by the stream: without the beginning, what came after it may be missing too, and that is said */
export function timelineLines(steps: readonly Step[], marks: Marks, told: readonly Step[]): Lines {
  const instants = steps.map(({ at }) => at)
  const face = faceOf(instants)
  const lines = steps.map((step, index) => stepLine(step, steps[index - 1], marks, face))
  const title = heading('Timeline', isDated(instants) ? '' : dateOnly(instants[0] ?? ''))
  const whole = steps.length < 2 || told.some(({ word }) => word === 'pending')
  return whole
    ? [...title, ...lines]
    : [...title, ...lines.slice(0, 1), [['          steps between are no longer kept', 'dim']], ...lines.slice(1)]
}

function stepLine({ at, word, more }: Step, before: Step | undefined, marks: Marks, face: Face): Lines[number] {
  const ms = before === undefined ? 0 : Date.parse(at) - Date.parse(before.at)
  const status = word.split(' ').at(-1) ?? word
  return [
    [`${face(at)}  `, 'dim'],
    [statusText(status, marks).replace(status, word), statusLook(status)],
    more === undefined ? '' : [`  ${stranger(more)}`, 'dim'],
    [ms > 0 ? `  +${seconds(ms)}` : '', 'dim'],
  ]
}

function seconds(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(ms % 1000 === 0 ? 0 : 3)} s` : formatApproxDuration(ms)
}
