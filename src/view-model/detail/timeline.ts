// Builds the timeline of an object from its own fields and from stream messages.
import { formatMoney } from '../../domain/currency.ts'
import type { PublicRefund } from '../../domain/refund.ts'
import { formatApproxDuration } from '../../domain/time-text.ts'
import { headingLines } from '../../tui/panes/field-lines.ts'
import { type StyledLines, sanitizeValue } from '../../tui/theme/styled-line.ts'
import type { Symbols } from '../../tui/theme/theme.ts'
import { statusStyle, statusText } from '../../tui/theme/theme.ts'
import type { PaymentRow, PayoutRow, TimelineStep } from '../rows/rows.ts'
import { chooseTimeFormat, formatDate, spansDays, type TimeFormat } from '../time-format.ts'

/** Adds steps from the payment's fields, because the stream may no longer contain its first messages. */
export function paymentSteps({ payment, steps }: PaymentRow): readonly TimelineStep[] {
  const { created_at, finalized_at, status, refunds, currency } = payment
  const fromFields: TimelineStep[] = [{ at: created_at, label: 'pending' }]
  if (finalized_at) fromFields.push({ at: finalized_at, label: status === 'refunded' ? 'succeeded' : status })
  for (const refund of refunds) fromFields.push(...refundSteps(refund, currency))
  return mergeSteps(fromFields, steps)
}

/** Returns one step for a refund that completed when it was created, otherwise two. */
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
  const fromFields: TimelineStep[] = [{ at: created_at, label: 'pending' }]
  if (completed_at) fromFields.push({ at: completed_at, label: status })
  return mergeSteps(fromFields, steps)
}

/** Merges the steps without duplicates, sorted by time. Steps at the same time keep the order of the stream. */
function mergeSteps(fromFields: readonly TimelineStep[], streamed: readonly TimelineStep[]): readonly TimelineStep[] {
  const streamedLabels = new Set(streamed.map(({ label }) => label))
  const all = [...fromFields.filter(({ label }) => !streamedLabels.has(label)), ...streamed]
  return all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** @param streamed steps from the stream. Without the first one, others may be missing too, which a note says */
export function timelineLines(
  steps: readonly TimelineStep[],
  symbols: Symbols,
  streamed: readonly TimelineStep[],
): StyledLines {
  const instants = steps.map(({ at }) => at)
  const formatTime = chooseTimeFormat(instants)
  const lines = steps.map((step, index) => stepLine(step, steps[index - 1], symbols, formatTime))
  const title = headingLines('Timeline', spansDays(instants) ? '' : formatDate(instants[0] ?? ''))
  const isComplete = steps.length < 2 || streamed.some(({ label }) => label === 'pending')
  return isComplete
    ? [...title, ...lines]
    : [
        ...title,
        ...lines.slice(0, 1),
        [['          steps between these are no longer available', 'dim']],
        ...lines.slice(1),
      ]
}

function stepLine(
  { at, label, details }: TimelineStep,
  before: TimelineStep | undefined,
  symbols: Symbols,
  formatTime: TimeFormat,
): StyledLines[number] {
  const ms = before === undefined ? 0 : Date.parse(at) - Date.parse(before.at)
  const status = label.split(' ').at(-1) ?? label
  return [
    [`${formatTime(at)}  `, 'dim'],
    [statusText(status, symbols).replace(status, label), statusStyle(status)],
    details === undefined ? '' : [`  ${sanitizeValue(details)}`, 'dim'],
    [ms > 0 ? `  +${formatGap(ms)}` : '', 'dim'],
  ]
}

function formatGap(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(ms % 1000 === 0 ? 0 : 3)} s` : formatApproxDuration(ms)
}
