// Merges lists of the control API into the tables. Newer data from the stream has priority.
import type { ListedDelivery } from '../../client/history-types.ts'
import type { RequestView } from '../../client/request-types.ts'
import {
  deliveryRow,
  type ListedPayment,
  type ListedPayout,
  type MessageId,
  NO_ROWS,
  ROW_LIMITS,
  type Tables,
  trimOldest,
} from './rows.ts'
import { trimDeliveries } from './webhook-health.ts'

/** Each list is newest first, as the API returns it. If a list is absent, its rows do not change. */
export interface Lists {
  readonly payments?: readonly ListedPayment[]
  readonly payouts?: readonly ListedPayout[]
  readonly deliveries?: readonly ListedDelivery[]
  readonly requests?: readonly RequestView[]
  /** False if a list is only the newest part. Default: true. */
  readonly complete?: boolean
  /** The newest id of the stream before the lists were requested. The lists include everything up to it. */
  readonly lastMessageId: MessageId
  /** True if the stream's ids decreased: another server now responds, and all known rows are outdated. */
  readonly fromNewServer?: boolean
}

export function mergeLists(before: Tables, lists: Lists): Tables {
  const { lastMessageId } = lists
  const known = lists.fromNewServer === true ? { ...NO_ROWS, stream: before.stream } : before
  return {
    ...known,
    payments: merge(lists, {
      known: known.payments,
      items: lists.payments,
      limit: ROW_LIMITS.payments,
      rowOf: (payment, row) => ({ id: payment.id, payment, steps: row?.steps ?? [], lastMessageId }),
    }),
    payouts: merge(lists, {
      known: known.payouts,
      items: lists.payouts,
      limit: ROW_LIMITS.payouts,
      rowOf: (payout, row) => ({ id: payout.id, payout, steps: row?.steps ?? [], lastMessageId }),
    }),
    deliveries: merge(lists, {
      known: known.deliveries,
      items: lists.deliveries,
      limit: ROW_LIMITS.deliveries,
      trim: trimDeliveries,
      rowOf: (delivery) => deliveryRow(delivery, delivery.last_attempt ?? undefined, lastMessageId),
    }),
    requests: merge(lists, {
      known: known.requests,
      items: lists.requests?.map((request) => ({ id: String(request.id), request })),
      limit: ROW_LIMITS.requests,
      // The detail loads the bodies of the selected request.
      rowOf: ({ id, request: { request: _request, response: _response, ...request } }) => {
        return { id, request, lastMessageId }
      },
    }),
  }
}

interface ListMerge<T, R> {
  readonly known: ReadonlyMap<string, R>
  readonly items: readonly T[] | undefined
  /** Maximum rows of the list and of the table. */
  readonly limit: number
  /** Default: removes the oldest rows above the limit. */
  readonly trim?: (rows: Map<string, R>) => Map<string, R>
  /** Returns the row of an item. `before` is the known row. */
  readonly rowOf: (item: T, before: R | undefined) => R
}

function merge<T extends { readonly id: string }, R extends { readonly lastMessageId: MessageId }>(
  { lastMessageId, complete = true }: Lists,
  { known, items, limit, rowOf, trim = (rows) => trimOldest(rows, limit) }: ListMerge<T, R>,
): ReadonlyMap<string, R> {
  if (items === undefined) return known
  const listed = new Set(items.map(({ id }) => id))
  const rows = new Map<string, R>()
  // Known rows older than the list are kept, unless the list is complete; then they no longer exist.
  const listsAllRows = complete && items.length < limit
  for (const [id, row] of known)
    if (!listsAllRows && !listed.has(id) && row.lastMessageId <= lastMessageId) rows.set(id, row)
  for (const item of items.toReversed()) {
    const before = known.get(item.id)
    rows.set(item.id, before !== undefined && before.lastMessageId > lastMessageId ? before : rowOf(item, before))
  }
  // Rows that the stream added after the list was requested.
  for (const [id, row] of known) if (!listed.has(id) && row.lastMessageId > lastMessageId) rows.set(id, row)
  return trim(rows)
}
