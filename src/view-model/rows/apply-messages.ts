// Applies stream messages to the tables in batches, so that the tables are copied once per batch.
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
import type { ControlMessage, ParsedMessage } from './stream-message.ts'
import { trimDeliveries } from './webhook-health.ts'

interface TableDraft {
  payments: Map<string, PaymentRow>
  payouts: Map<string, PayoutRow>
  deliveries: Map<string, DeliveryRow>
  requests: Map<string, RequestRow>
}

/** @param lastHistoryId messages up to this id change only known rows, because the lists contain all rows that exist */
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

/** Whether the row of the message is known. True for kinds of messages that add no row. */
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
    case 'payment': {
      const { id } = message.payment
      const step = threeDsStepOf(message, messageId) ?? stepOf(message)
      const row = updateRow(draft.payments.get(id), step, messageId, (before) => {
        return { id, payment: { ...before?.payment, ...message.payment } }
      })
      draft.payments.set(id, row)
      return
    }
    case 'payout': {
      const { id } = message.payout
      const row = updateRow(draft.payouts.get(id), stepOf(message), messageId, (before) => {
        return { id, payout: { ...before?.payout, ...message.payout } }
      })
      draft.payouts.set(id, row)
      return
    }
    case 'refund':
      applyRefund(draft, message.refund, messageId)
      return
    case 'delivery':
    case 'attempt': {
      const { id } = message.delivery
      const before = draft.deliveries.get(id)
      if (before !== undefined && before.lastMessageId >= messageId) return
      const attempt = message.kind === 'attempt' ? message.attempt : undefined
      draft.deliveries.set(id, deliveryRow(message.delivery, attempt ?? before?.lastAttempt, messageId))
      return
    }
    case 'request': {
      const id = String(message.request.id)
      draft.requests.set(id, { id, request: message.request, lastMessageId: messageId })
      return
    }
    default:
      return
  }
}

/**
 * Updates a row. A message older than the row only adds a step to its timeline.
 * @param changed returns the row's object after the message
 */
function updateRow<R extends PaymentRow | PayoutRow>(
  before: R | undefined,
  step: TimelineStep | undefined,
  messageId: MessageId,
  changed: (before: R | undefined) => Omit<R, 'steps' | 'lastMessageId'>,
): R {
  const steps = addStep(before?.steps ?? [], step)
  if (before !== undefined && before.lastMessageId >= messageId) return { ...before, steps }
  return { ...changed(before), steps, lastMessageId: messageId } as unknown as R
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
  const isKnown = steps.some(
    ({ at, label, details, messageId }) =>
      at === step?.at && label === step.label && details === step.details && messageId === step.messageId,
  )
  return step === undefined || isKnown ? steps : [...steps, step]
}
