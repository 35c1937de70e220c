import { useMemo } from 'preact/hooks'
import { formatMoney } from '../../domain/currency.ts'
import { type ListedPayment, ROW_LIMITS } from '../../view-model/rows/rows.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { Status } from '../components/badge.tsx'
import type { ListDefinition } from '../components/list-definition.ts'
import { ListView } from '../components/list-view.tsx'
import { RefundDetail } from '../detail/refund-detail.tsx'
import type { RefundRow } from '../detail/refund-row.ts'
import { useStore } from '../state/store.ts'
import type { View } from './view.ts'

const STATUSES = ['pending', 'succeeded', 'failed'] as const

const LIST: ListDefinition<RefundRow> = {
  title: 'refunds',
  searchHint: 'search_refunds',
  limit: ROW_LIMITS.payments,
  empty: { title: 'no_refunds', text: 'no_refunds_text' },
  filters: [
    { key: 'status', title: 'status', choices: STATUSES, read: ({ refund }) => refund.status },
    { key: 'date', title: 'date', choices: 'date', read: ({ refund }) => refund.created_at.slice(0, 10) },
  ],
  columns: [
    {
      key: 'amount',
      title: 'amount',
      width: '9.5rem',
      align: 'end',
      narrow: 'start',
      cell: ({ refund, payment }) => <span class="money">{formatMoney(refund.amount, payment.currency)}</span>,
      compare: (a, b) => a.refund.amount - b.refund.amount,
    },
    {
      key: 'status',
      title: 'status',
      width: '7.5rem',
      narrow: 'end',
      cell: ({ refund }) => <Status status={refund.status} />,
      compare: (a, b) => STATUSES.indexOf(a.refund.status) - STATUSES.indexOf(b.refund.status),
    },
    {
      key: 'order',
      title: 'order',
      width: 'minmax(6rem, 1fr)',
      narrow: 'below',
      cell: ({ payment }) => <bdi>{payment.order_id}</bdi>,
    },
    {
      key: 'reason',
      title: 'reason',
      width: 'minmax(5rem, 1fr)',
      cell: ({ refund }) => <bdi class="quiet">{refund.reason ?? ''}</bdi>,
    },
    {
      key: 'created',
      title: 'created',
      width: '10rem',
      narrow: 'below-end',
      cell: ({ refund }) => (
        <time class="quiet" dateTime={refund.created_at}>
          {formatDateTime(refund.created_at)}
        </time>
      ),
    },
  ],
}

function Refunds() {
  const { model, route } = useStore().now
  const { payments } = model.tables
  const rows = useMemo(() => refundRows(payments.values()), [payments])
  const words = (route.query['q'] ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const found = useMemo(
    () => (words.length === 0 ? rows : rows.filter((row) => words.every((word) => searchText(row).includes(word)))),
    [rows, words.join(' ')],
  )
  return <ListView list={LIST} rows={rows} found={found} detail={(id) => <RefundDetail id={id} rows={rows} />} />
}

/** Returns the refunds of all payments, the newest first. */
function refundRows(payments: Iterable<{ readonly payment: ListedPayment }>): readonly RefundRow[] {
  const rows: RefundRow[] = []
  for (const { payment } of payments)
    for (const refund of payment.refunds) rows.push({ id: refund.id, refund, payment })
  return rows.sort((a, b) => (a.refund.created_at < b.refund.created_at ? 1 : -1))
}

function searchText({ refund, payment }: RefundRow): string {
  const { id, amount, status, reason = '' } = refund
  return [id, amount, formatMoney(amount, payment.currency), status, reason, payment.id, payment.order_id]
    .join(' ')
    .toLowerCase()
}

export const refundsView: View = { name: 'refunds', title: 'refunds', icon: 'refunds', component: Refunds }
