// What became of an object, from its own times and from what the stream told.
import { formatMoney } from '../../domain/currency.ts'
import type { PublicRefund } from '../../domain/refund.ts'
import { formatApproxDuration } from '../../terminal/time-format.ts'
import type { PaymentRow, PayoutRow, TimelineStep } from '../state/rows.ts'
import { statusStyle, statusText } from '../theme/status-style.ts'
import { type StyledLines, sanitizeValue } from '../theme/styled-line.ts'
import type { Symbols } from '../theme/symbols.ts'
import { headingLines } from './field-lines.ts'
import { chooseTimeFormat, formatDate, spansDays, type TimeFormat } from './time-format.ts'

/** Steps the object's own fields tell of: they are there also for what happened before the view was opened. */
export function paymentSteps({ payment, steps }: PaymentRow): readonly TimelineStep[] {
  const { created_at, finalized_at, status, refunds, currency } = payment
  const known: TimelineStep[] = [{ at: created_at, label: 'pending' }]
  if (finalized_at) known.push({ at: finalized_at, label: status === 'refunded' ? 'succeeded' : status })
  for (const refund of refunds) known.push(...refundSteps(refund, currency))
  return mergeSteps(known, steps)
}

/** One that settles at once is one step. */
function refundSteps(
  { id, amount, status, created_at, completed_at }: PublicRefund,
  currency: string,
): readonly TimelineStep[] {
  const details = `${formatMoney(amount, currency)}  ${id}`
  const end: TimelineStep = { at: completed_at ?? created_at, label: `refund ${status}`, details }
  return completed_at && completed_at !== created_at
    ? [{ at: created_at, label: 'refund pending', details }, end]
    : [end]
}

export function payoutSteps({ payout, steps }: PayoutRow): readonly TimelineStep[] {
  const { created_at, completed_at, status } = payout
  const known: TimelineStep[] = [{ at: created_at, label: 'pending' }]
  if (completed_at) known.push({ at: completed_at, label: status })
  return mergeSteps(known, steps)
}

/** Each step once, in the order of time; of the same instant in the order in which they were told. */
function mergeSteps(known: readonly TimelineStep[], told: readonly TimelineStep[]): readonly TimelineStep[] {
  const toldWords = new Set(told.map(({ label }) => label))
  const all = [...known.filter(({ label }) => !toldWords.has(label)), ...told]
  return all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** @param told by the stream: without the beginning, what came after it may be missing too, and that is said */
export function timelineLines(
  steps: readonly TimelineStep[],
  symbols: Symbols,
  told: readonly TimelineStep[],
): StyledLines {
  const instants = steps.map(({ at }) => at)
  const face = chooseTimeFormat(instants)
  const lines = steps.map((step, index) => stepLine(step, steps[index - 1], symbols, face))
  const title = headingLines('Timeline', spansDays(instants) ? '' : formatDate(instants[0] ?? ''))
  const whole = steps.length < 2 || told.some(({ label }) => label === 'pending')
  return whole
    ? [...title, ...lines]
    : [...title, ...lines.slice(0, 1), [['          steps between are no longer kept', 'dim']], ...lines.slice(1)]
}

function stepLine(
  { at, label, details }: TimelineStep,
  before: TimelineStep | undefined,
  symbols: Symbols,
  face: TimeFormat,
): StyledLines[number] {
  const ms = before === undefined ? 0 : Date.parse(at) - Date.parse(before.at)
  const status = label.split(' ').at(-1) ?? label
  return [
    [`${face(at)}  `, 'dim'],
    [statusText(status, symbols).replace(status, label), statusStyle(status)],
    details === undefined ? '' : [`  ${sanitizeValue(details)}`, 'dim'],
    [ms > 0 ? `  +${formatGap(ms)}` : '', 'dim'],
  ]
}

function formatGap(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(ms % 1000 === 0 ? 0 : 3)} s` : formatApproxDuration(ms)
}
