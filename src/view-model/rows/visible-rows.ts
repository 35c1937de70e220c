// Filters and sorts the rows of a pane, and finds the selected one.

import { formatMoney } from '../../domain/currency.ts'
import { PAYMENT_STATUSES } from '../../domain/payment-states.ts'
import { formatAmount } from '../forms/form-fields.ts'
import type { ListViewState, Model } from '../model.ts'
import { parseFilter } from './filter.ts'
import type { DeliveryRow, MessageRow, PaneName, Row, RowOf } from './rows.ts'

export interface SortOrder<R> {
  readonly name: string
  /** The title of the column that shows the sorted values. */
  readonly column: string
  /** The smallest value is first. */
  readonly ascending?: true
  /** If omitted, the newest rows are first. */
  readonly compare?: (a: R, b: R) => number
}

const STATUS_RANK: ReadonlyMap<string, number> = new Map<string, number>(
  PAYMENT_STATUSES.map((status, at) => [status, at]),
)
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const rank = (status: string) => STATUS_RANK.get(status) ?? STATUS_RANK.size

type Amount = { readonly amount: number; readonly currency: string }

/** Amounts of different currencies are not comparable, so each currency is a group. */
const byAmount = (a: Amount, b: Amount) => byText(a.currency, b.currency) || b.amount - a.amount

/** Deliveries without an attempt are first, then the newest attempt. */
const byLastAttempt = (a: DeliveryRow, b: DeliveryRow) =>
  byText(b.lastAttempt?.at ?? LATEST, a.lastAttempt?.at ?? LATEST)

const LATEST = '9999'

/** The sort orders of each pane, in the order in which the key `s` cycles through them. */
export const SORT_ORDERS: { readonly [P in PaneName]: readonly SortOrder<RowOf<P>>[] } = {
  payments: [
    { name: 'newest', column: 'age' },
    {
      name: 'status',
      column: 'status',
      ascending: true,
      compare: (a, b) => rank(a.payment.status) - rank(b.payment.status),
    },
    { name: 'amount', column: 'amount', compare: (a, b) => byAmount(a.payment, b.payment) },
    {
      name: 'order',
      column: 'order',
      ascending: true,
      compare: (a, b) => byText(a.payment.order_id, b.payment.order_id),
    },
  ],
  payouts: [
    { name: 'newest', column: 'age' },
    {
      name: 'status',
      column: 'status',
      ascending: true,
      compare: (a, b) => rank(a.payout.status) - rank(b.payout.status),
    },
    { name: 'amount', column: 'amount', compare: (a, b) => byAmount(a.payout, b.payout) },
  ],
  deliveries: [
    { name: 'newest', column: 'time', compare: byLastAttempt },
    { name: 'status', column: 'status', compare: (a, b) => byText(b.status, a.status) },
    { name: 'attempts', column: 'tries', compare: (a, b) => b.attemptsMade - a.attemptsMade },
  ],
  requests: [
    { name: 'newest', column: 'time' },
    { name: 'slowest', column: 'took', compare: (a, b) => b.request.ms - a.request.ms },
    { name: 'status', column: 'status', compare: (a, b) => b.request.status - a.request.status },
  ],
  stream: [
    { name: 'newest', column: 'time' },
    {
      name: 'kind',
      column: 'kind',
      ascending: true,
      compare: (a: MessageRow, b: MessageRow) => byText(a.kind, b.kind),
    },
  ],
}

interface CachedRows {
  readonly sort: number
  readonly filter: string
  readonly list: readonly Row[]
}

/** Tables are immutable, so the same table, order and filter give the same rows. */
const cache = new WeakMap<ReadonlyMap<string, Row>, CachedRows>()

export function visibleRows(
  { tables, listViews }: Pick<Model, 'tables' | 'listViews'>,
  pane: PaneName,
): readonly Row[] {
  const rows: ReadonlyMap<string, Row> = tables[pane]
  const { sort, filter } = listViews[pane]
  const cached = cache.get(rows)
  if (cached?.sort === sort && cached.filter === filter) return cached.list
  const list = computeRows(pane, rows, listViews[pane])
  cache.set(rows, { sort, filter, list })
  return list
}

function computeRows(pane: PaneName, rows: ReadonlyMap<string, Row>, { sort, filter }: ListViewState): readonly Row[] {
  const newest = [...rows.values()].reverse()
  const { matches } = parseFilter(filter, pane)
  const matching = filter === '' ? newest : newest.filter((row) => matches(row, () => searchTextOf(row)))
  const compare = SORT_ORDERS[pane][sort]?.compare as ((a: Row, b: Row) => number) | undefined
  return compare === undefined ? matching : matching.sort(compare)
}

/** Returns 0 if no row is chosen, and the last index if the chosen row is no longer shown. */
export function selectedIndex(state: Model, pane: PaneName = state.pane): number {
  const { selectedId } = state.listViews[pane]
  if (selectedId === undefined) return 0
  const list = visibleRows(state, pane)
  const at = list.findIndex(({ id }) => id === selectedId)
  return at < 0 ? Math.max(0, list.length - 1) : at
}

export function selectedRow(state: Model): Row | undefined {
  return visibleRows(state, state.pane)[selectedIndex(state)]
}

const searchTexts = new WeakMap<Row, string>()

/** Returns the text that a filter searches, in lower case. */
function searchTextOf(row: Row): string {
  let text = searchTexts.get(row)
  if (text === undefined) {
    text = textsOf(row).join(' ').toLowerCase()
    searchTexts.set(row, text)
  }
  return text
}

function textsOf(row: Row): readonly (string | number | null | undefined)[] {
  if ('payment' in row) {
    const { id, status, method, order_id, amount, currency, metadata, description, refunds } = row.payment
    const { customer_phone_mask, customer_card_mask, rrn, shop_name } = row.payment
    return [
      ...[id, status, method, order_id, description, rrn, shop_name, customer_phone_mask, customer_card_mask],
      ...[amount, formatMoney(amount, currency), formatAmount(amount, currency)],
      ...Object.values(metadata),
      ...refunds.map((refund) => refund.id),
    ]
  }
  if ('payout' in row) {
    const { id, status, amount, currency, recipient, fail_reason } = row.payout
    const { phone, full_name } = recipient
    return [
      id,
      status,
      amount,
      formatMoney(amount, currency),
      formatAmount(amount, currency),
      phone,
      full_name,
      fail_reason,
    ]
  }
  if ('request' in row) {
    const { method, path, status, code, decided_by } = row.request
    return [method, path, status, code, decided_by]
  }
  if ('message' in row) return [row.kind, row.summary, row.object_id]
  return [
    row.id,
    row.event,
    row.event_id,
    row.object_id,
    row.url,
    row.status,
    row.lastAttempt?.status,
    row.lastAttempt?.error,
  ]
}
