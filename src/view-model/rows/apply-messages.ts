// Applies stream messages to the tables in batches, so that the tables are copied once per batch.
import type { PublicPayment } from '../../domain/payment.ts'
import type { PublicPayout } from '../../domain/payout.ts'
import type { PublicRefund } from '../../domain/refund.ts'
import { threeDsText } from '../../domain/three-ds.ts'
import { addMessageRows } from './message-rows.ts'
import {
  type DeliveryRow,
  deliveryRow,
  type MessageId,
  type PaymentRow,
  type PayoutRow,
  type RequestRow,
  ROW_LIMITS,
  type Tables,
  type TimelineStep,
  trimOldest,
} from './rows.ts'
import type { ControlMessage, DeliverySummary, LastAttempt, ParsedMessage } from './stream-message.ts'
import { trimDeliveries } from './webhook-health.ts'

interface TableDraft {
  payments: Map<string, PaymentRow>
  payouts: Map<string, PayoutRow>
  deliveries: Map<string, DeliveryRow>
  requests: Map<string, RequestRow>
}

/** @param lastHistoryId messages up to this id are history. They change only known rows, because the lists contain all rows that exist */
export function applyMessages(tables: Tables, batch: readonly ParsedMessage[], lastHistoryId: MessageId = 0): Tables {
  let draft = createDraft(tables)
  for (const parsed of batch) {
    const messageId = Number(parsed.id)
    if (parsed.message.kind === 'reset') draft = applyReset(draft, messageId)
    if (messageId > lastHistoryId || isKnown(draft, parsed.message)) applyMessage(draft, parsed.message, messageId)
  }
  return {
    payments: trimOldest(draft.payments, ROW_LIMITS.payments),
    payouts: trimOldest(draft.payouts, ROW_LIMITS.payouts),
    deliveries: trimDeliveries(draft.deliveries),
    requests: trimOldest(draft.requests, ROW_LIMITS.requests),
    stream: addMessageRows(tables.stream, batch),
  }
}

function createDraft(tables: Tables): TableDraft {
  return {
    payments: new Map(tables.payments),
    payouts: new Map(tables.payouts),
    deliveries: new Map(tables.deliveries),
    requests: new Map(tables.requests),
  }
}

/** Removes payments, payouts and deliveries, except rows that a newer list returned, and clears all steps. */
function applyReset({ payments, payouts, deliveries, requests }: TableDraft, messageId: MessageId): TableDraft {
  const steps: readonly TimelineStep[] = []
  return {
    payments: new Map(newerRows(payments, messageId).map(([id, row]) => [id, { ...row, steps }])),
    payouts: new Map(newerRows(payouts, messageId).map(([id, row]) => [id, { ...row, steps }])),
    deliveries: new Map(newerRows(deliveries, messageId)),
    requests,
  }
}

function newerRows<R extends { readonly lastMessageId: MessageId }>(
  rows: ReadonlyMap<string, R>,
  messageId: MessageId,
): [string, R][] {
  return [...rows].filter(([, row]) => row.lastMessageId > messageId)
}

/** Returns whether the row that the message is about is known. Returns true for kinds of messages that add no row. */
function isKnown({ payments, payouts, deliveries, requests }: TableDraft, message: ControlMessage): boolean {
  switch (message.kind) {
    case 'payment':
      return payments.has(message.payment.id)
    case 'payout':
      return payouts.has(message.payout.id)
    case 'delivery':
    case 'attempt':
      return deliveries.has(message.delivery.id)
    case 'request':
      return requests.has(String(message.request.id))
    default:
      return true
  }
}

function applyMessage(draft: TableDraft, message: ControlMessage, messageId: MessageId): void {
  switch (message.kind) {
    case 'payment':
      applyPayment(draft, message.payment, threeDsStepOf(message, messageId) ?? stepOf(message), messageId)
      return
    case 'refund':
      applyRefund(draft, message.refund, messageId)
      return
    case 'payout':
      applyPayout(draft, message.payout, stepOf(message), messageId)
      return
    case 'delivery':
      applyDelivery(draft, message.delivery, undefined, messageId)
      return
    case 'attempt':
      applyDelivery(draft, message.delivery, message.attempt, messageId)
      return
    case 'request': {
      const id = String(message.request.id)
      draft.requests.set(id, { id, request: message.request, lastMessageId: messageId })
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
  messageId: MessageId,
): void {
  const { id } = payment
  const row = updateRow(draft.payments.get(id), step, messageId, (steps, before) => {
    return { id, payment: { ...before?.payment, ...payment }, steps, lastMessageId: messageId }
  })
  draft.payments.set(id, row)
}

function applyPayout(
  draft: TableDraft,
  payout: PublicPayout,
  step: TimelineStep | undefined,
  messageId: MessageId,
): void {
  const { id } = payout
  const row = updateRow(draft.payouts.get(id), step, messageId, (steps, before) => {
    return { id, payout: { ...before?.payout, ...payout }, steps, lastMessageId: messageId }
  })
  draft.payouts.set(id, row)
}

/** Updates a row. A message older than the row only adds a step to its timeline. */
function updateRow<R extends PaymentRow | PayoutRow>(
  before: R | undefined,
  step: TimelineStep | undefined,
  messageId: MessageId,
  createRow: (steps: readonly TimelineStep[], before: R | undefined) => R,
): R {
  const steps = addStep(before?.steps ?? [], step)
  return before !== undefined && before.lastMessageId >= messageId ? { ...before, steps } : createRow(steps, before)
}

function applyRefund(draft: TableDraft, refund: PublicRefund, messageId: MessageId): void {
  const before = draft.payments.get(refund.payment_id)
  if (before === undefined || before.lastMessageId >= messageId) return
  const { payment } = before
  const others = payment.refunds.filter(({ id }) => id !== refund.id)
  draft.payments.set(payment.id, {
    ...before,
    payment: { ...payment, refunds: [...others, refund] },
    lastMessageId: messageId,
  })
}

function applyDelivery(
  draft: TableDraft,
  delivery: DeliverySummary,
  attempt: LastAttempt | undefined,
  messageId: MessageId,
): void {
  const { id, attempts_made, attempts_total } = delivery
  const before = draft.deliveries.get(id)
  if (before !== undefined && before.lastMessageId >= messageId) return
  const lastAttempt = attempt ?? before?.lastAttempt
  draft.deliveries.set(
    id,
    deliveryRow(delivery, {
      attemptsMade: attempts_made,
      attemptsTotal: attempts_total,
      lastAttempt,
      lastMessageId: messageId,
    }),
  )
}

function stepOf({ at, change, status }: { at: string; change: string; status: string }): TimelineStep | undefined {
  return change === 'updated' ? undefined : { at, label: status }
}

function threeDsStepOf(
  { at, three_ds: step }: { at: string; three_ds?: string },
  messageId: MessageId,
): TimelineStep | undefined {
  if (step === undefined) return undefined
  return { at, label: '3-D Secure', details: threeDsText(step), messageId }
}

/** Adds a step unless it is known. A stream may repeat messages after a reconnect. */
function addStep(steps: readonly TimelineStep[], step: TimelineStep | undefined): readonly TimelineStep[] {
  if (
    step === undefined ||
    steps.some(
      ({ at, label, details, messageId }) =>
        at === step.at && label === step.label && details === step.details && messageId === step.messageId,
    )
  )
    return steps
  return [...steps, step]
}
