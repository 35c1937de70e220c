import { useMemo } from 'preact/hooks'
import { formatMoney } from '../../domain/currency.ts'
import type { PublicRefund } from '../../domain/refund.ts'
import { fieldRows } from '../../view-model/detail/blocks.ts'
import { statusTone } from '../../view-model/detail/tones.ts'
import { type ListedPayment, ROW_LIMITS } from '../../view-model/rows/rows.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { Button } from '../components/button.tsx'
import { amountColumn, dateFilter, statusColumn, textColumn, timeColumn } from '../components/columns.tsx'
import { DetailFrame, NoDetail } from '../components/detail-frame.tsx'
import type { ListDefinition } from '../components/list-definition.ts'
import { ListView } from '../components/list-view.tsx'
import { ObjectLink } from '../components/object-link.tsx'
import { Blocks } from '../detail/blocks.tsx'
import { useStore } from '../state/store.ts'
import { useSearch } from '../state/use-search.ts'
import { useTask } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'

/** A refund with its payment. The tables contain refunds only inside their payments. */
interface RefundRow {
  readonly id: string
  readonly refund: PublicRefund
  readonly payment: ListedPayment
}

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
    textColumn('order', 6, ({ payment }) => payment.order_id, { narrow: 'below', isQuiet: false }),
    textColumn('reason', 5, ({ refund }) => refund.reason),
    timeColumn(createdOf),
  ],
}

export function Refunds() {
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

function RefundDetail({ id, rows }: { readonly id: string; readonly rows: readonly RefundRow[] }) {
  const t = useText()
  const store = useStore()
  const run = useTask()
  const { session, model } = store.app
  const row = rows.find((each) => each.id === id)
  if (row === undefined) return <NoDetail loading={model.rowsRead.payments !== undefined} />
  const { refund, payment } = row
  const settle = (status: 'succeeded' | 'failed') =>
    run('done_refund', () => session.client.control.act.refund(id, { action: 'settle', status }))
  const isOpen = !session.readOnly && refund.status === 'pending'
  return (
    <DetailFrame
      view={{
        title: id,
        note: '',
        problem: undefined,
        summary: [
          { text: refund.status, tone: statusTone(refund.status), isStatus: true },
          { text: formatMoney(refund.amount, payment.currency), tone: 'plain' },
        ],
      }}
      buttons={
        <>
          {isOpen && (
            <Button look="primary" onClick={() => settle('succeeded')}>
              {t('settle')}
            </Button>
          )}
          {isOpen && <Button onClick={() => settle('failed')}>{t('decline')}</Button>}
          <ObjectLink view="payments" id={payment.id}>
            {t('payment')}
          </ObjectLink>
        </>
      }
    >
      <Blocks
        blocks={[
          {
            kind: 'fields',
            title: 'Fields',
            rows: fieldRows([
              ['order', payment.order_id],
              ['reason', refund.reason],
              ['at', formatDateTime(refund.created_at)],
            ]),
          },
        ]}
      />
    </DetailFrame>
  )
}
