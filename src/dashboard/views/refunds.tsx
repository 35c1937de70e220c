import { useMemo } from 'preact/hooks'
import { formatMoney } from '../../domain/currency.ts'
import { type ListedPayment, ROW_LIMITS } from '../../view-model/rows/rows.ts'
import { amountColumn, dateFilter, statusColumn, textColumn, timeColumn } from '../components/columns.tsx'
import type { ListDefinition } from '../components/list-definition.ts'
import { ListView } from '../components/list-view.tsx'
import { RefundDetail } from '../detail/refund-detail.tsx'
import type { RefundRow } from '../detail/refund-row.ts'
import { useStore } from '../state/store.ts'
import { useSearch } from '../state/use-search.ts'
import type { View } from './view.ts'

const STATUSES = ['pending', 'succeeded', 'failed'] as const

const createdOf = ({ refund }: RefundRow) => refund.created_at

const LIST: ListDefinition<RefundRow> = {
  title: 'refunds',
  searchHint: 'search_refunds',
  limit: ROW_LIMITS.payments,
  empty: { title: 'no_refunds', text: 'no_refunds_text' },
  filters: [
    { key: 'status', title: 'status', choices: STATUSES, read: ({ refund }) => refund.status },
    dateFilter(createdOf),
  ],
  columns: [
    amountColumn(({ refund, payment }) => ({ amount: refund.amount, currency: payment.currency })),
    statusColumn(({ refund }) => refund.status, STATUSES),
    textColumn('order', 'minmax(6rem, 1fr)', ({ payment }) => payment.order_id, { narrow: 'below', isQuiet: false }),
    textColumn('reason', 'minmax(5rem, 1fr)', ({ refund }) => refund.reason),
    timeColumn(createdOf),
  ],
}

function Refunds() {
  const { model } = useStore().app
  const { payments } = model.tables
  const rows = useMemo(() => refundRows(payments.values()), [payments])
  const found = useSearch(rows, textsOf)
  const reading = model.rowsRead.payments === undefined ? undefined : rows.length
  return (
    <ListView
      list={LIST}
      rows={rows}
      found={found}
      reading={reading}
      detail={(id) => <RefundDetail id={id} rows={rows} />}
    />
  )
}

/** Returns the refunds of all payments, the newest first. */
function refundRows(payments: Iterable<{ readonly payment: ListedPayment }>): readonly RefundRow[] {
  const rows: RefundRow[] = []
  for (const { payment } of payments)
    for (const refund of payment.refunds) rows.push({ id: refund.id, refund, payment })
  return rows.sort((a, b) => (a.refund.created_at < b.refund.created_at ? 1 : -1))
}

function textsOf({ refund, payment }: RefundRow) {
  const { id, amount, status, reason } = refund
  return [id, amount, formatMoney(amount, payment.currency), status, reason, payment.id, payment.order_id]
}

export const refundsView: View = { name: 'refunds', letter: 'r', title: 'refunds', icon: 'refunds', component: Refunds }
