import { formatMoney } from '../../domain/currency.ts'
import { ignoredPlan } from '../../domain/simulator-plan.ts'
import type { Detail } from '../model.ts'
import type { ListedPayment, PaymentRow, PayoutRow } from '../rows/rows.ts'
import { formatDateTime } from '../time-format.ts'
import { type Block, type DetailView, type FieldRow, fieldRows, type StyledText } from './blocks.ts'
import { paymentTimeline, payoutTimeline } from './timeline.ts'
import { statusTone } from './tones.ts'
import { webhooksBlock } from './webhooks.ts'

export interface DetailContext {
  /** Returns the name of a bank. The list of banks is too large for the dashboard, which shows only ids. */
  readonly bankName?: (memberId: string) => string | undefined
  /** Whether old steps of the timeline are still being loaded. Default: false. */
  readonly historyLoading?: boolean
}

export function describePayment(
  row: PaymentRow,
  loaded: Detail,
  { historyLoading = false }: DetailContext,
): DetailView {
  const { payment } = row
  const metadata = fieldRows(Object.entries(payment.metadata))
  return {
    title: payment.id,
    note: '',
    problem: loaded.problem,
    summary: objectSummary(payment),
    blocks: [
      paymentTimeline(row, historyLoading),
      { kind: 'fields', title: 'Fields', rows: paymentFields(payment) },
      ...(metadata.length === 0 ? [] : [{ kind: 'fields', title: 'Metadata', rows: metadata } as const]),
      ...refundsBlock(payment),
      webhooksBlock(loaded),
    ],
  }
}

function objectSummary(object: {
  readonly status: string
  readonly amount: number
  readonly currency: string
  readonly method: string
}): readonly StyledText[] {
  return [
    { text: object.status, tone: statusTone(object.status), isStatus: true },
    { text: formatMoney(object.amount, object.currency), tone: 'plain' },
    { text: object.method, tone: 'plain' },
  ]
}

function paymentFields(payment: ListedPayment): readonly FieldRow[] {
  const { metadata } = payment
  const ignored = ignoredPlan(metadata)
  return fieldRows([
    ['order', payment.order_id],
    ['description', payment.description],
    ['refunded', payment.amount_refunded > 0 ? formatMoney(payment.amount_refunded, payment.currency) : undefined],
    ['planned', payment.plan ?? metadata['simulator_outcome']],
    ['decided by', payment.decided_by],
    ['ignored', ignored && 'metadata.simulate, which is not a plan', 'warning'],
    ['suggested', ignored?.closest, 'warning'],
    ['failure', metadata['failure_code'], 'failure'],
    ['shop', payment.shop_name ?? payment.terminal_name ?? payment.shop_id],
    ['mode', payment.mode],
    ['rrn', payment.rrn],
    ['bank', payment.bank_name],
    ['payer', payment.customer_phone_mask ?? payment.customer_card_mask],
    ['holder', payment.customer_card_holder],
    ['return', payment.return_url],
    // A final payment has no deadline any more.
    ['expires', payment.finalized_at ? undefined : formatDateTime(payment.expires_at)],
    ['bank result by', payment.finalized_at ? undefined : formatDateTime(payment.processing_until ?? '')],
  ])
}

function refundsBlock({ refunds, currency }: ListedPayment): readonly Block[] {
  if (refunds.length === 0) return []
  const lines = refunds.map(({ id, amount, status, reason }): readonly StyledText[] => [
    { text: status, tone: statusTone(status), isStatus: true },
    { text: formatMoney(amount, currency), tone: 'plain' },
    ...(reason === undefined ? [] : [{ text: reason, tone: 'plain' } as const]),
    { text: id, tone: 'dim' },
  ])
  return [{ kind: 'lines', title: 'Refunds', lines }]
}

export function describePayout(
  row: PayoutRow,
  loaded: Detail,
  { bankName, historyLoading = false }: DetailContext,
): DetailView {
  const { payout } = row
  const { phone, bank_id, full_name } = payout.recipient
  return {
    title: payout.id,
    note: '',
    problem: loaded.problem,
    summary: objectSummary(payout),
    blocks: [
      payoutTimeline(row, historyLoading),
      {
        kind: 'fields',
        title: 'Fields',
        rows: fieldRows([
          ['phone', phone],
          ['bank', [bankName?.(bank_id), bank_id].filter(Boolean).join('  ')],
          ['name', full_name],
          ['reason', payout.fail_reason, 'failure'],
          ['planned', payout.plan],
          ['decided by', payout.decided_by],
          ['mode', payout.mode],
        ]),
      },
      webhooksBlock(loaded),
    ],
  }
}
