// A batch of the stream's messages, taken into the tables. The tables are copied once a batch, not once a message.
import type { PublicPayment } from '../../domain/payment.ts'
import type { PublicPayout } from '../../domain/payout.ts'
import type { PublicRefund } from '../../domain/refund.ts'
import type { DeliverySummary, Heard, Told } from './message.ts'
import { objectOf } from './message.ts'
import { messageWord } from './message-word.ts'
import {
  type AsOf,
  bound,
  type DeliveryRow,
  deliveryRow,
  KEPT,
  type LastAttempt,
  type MessageRow,
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
    const as_of = Number(heard.id)
    if (heard.told.kind === 'reset') draft = afterReset(draft, as_of)
    take(draft, heard.told, as_of)
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

/** What lists told since then stays, but for the steps of before. */
function afterReset({ payments, payouts, deliveries, requests, stream }: Draft, as_of: AsOf): Draft {
  const steps: readonly Step[] = []
  return {
    payments: new Map(newer(payments, as_of).map(([id, row]) => [id, { ...row, steps }])),
    payouts: new Map(newer(payouts, as_of).map(([id, row]) => [id, { ...row, steps }])),
    deliveries: new Map(newer(deliveries, as_of)),
    requests,
    stream,
  }
}

function newer<R extends { readonly as_of: AsOf }>(rows: ReadonlyMap<string, R>, as_of: AsOf): [string, R][] {
  return [...rows].filter(([, row]) => row.as_of > as_of)
}

function take(draft: Draft, told: Told, as_of: AsOf): void {
  switch (told.kind) {
    case 'payment':
      takePayment(draft, told.payment, stepOf(told), as_of)
      return
    case 'refund':
      takeRefund(draft, told.refund, as_of)
      return
    case 'payout':
      takePayout(draft, told.payout, stepOf(told), as_of)
      return
    case 'delivery':
      takeDelivery(draft, told.delivery, undefined, as_of)
      return
    case 'attempt':
      takeDelivery(draft, told.delivery, told.attempt, as_of)
      return
    case 'request': {
      const id = String(told.request.id)
      draft.requests.set(id, { id, request: told.request, as_of })
      return
    }
    default:
      return
  }
}

function takePayment(draft: Draft, payment: PublicPayment, step: Step | undefined, as_of: AsOf): void {
  const { id } = payment
  const row = moved(draft.payments.get(id), step, as_of, (steps, before) => {
    return { id, payment: { ...before?.payment, ...payment }, steps, as_of }
  })
  draft.payments.set(id, row)
}

function takePayout(draft: Draft, payout: PublicPayout, step: Step | undefined, as_of: AsOf): void {
  const { id } = payout
  const row = moved(draft.payouts.get(id), step, as_of, (steps, before) => {
    return { id, payout: { ...before?.payout, ...payout }, steps, as_of }
  })
  draft.payouts.set(id, row)
}

/** A message that is older than the row is a step of its timeline, and no more. */
function moved<R extends PaymentRow | PayoutRow>(
  before: R | undefined,
  step: Step | undefined,
  as_of: AsOf,
  anew: (steps: readonly Step[], before: R | undefined) => R,
): R {
  const steps = withStep(before?.steps ?? [], step)
  return before !== undefined && before.as_of >= as_of ? { ...before, steps } : anew(steps, before)
}

function takeRefund(draft: Draft, refund: PublicRefund, as_of: AsOf): void {
  const before = draft.payments.get(refund.payment_id)
  if (before === undefined || before.as_of >= as_of) return
  const { payment } = before
  const others = payment.refunds.filter(({ id }) => id !== refund.id)
  draft.payments.set(payment.id, { ...before, payment: { ...payment, refunds: [...others, refund] }, as_of })
}

function takeDelivery(draft: Draft, delivery: DeliverySummary, attempt: LastAttempt | undefined, as_of: AsOf): void {
  const { id, attempts_made, attempts_total } = delivery
  const before = draft.deliveries.get(id)
  if (before !== undefined && before.as_of >= as_of) return
  const last = attempt ?? before?.last
  draft.deliveries.set(id, deliveryRow(delivery, { made: attempts_made, total: attempts_total, last, as_of }))
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
