// A batch of the stream's messages, taken into the tables. The tables are copied once a batch, not once a message.
import type { PublicPayment } from '../../domain/payment.ts'
import type { PublicPayout } from '../../domain/payout.ts'
import type { PublicRefund } from '../../domain/refund.ts'
import { summarizeMessage } from './message-summary.ts'
import {
  type DeliveryRow,
  deliveryRow,
  type LastAttempt,
  type MessageId,
  type MessageRow,
  type PaymentRow,
  type PayoutRow,
  type RequestRow,
  ROW_LIMITS,
  type Tables,
  type TimelineStep,
  trimOldest,
} from './rows.ts'
import type { DeliverySummary, ParsedMessage, StreamMessage } from './stream-message.ts'
import { objectIdOf } from './stream-message.ts'

interface TableDraft {
  payments: Map<string, PaymentRow>
  payouts: Map<string, PayoutRow>
  deliveries: Map<string, DeliveryRow>
  requests: Map<string, RequestRow>
  stream: Map<string, MessageRow>
}

export function applyMessages(tables: Tables, batch: readonly ParsedMessage[]): Tables {
  let draft = createDraft(tables)
  for (const heard of batch) {
    const lastMessageId = Number(heard.id)
    if (heard.message.kind === 'reset') draft = applyReset(draft, lastMessageId)
    applyMessage(draft, heard.message, lastMessageId)
    draft.stream.set(heard.id, toMessageRow(heard))
  }
  return {
    payments: trimOldest(draft.payments, ROW_LIMITS.payments),
    payouts: trimOldest(draft.payouts, ROW_LIMITS.payouts),
    deliveries: trimOldest(draft.deliveries, ROW_LIMITS.deliveries),
    requests: trimOldest(draft.requests, ROW_LIMITS.requests),
    stream: trimOldest(draft.stream, ROW_LIMITS.stream),
  }
}

function createDraft(tables: Tables): TableDraft {
  return {
    payments: new Map(tables.payments),
    payouts: new Map(tables.payouts),
    deliveries: new Map(tables.deliveries),
    requests: new Map(tables.requests),
    stream: new Map(tables.stream),
  }
}

/** What lists told since then stays, but for the steps of before. */
function applyReset(
  { payments, payouts, deliveries, requests, stream }: TableDraft,
  lastMessageId: MessageId,
): TableDraft {
  const steps: readonly TimelineStep[] = []
  return {
    payments: new Map(newerRows(payments, lastMessageId).map(([id, row]) => [id, { ...row, steps }])),
    payouts: new Map(newerRows(payouts, lastMessageId).map(([id, row]) => [id, { ...row, steps }])),
    deliveries: new Map(newerRows(deliveries, lastMessageId)),
    requests,
    stream,
  }
}

function newerRows<R extends { readonly lastMessageId: MessageId }>(
  rows: ReadonlyMap<string, R>,
  lastMessageId: MessageId,
): [string, R][] {
  return [...rows].filter(([, row]) => row.lastMessageId > lastMessageId)
}

function applyMessage(draft: TableDraft, told: StreamMessage, lastMessageId: MessageId): void {
  switch (told.kind) {
    case 'payment':
      applyPayment(draft, told.payment, stepOf(told), lastMessageId)
      return
    case 'refund':
      applyRefund(draft, told.refund, lastMessageId)
      return
    case 'payout':
      applyPayout(draft, told.payout, stepOf(told), lastMessageId)
      return
    case 'delivery':
      applyDelivery(draft, told.delivery, undefined, lastMessageId)
      return
    case 'attempt':
      applyDelivery(draft, told.delivery, told.attempt, lastMessageId)
      return
    case 'request': {
      const id = String(told.request.id)
      draft.requests.set(id, { id, request: told.request, lastMessageId })
      return
    }
    default:
      return
  }
}

function applyPayment(
  draft: TableDraft,
  payment: PublicPayment,
  step: TimelineStep | undefined,
  lastMessageId: MessageId,
): void {
  const { id } = payment
  const row = updateRow(draft.payments.get(id), step, lastMessageId, (steps, before) => {
    return { id, payment: { ...before?.payment, ...payment }, steps, lastMessageId }
  })
  draft.payments.set(id, row)
}

function applyPayout(
  draft: TableDraft,
  payout: PublicPayout,
  step: TimelineStep | undefined,
  lastMessageId: MessageId,
): void {
  const { id } = payout
  const row = updateRow(draft.payouts.get(id), step, lastMessageId, (steps, before) => {
    return { id, payout: { ...before?.payout, ...payout }, steps, lastMessageId }
  })
  draft.payouts.set(id, row)
}

/** A message that is older than the row is a step of its timeline, and no more. */
function updateRow<R extends PaymentRow | PayoutRow>(
  before: R | undefined,
  step: TimelineStep | undefined,
  lastMessageId: MessageId,
  createRow: (steps: readonly TimelineStep[], before: R | undefined) => R,
): R {
  const steps = addStep(before?.steps ?? [], step)
  return before !== undefined && before.lastMessageId >= lastMessageId ? { ...before, steps } : createRow(steps, before)
}

function applyRefund(draft: TableDraft, refund: PublicRefund, lastMessageId: MessageId): void {
  const before = draft.payments.get(refund.payment_id)
  if (before === undefined || before.lastMessageId >= lastMessageId) return
  const { payment } = before
  const others = payment.refunds.filter(({ id }) => id !== refund.id)
  draft.payments.set(payment.id, { ...before, payment: { ...payment, refunds: [...others, refund] }, lastMessageId })
}

function applyDelivery(
  draft: TableDraft,
  delivery: DeliverySummary,
  attempt: LastAttempt | undefined,
  lastMessageId: MessageId,
): void {
  const { id, attempts_made, attempts_total } = delivery
  const before = draft.deliveries.get(id)
  if (before !== undefined && before.lastMessageId >= lastMessageId) return
  const lastAttempt = attempt ?? before?.lastAttempt
  draft.deliveries.set(
    id,
    deliveryRow(delivery, { attemptsMade: attempts_made, attemptsTotal: attempts_total, lastAttempt, lastMessageId }),
  )
}

function stepOf({ at, change, status }: { at: string; change: string; status: string }): TimelineStep | undefined {
  return change === 'updated' ? undefined : { at, label: status }
}

/** A stream that goes on after a cut may tell again what was known. */
function addStep(steps: readonly TimelineStep[], step: TimelineStep | undefined): readonly TimelineStep[] {
  if (
    step === undefined ||
    steps.some(({ at, label, details }) => at === step.at && label === step.label && details === step.details)
  )
    return steps
  return [...steps, step]
}

function toMessageRow({ id, data, message }: ParsedMessage): MessageRow {
  return {
    id,
    at: message.at,
    kind: message.kind,
    summary: summarizeMessage(message),
    object_id: objectIdOf(message),
    data,
  }
}
