// A batch of the stream's messages, taken into the tables. The tables are copied once a batch, not once a message.
import type { PublicPayment } from '../../domain/payment.ts'
import type { PublicRefund } from '../../domain/refund.ts'
import type { DeliverySummary, Heard, Told } from './message.ts'
import { objectOf } from './message.ts'
import { messageWord } from './message-word.ts'
import {
  bound,
  type DeliveryRow,
  deliveryRow,
  KEPT,
  type LastAttempt,
  type MessageRow,
  NO_ROWS,
  type PaymentRow,
  type PayoutRow,
  type RequestRow,
  type Step,
  type Tables,
} from './rows.ts'

interface Draft {
  payments: Map<string, PaymentRow>
  payouts: Map<string, PayoutRow>
  deliveries: Map<string, DeliveryRow>
  requests: Map<string, RequestRow>
  stream: Map<string, MessageRow>
}

export function takeMessages(tables: Tables, batch: readonly Heard[]): Tables {
  let draft = open(tables)
  for (const heard of batch) {
    if (heard.told.kind === 'reset') draft = open({ ...NO_ROWS, stream: draft.stream, requests: draft.requests })
    take(draft, heard.told)
    draft.stream.set(heard.id, messageRow(heard))
  }
  return {
    payments: bound(draft.payments, KEPT.payments),
    payouts: bound(draft.payouts, KEPT.payouts),
    deliveries: bound(draft.deliveries, KEPT.deliveries),
    requests: bound(draft.requests, KEPT.requests),
    stream: bound(draft.stream, KEPT.stream),
  }
}

function open(tables: Tables): Draft {
  return {
    payments: new Map(tables.payments),
    payouts: new Map(tables.payouts),
    deliveries: new Map(tables.deliveries),
    requests: new Map(tables.requests),
    stream: new Map(tables.stream),
  }
}

function take(draft: Draft, told: Told): void {
  switch (told.kind) {
    case 'payment':
      takePayment(draft, told.payment, stepOf(told))
      return
    case 'refund':
      takeRefund(draft, told.refund)
      return
    case 'payout': {
      const before = draft.payouts.get(told.payout.id)
      const steps = withStep(before?.steps ?? [], stepOf(told))
      draft.payouts.set(told.payout.id, {
        id: told.payout.id,
        payout: { ...before?.payout, ...told.payout },
        steps,
      })
      return
    }
    case 'delivery':
      takeDelivery(draft, told.delivery, undefined)
      return
    case 'attempt':
      takeDelivery(draft, told.delivery, told.attempt)
      return
    case 'request': {
      const id = String(told.request.id)
      draft.requests.set(id, { id, request: told.request })
      return
    }
    default:
      return
  }
}

function takePayment(draft: Draft, payment: PublicPayment, step: Step | undefined): void {
  const before = draft.payments.get(payment.id)
  draft.payments.set(payment.id, {
    id: payment.id,
    payment: { ...before?.payment, ...payment },
    steps: withStep(before?.steps ?? [], step),
  })
}

function takeRefund(draft: Draft, refund: PublicRefund): void {
  const before = draft.payments.get(refund.payment_id)
  if (before === undefined) return
  const { payment } = before
  const others = payment.refunds.filter(({ id }) => id !== refund.id)
  draft.payments.set(payment.id, {
    id: payment.id,
    payment: { ...payment, refunds: [...others, refund] },
    steps: before.steps,
  })
}

function takeDelivery(draft: Draft, delivery: DeliverySummary, attempt: LastAttempt | undefined): void {
  const { id, attempts_made, attempts_total } = delivery
  const last = attempt ?? draft.deliveries.get(id)?.last
  draft.deliveries.set(id, deliveryRow(delivery, { made: attempts_made, total: attempts_total, last }))
}

function stepOf({ at, change, status }: { at: string; change: string; status: string }): Step | undefined {
  return change === 'updated' ? undefined : { at, word: status }
}

/** A stream that goes on after a cut may tell again what was known. */
function withStep(steps: readonly Step[], step: Step | undefined): readonly Step[] {
  if (
    step === undefined ||
    steps.some(({ at, word, more }) => at === step.at && word === step.word && more === step.more)
  )
    return steps
  return [...steps, step]
}

function messageRow({ id, data, told }: Heard): MessageRow {
  return { id, at: told.at, kind: told.kind, word: messageWord(told), object_id: objectOf(told), data }
}
