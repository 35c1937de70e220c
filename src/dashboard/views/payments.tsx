import { useMemo } from 'preact/hooks'
import { PAYMENT_METHODS } from '../../domain/payment-methods.ts'
import { PAYMENT_STATUSES } from '../../domain/payment-states.ts'
import { whyNotDelivered } from '../../view-model/rows/attempt-result.ts'
import { type DeliveryRow, type PaymentRow, ROW_LIMITS } from '../../view-model/rows/rows.ts'
import { healthText, isFailing, type WebhookHealth, webhookHealth } from '../../view-model/rows/webhook-health.ts'
import { amountColumn, byText, dateFilter, statusColumn, textColumn, timeColumn } from '../components/columns.tsx'
import type { ListDefinition } from '../components/list-definition.ts'
import { PaneList } from '../components/pane-list.tsx'
import { PaymentDetail } from '../detail/object-detail.tsx'
import { useStore } from '../state/store.ts'
import { type Translate, useText } from '../text/translate.ts'

const createdOf = ({ payment }: PaymentRow) => payment.created_at

/**
 * Returns the list of payments, with the state of the webhooks of each payment.
 * @param isComplete whether all deliveries were read
 */
const paymentListDefinition = (
  { byObject }: WebhookHealth,
  isComplete: boolean,
  t: Translate,
): ListDefinition<PaymentRow> => ({
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
    {
      key: 'webhook',
      title: 'webhook',
      choices: ['failed', 'ok'],
      read: ({ id }) => webhookState(byObject.get(id)),
    },
  ],
  columns: [
    amountColumn(({ payment }) => payment),
    statusColumn(({ payment }) => payment.status, PAYMENT_STATUSES),
    textColumn('order', 8.5, ({ payment }) => payment.order_id, {
      narrow: 'below',
      isQuiet: false,
      compare: (a, b) => byText(a.payment.order_id, b.payment.order_id),
    }),
    {
      key: 'webhook',
      title: 'webhook',
      minWidth: 8,
      narrow: 'middle',
      fills: true,
      cell: ({ id }) => {
        const row = byObject.get(id)
        if (row === undefined) return isComplete ? '' : <span class="quiet">…</span>
        if (!isFailing(row)) return <span class="quiet one-line">{t.label(healthText(row, String))}</span>
        return (
          <span class="tone-failure one-line">
            {t.result((row.lastAttempt && whyNotDelivered(row.lastAttempt)) ?? '')}
          </span>
        )
      },
    },
    timeColumn(createdOf),
    textColumn('method', 4, ({ payment }) => payment.method, {
      compare: (a, b) => byText(a.payment.method, b.payment.method),
    }),
    textColumn(
      'customer',
      6.5,
      ({ payment }) => payment.metadata['customer_id'] ?? payment.customer_phone_mask ?? payment.customer_card_mask,
    ),
  ],
})

function webhookState(row: DeliveryRow | undefined): string {
  if (row === undefined) return ''
  return isFailing(row) ? 'failed' : 'ok'
}

export function Payments() {
  const { tables, rowsRead } = useStore().app.model
  const health = webhookHealth(tables)
  const isComplete = rowsRead.deliveries === undefined
  const t = useText()
  const list = useMemo(() => paymentListDefinition(health, isComplete, t), [health, isComplete, t])
  return <PaneList pane="payments" list={list} Detail={PaymentDetail} />
}
