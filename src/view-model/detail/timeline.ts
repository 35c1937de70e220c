// Creates the timeline of an object from its own fields and from stream messages.
import { formatMoney } from '../../domain/currency.ts'
import type { PublicRefund } from '../../domain/refund.ts'
import type { PaymentRow, PayoutRow, TimelineStep } from '../rows/rows.ts'
import type { StepBlock, TimelineBlock } from './blocks.ts'
import { statusTone } from './tones.ts'

/** The fields supply steps too, because the stream may no longer contain the first messages. */
export function paymentTimeline({ payment, steps }: PaymentRow, historyLoading: boolean): TimelineBlock {
  const { created_at, finalized_at, status, refunds, currency } = payment
  const fromFields: TimelineStep[] = [{ at: created_at, label: 'pending' }]
  if (finalized_at) fromFields.push({ at: finalized_at, label: status === 'refunded' ? 'succeeded' : status })
  for (const refund of refunds) fromFields.push(...refundSteps(refund, currency))
  return timeline(mergeSteps(fromFields, steps), steps, historyLoading)
}

/** Returns two steps for a refund that was settled after its creation, otherwise one. */
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

export function payoutTimeline({ payout, steps }: PayoutRow, historyLoading: boolean): TimelineBlock {
  const { created_at, completed_at, status } = payout
  const fromFields: TimelineStep[] = [{ at: created_at, label: 'pending' }]
  if (completed_at) fromFields.push({ at: completed_at, label: status })
  return timeline(mergeSteps(fromFields, steps), steps, historyLoading)
}

/** Merges the steps without duplicates, by time. Streamed steps at the same time keep the order of the stream. */
function mergeSteps(fromFields: readonly TimelineStep[], streamed: readonly TimelineStep[]): readonly TimelineStep[] {
  const streamedLabels = new Set(streamed.map(({ label }) => label))
  const all = [...fromFields.filter(({ label }) => !streamedLabels.has(label)), ...streamed]
  return all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/**
 * Reports missing steps. For a final object that is not cancelled, the stream sent at least one step before the final
 * one.
 * @param streamed steps from the stream
 */
function timeline(
  steps: readonly TimelineStep[],
  streamed: readonly TimelineStep[],
  historyLoading: boolean,
): TimelineBlock {
  const isComplete =
    steps.length < 2 ||
    streamed.some(({ label }) => label === 'pending' || label === 'processing') ||
    steps.some(({ label }) => label === 'cancelled')
  const missing = isComplete ? undefined : historyLoading ? 'loading' : 'lost'
  return { kind: 'timeline', title: 'Timeline', steps: steps.map((step, at) => entry(step, steps[at - 1])), missing }
}

function entry({ at, label, details = '' }: TimelineStep, before: TimelineStep | undefined): StepBlock {
  const status = label.split(' ').at(-1) ?? label
  const gap = before === undefined ? 0 : Date.parse(at) - Date.parse(before.at)
  return { at, label, status, tone: statusTone(status), details, gap }
}
