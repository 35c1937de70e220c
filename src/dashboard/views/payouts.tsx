import { useMemo } from 'preact/hooks'
import { formatMoney } from '../../domain/currency.ts'
import { openNewForm } from '../../view-model/forms/open-form.ts'
import { type PayoutRow, ROW_LIMITS } from '../../view-model/rows/rows.ts'
import { visibleRows } from '../../view-model/rows/visible-rows.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { Status } from '../components/badge.tsx'
import { Icon } from '../components/icon.tsx'
import type { ListDefinition } from '../components/list-definition.ts'
import { ListView } from '../components/list-view.tsx'
import { PayoutDetail } from '../detail/payout-detail.tsx'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import type { View } from './view.ts'

const STATUSES = ['pending', 'succeeded', 'failed'] as const

const LIST: ListDefinition<PayoutRow> = {
  title: 'payouts',
  searchHint: 'search_payments',
  limit: ROW_LIMITS.payouts,
  empty: { title: 'no_payouts', text: 'no_payouts_text' },
  filters: [
    { key: 'status', title: 'status', choices: STATUSES, read: ({ payout }) => payout.status },
    { key: 'date', title: 'date', choices: 'date', read: ({ payout }) => payout.created_at.slice(0, 10) },
  ],
  columns: [
    {
      key: 'amount',
      title: 'amount',
      width: '9.5rem',
      align: 'end',
      narrow: 'start',
      cell: ({ payout }) => <span class="money">{formatMoney(payout.amount, payout.currency)}</span>,
      compare: (a, b) => a.payout.amount - b.payout.amount,
    },
    {
      key: 'status',
      title: 'status',
      width: '7.5rem',
      narrow: 'end',
      cell: ({ payout }) => <Status status={payout.status} />,
      compare: (a, b) =>
        STATUSES.indexOf(a.payout.status as 'pending') - STATUSES.indexOf(b.payout.status as 'pending'),
    },
    {
      key: 'recipient',
      title: 'recipient',
      width: 'minmax(8rem, 2fr)',
      narrow: 'below',
      cell: ({ payout }) => (
        <bdi>{[payout.recipient.phone, payout.recipient.full_name].filter(Boolean).join(' · ')}</bdi>
      ),
    },
    {
      key: 'reason',
      title: 'reason',
      width: 'minmax(5rem, 1fr)',
      cell: ({ payout }) => <span class="quiet">{payout.fail_reason ?? ''}</span>,
    },
    {
      key: 'created',
      title: 'created',
      width: '10rem',
      narrow: 'below-end',
      cell: ({ payout }) => (
        <time class="quiet" dateTime={payout.created_at}>
          {formatDateTime(payout.created_at)}
        </time>
      ),
    },
  ],
}

function Payouts() {
  const store = useStore()
  const t = useText()
  const { model, route, session } = store.now
  const { payouts } = model.tables
  const rows = useMemo(() => [...payouts.values()].reverse(), [payouts])
  const filter = route.query['q'] ?? ''
  const found = visibleRows(
    { tables: model.tables, listViews: { ...model.listViews, payouts: { selectedId: undefined, sort: 0, filter } } },
    'payouts',
  ) as readonly PayoutRow[]
  const onNew = session.readOnly ? undefined : () => store.open({ kind: 'form', form: openNewForm('payout') })
  return (
    <ListView
      list={LIST}
      rows={rows}
      found={found}
      onNew={onNew}
      actions={
        onNew && (
          <button type="button" class="button primary" onClick={onNew}>
            <Icon name="plus" /> {t('new_payout')}
          </button>
        )
      }
      detail={(id) => <PayoutDetail key={id} id={id} />}
    />
  )
}

export const payoutsView: View = { name: 'payouts', title: 'payouts', icon: 'payouts', component: Payouts }
