import { type PayoutRow, ROW_LIMITS } from '../../view-model/rows/rows.ts'
import { amountColumn, dateFilter, statusColumn, textColumn, timeColumn } from '../components/columns.tsx'
import type { ListDefinition } from '../components/list-definition.ts'
import { PaneList } from '../components/pane-list.tsx'
import { PayoutDetail } from '../detail/object-detail.tsx'

const STATUSES = ['pending', 'succeeded', 'failed'] as const

const createdOf = ({ payout }: PayoutRow) => payout.created_at

const LIST: ListDefinition<PayoutRow> = {
  title: 'payouts',
  searchHint: 'search_payments',
  limit: ROW_LIMITS.payouts,
  create: 'payout',
  empty: { title: 'no_payouts', text: 'no_payouts_text' },
  filters: [
    { key: 'status', title: 'status', choices: STATUSES, read: ({ payout }) => payout.status },
    dateFilter(createdOf),
  ],
  columns: [
    amountColumn(({ payout }) => payout),
    statusColumn(({ payout }) => payout.status, STATUSES),
    textColumn(
      'recipient',
      8,
      ({ payout: { recipient } }) => [recipient.phone, recipient.full_name].filter(Boolean).join(' · '),
      { narrow: 'below', isQuiet: false },
    ),
    textColumn('reason', 5, ({ payout }) => payout.fail_reason ?? ''),
    timeColumn(createdOf),
  ],
}

export const Payouts = () => <PaneList pane="payouts" list={LIST} Detail={PayoutDetail} />
