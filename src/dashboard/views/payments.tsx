import { useMemo } from 'preact/hooks'
import { formatMoney } from '../../domain/currency.ts'
import { PAYMENT_METHODS } from '../../domain/payment-methods.ts'
import { PAYMENT_STATUSES } from '../../domain/payment-states.ts'
import { openNewForm } from '../../view-model/forms/open-form.ts'
import { type PaymentRow, ROW_LIMITS } from '../../view-model/rows/rows.ts'
import { visibleRows } from '../../view-model/rows/visible-rows.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { Status } from '../components/badge.tsx'
import { Icon } from '../components/icon.tsx'
import type { ListDefinition } from '../components/list-definition.ts'
import { ListView } from '../components/list-view.tsx'
import { PaymentDetail } from '../detail/payment-detail.tsx'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import type { View } from './view.ts'

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const LIST: ListDefinition<PaymentRow> = {
  title: 'payments',
  searchHint: 'search_payments',
  limit: ROW_LIMITS.payments,
  empty: { title: 'no_payments', text: 'no_payments_text' },
  filters: [
    { key: 'status', title: 'status', choices: PAYMENT_STATUSES, read: ({ payment }) => payment.status },
    { key: 'method', title: 'method', choices: PAYMENT_METHODS, read: ({ payment }) => payment.method },
    { key: 'shop', title: 'shop', read: ({ payment }) => payment.shop_name ?? payment.shop_id ?? '' },
    { key: 'date', title: 'date', choices: 'date', read: ({ payment }) => payment.created_at.slice(0, 10) },
  ],
  columns: [
    {
      key: 'amount',
      title: 'amount',
      width: '9.5rem',
      align: 'end',
      narrow: 'start',
      cell: ({ payment }) => <span class="money">{formatMoney(payment.amount, payment.currency)}</span>,
      compare: (a, b) => a.payment.amount - b.payment.amount,
    },
    {
      key: 'status',
      title: 'status',
      width: '7.5rem',
      narrow: 'end',
      cell: ({ payment }) => <Status status={payment.status} />,
      compare: (a, b) => PAYMENT_STATUSES.indexOf(a.payment.status) - PAYMENT_STATUSES.indexOf(b.payment.status),
    },
    {
      key: 'order',
      title: 'order',
      width: 'minmax(6rem, 2fr)',
      narrow: 'below',
      cell: ({ payment }) => <bdi>{payment.order_id}</bdi>,
      compare: (a, b) => byText(a.payment.order_id, b.payment.order_id),
    },
    {
      key: 'method',
      title: 'method',
      width: '5.5rem',
      cell: ({ payment }) => <span class="quiet">{payment.method}</span>,
      compare: (a, b) => byText(a.payment.method, b.payment.method),
    },
    {
      key: 'customer',
      title: 'customer',
      width: 'minmax(4rem, 1fr)',
      cell: ({ payment }) => (
        <bdi class="quiet">
          {payment.metadata['customer_id'] ?? payment.customer_phone_mask ?? payment.customer_card_mask ?? ''}
        </bdi>
      ),
    },
    {
      key: 'created',
      title: 'created',
      width: '10rem',
      narrow: 'below-end',
      cell: ({ payment }) => (
        <time class="quiet" dateTime={payment.created_at}>
          {formatDateTime(payment.created_at)}
        </time>
      ),
      compare: (a, b) => byText(a.payment.created_at, b.payment.created_at),
    },
  ],
}

function Payments() {
  const store = useStore()
  const t = useText()
  const { model, route, session } = store.now
  const { payments } = model.tables
  const rows = useMemo(() => [...payments.values()].reverse(), [payments])
  const filter = route.query['q'] ?? ''
  const found = visibleRows(
    { tables: model.tables, listViews: { ...model.listViews, payments: { selectedId: undefined, sort: 0, filter } } },
    'payments',
  ) as readonly PaymentRow[]
  const onNew = session.readOnly ? undefined : () => store.open({ kind: 'form', form: openNewForm('payment') })
  return (
    <ListView
      list={LIST}
      rows={rows}
      found={found}
      onNew={onNew}
      actions={
        onNew && (
          <button type="button" class="button primary" onClick={onNew}>
            <Icon name="plus" /> {t('new_payment')}
          </button>
        )
      }
      detail={(id) => <PaymentDetail key={id} id={id} />}
    />
  )
}

export const paymentsView: View = { name: 'payments', title: 'payments', icon: 'payments', component: Payments }
