import { PAYMENT_METHODS } from '../../domain/payment-methods.ts'
import { PAYMENT_STATUSES } from '../../domain/payment-states.ts'
import { type PaymentRow, ROW_LIMITS } from '../../view-model/rows/rows.ts'
import { amountColumn, byText, dateFilter, statusColumn, textColumn, timeColumn } from '../components/columns.tsx'
import type { ListDefinition } from '../components/list-definition.ts'
import { PaneList } from '../components/pane-list.tsx'
import { PaymentDetail } from '../detail/payment-detail.tsx'
import type { View } from './view.ts'

const createdOf = ({ payment }: PaymentRow) => payment.created_at

const LIST: ListDefinition<PaymentRow> = {
  title: 'payments',
  searchHint: 'search_payments',
  limit: ROW_LIMITS.payments,
  create: 'payment',
  empty: { title: 'no_payments', text: 'no_payments_text' },
  filters: [
    { key: 'status', title: 'status', choices: PAYMENT_STATUSES, read: ({ payment }) => payment.status },
    { key: 'method', title: 'method', choices: PAYMENT_METHODS, read: ({ payment }) => payment.method },
    { key: 'shop', title: 'shop', read: ({ payment }) => payment.shop_name ?? payment.shop_id ?? '' },
    dateFilter(createdOf),
  ],
  columns: [
    amountColumn(({ payment }) => payment),
    statusColumn(({ payment }) => payment.status, PAYMENT_STATUSES),
    textColumn('order', 'minmax(6rem, 2fr)', ({ payment }) => payment.order_id, {
      narrow: 'below',
      isQuiet: false,
      compare: (a, b) => byText(a.payment.order_id, b.payment.order_id),
    }),
    textColumn('method', '5.5rem', ({ payment }) => payment.method, {
      compare: (a, b) => byText(a.payment.method, b.payment.method),
    }),
    textColumn(
      'customer',
      'minmax(4rem, 1fr)',
      ({ payment }) => payment.metadata['customer_id'] ?? payment.customer_phone_mask ?? payment.customer_card_mask,
    ),
    timeColumn(createdOf),
  ],
}

const Payments = () => <PaneList pane="payments" list={LIST} Detail={PaymentDetail} />

export const paymentsView: View = {
  name: 'payments',
  letter: 'p',
  title: 'payments',
  icon: 'payments',
  component: Payments,
}
