import { formatMoney } from '../../domain/currency.ts'
import { ignoredPlan } from '../../domain/simulator-plan.ts'
import { formatDateTime } from '../../terminal/time-format.ts'
import { type Lines, stranger } from '../looks/line.ts'
import type { Marks } from '../looks/marks.ts'
import { statusLook, statusText } from '../looks/status.ts'
import type { PaymentRow } from '../state/rows.ts'
import type { Detail } from '../state/state.ts'
import { eventLines } from './delivery-lines.ts'
import { type FieldRow, fields, heading } from './field-lines.ts'
import { paymentSteps, timelineLines } from './timeline.ts'

/** A payment: what it is, its timeline, its fields, its refunds, and each webhook with every attempt. */
export function paymentLines(row: PaymentRow, found: Detail, width: number, marks: Marks): Lines {
  const { payment } = row
  return [
    [[payment.id, 'bold']],
    [
      [statusText(payment.status, marks), statusLook(payment.status)],
      `  ${formatMoney(payment.amount, payment.currency)}  ${payment.method}`,
    ],
    ...timelineLines(paymentSteps(row), marks, row.steps),
    ...heading('Fields'),
    ...fields(fieldsOf(row)),
    ...metadataLines(row),
    ...(payment.refunds.length === 0 ? [] : [...heading('Refunds'), ...refundLines(row, marks)]),
    ...eventLines(found, width, marks),
  ]
}

function fieldsOf({ payment }: PaymentRow): readonly FieldRow[] {
  const { metadata } = payment
  const ignored = ignoredPlan(metadata)
  return [
    ['order', payment.order_id],
    ['about', payment.description],
    ['refunded', payment.amount_refunded > 0 ? formatMoney(payment.amount_refunded, payment.currency) : undefined],
    ['planned', planOf(payment)],
    ['ignored', ignored && 'metadata.simulate, which is no plan', 'odd'],
    ['meant', ignored?.near, 'odd'],
    ['failure', metadata['failure_code'], 'bad'],
    ['shop', payment.shop_name ?? payment.terminal_name ?? payment.shop_id],
    ['mode', payment.mode],
    ['rrn', payment.rrn],
    ['bank', payment.bank_name],
    ['payer', payment.customer_phone_mask ?? payment.customer_card_mask],
    ['holder', payment.customer_card_holder],
    ['return', payment.return_url],
    ['expires', formatDateTime(payment.expires_at)],
    ['answer by', payment.processing_until ? formatDateTime(payment.processing_until) : undefined],
  ]
}

function metadataLines({ payment }: PaymentRow): Lines {
  const own = Object.entries(payment.metadata)
  return own.length === 0 ? [] : [...heading('Metadata'), ...fields(own.map(([key, value]) => [stranger(key), value]))]
}

function planOf({ plan, decided_by, metadata }: PaymentRow['payment']): string | undefined {
  const outcome = plan ?? metadata['simulator_outcome']
  return decided_by === undefined ? outcome : `${outcome}, decided by ${decided_by}`
}

function refundLines({ payment }: PaymentRow, marks: Marks): Lines {
  return payment.refunds.map(({ id, amount, status, reason }) => [
    [statusText(status, marks), statusLook(status)],
    `  ${formatMoney(amount, payment.currency)}`,
    reason === undefined ? '' : `  ${stranger(reason)}`,
    [`  ${id}`, 'dim'],
  ])
}
