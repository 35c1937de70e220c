// Renders the detail of a payment or payout.
import { findBank } from '../../domain/bank.ts'
import { formatMoney } from '../../domain/currency.ts'
import { ignoredPlan } from '../../domain/simulator-plan.ts'
import { formatDateTime } from '../../domain/time-text.ts'
import { paymentSteps, payoutSteps, timelineLines } from '../../view-model/detail/timeline.ts'
import type { Detail } from '../../view-model/model.ts'
import type { PaymentRow, PayoutRow } from '../../view-model/rows/rows.ts'
import { type StyledLines, sanitizeValue } from '../theme/styled-line.ts'
import { type Symbols, statusStyle, statusText } from '../theme/theme.ts'
import { type FieldRow, fieldLines, headingLines } from './field-lines.ts'
import { webhookLines } from './webhook-lines.ts'

/** Shows a payment with its timeline, fields, refunds, and webhooks with every attempt. */
export function paymentLines(row: PaymentRow, loaded: Detail, width: number, symbols: Symbols): StyledLines {
  const { payment } = row
  return [
    [[payment.id, 'bold']],
    [
      [statusText(payment.status, symbols), statusStyle(payment.status)],
      `  ${formatMoney(payment.amount, payment.currency)}  ${payment.method}`,
    ],
    ...timelineLines(paymentSteps(row), symbols, row.steps),
    ...headingLines('Fields'),
    ...fieldLines(fieldsOf(row)),
    ...metadataLines(row),
    ...(payment.refunds.length === 0 ? [] : [...headingLines('Refunds'), ...refundLines(row, symbols)]),
    ...webhookLines(loaded, width, symbols),
  ]
}

function fieldsOf({ payment }: PaymentRow): readonly FieldRow[] {
  const { metadata } = payment
  const ignored = ignoredPlan(metadata)
  return [
    ['order', payment.order_id],
    ['description', payment.description],
    ['refunded', payment.amount_refunded > 0 ? formatMoney(payment.amount_refunded, payment.currency) : undefined],
    ['planned', planOf(payment)],
    ['ignored', ignored && 'metadata.simulate, which is not a plan', 'warning'],
    ['suggested', ignored?.near, 'warning'],
    ['failure', metadata['failure_code'], 'failure'],
    ['shop', payment.shop_name ?? payment.terminal_name ?? payment.shop_id],
    ['mode', payment.mode],
    ['rrn', payment.rrn],
    ['bank', payment.bank_name],
    ['payer', payment.customer_phone_mask ?? payment.customer_card_mask],
    ['holder', payment.customer_card_holder],
    ['return', payment.return_url],
    ['expires', formatDateTime(payment.expires_at)],
    ['result by', payment.processing_until ? formatDateTime(payment.processing_until) : undefined],
  ]
}

function metadataLines({ payment }: PaymentRow): StyledLines {
  const entries = Object.entries(payment.metadata)
  return entries.length === 0
    ? []
    : [...headingLines('Metadata'), ...fieldLines(entries.map(([key, value]) => [sanitizeValue(key), value]))]
}

function planOf({ plan, decided_by, metadata }: PaymentRow['payment']): string | undefined {
  const outcome = plan ?? metadata['simulator_outcome']
  return decided_by === undefined ? outcome : `${outcome}, decided by ${decided_by}`
}

function refundLines({ payment }: PaymentRow, symbols: Symbols): StyledLines {
  return payment.refunds.map(({ id, amount, status, reason }) => [
    [statusText(status, symbols), statusStyle(status)],
    `  ${formatMoney(amount, payment.currency)}`,
    reason === undefined ? '' : `  ${sanitizeValue(reason)}`,
    [`  ${id}`, 'dim'],
  ])
}

export function payoutLines(row: PayoutRow, loaded: Detail, width: number, symbols: Symbols): StyledLines {
  const { payout } = row
  return [
    [[payout.id, 'bold']],
    [
      [statusText(payout.status, symbols), statusStyle(payout.status)],
      `  ${formatMoney(payout.amount, payout.currency)}  ${payout.method}`,
    ],
    ...timelineLines(payoutSteps(row), symbols, row.steps),
    ...headingLines('Fields'),
    ...fieldLines([
      ['phone', payout.recipient.phone],
      ['bank', [findBank(payout.recipient.bank_id)?.name, payout.recipient.bank_id].filter(Boolean).join('  ')],
      ['name', payout.recipient.full_name],
      ['reason', payout.fail_reason, 'failure'],
      ['planned', payout.plan],
      ['decided by', payout.decided_by],
      ['mode', payout.mode],
    ]),
    ...webhookLines(loaded, width, symbols),
  ]
}
