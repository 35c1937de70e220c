// The lists of the control API, taken beneath what the stream has told.
import type { DeliveryView } from '../../client/control-wire.ts'
import type { RequestView } from '../../client/request-wire.ts'
import {
  type AsOf,
  bound,
  type DeliveryRow,
  deliveryRow,
  KEPT,
  type ListedPayment,
  type ListedPayout,
  NO_ROWS,
  type Tables,
} from './rows.ts'

/** Newest first, as the lists give them. */
export interface Lists {
  readonly payments: readonly ListedPayment[]
  readonly payouts: readonly ListedPayout[]
  readonly deliveries: readonly DeliveryView[]
  readonly requests: readonly RequestView[]
  /** The newest id of the stream before the lists were asked for: they hold at least what it told. */
  readonly as_of: AsOf
  /** The stream's ids went back: another server answers, and nothing known is of it. */
  readonly anew?: boolean
}

export function takeLists(before: Tables, lists: Lists): Tables {
  const { as_of } = lists
  const known = lists.anew === true ? { ...NO_ROWS, stream: before.stream } : before
  return {
    ...known,
    payments: merge(known.payments, lists.payments, KEPT.payments, as_of, (payment, row) => ({
      id: payment.id,
      payment,
      steps: row?.steps ?? [],
      as_of,
    })),
    payouts: merge(known.payouts, lists.payouts, KEPT.payouts, as_of, (payout, row) => ({
      id: payout.id,
      payout,
      steps: row?.steps ?? [],
      as_of,
    })),
    deliveries: merge(known.deliveries, lists.deliveries, KEPT.deliveries, as_of, (delivery, row) =>
      listedDelivery(delivery, row, as_of),
    ),
    requests: merge(
      known.requests,
      lists.requests.map((request) => ({ id: String(request.id), request })),
      KEPT.requests,
      as_of,
      // The bodies are fetched for the chosen one.
      ({ id, request: { request: _sent, response: _answer, ...request } }) => ({ id, request, as_of }),
    ),
  }
}

function merge<T extends { readonly id: string }, R extends { readonly as_of: AsOf }>(
  known: ReadonlyMap<string, R>,
  items: readonly T[],
  limit: number,
  as_of: AsOf,
  rowOf: (item: T, before: R | undefined) => R,
): ReadonlyMap<string, R> {
  const listed = new Set(items.map(({ id }) => id))
  const rows = new Map<string, R>()
  // Older than the last page of the list.
  for (const [id, row] of known) if (!listed.has(id) && row.as_of <= as_of) rows.set(id, row)
  for (const item of items.toReversed()) {
    const before = known.get(item.id)
    rows.set(item.id, before !== undefined && before.as_of > as_of ? before : rowOf(item, before))
  }
  // Came while the list was on its way.
  for (const [id, row] of known) if (!listed.has(id) && row.as_of > as_of) rows.set(id, row)
  return bound(rows, limit)
}

function listedDelivery(
  { attempts, ...delivery }: DeliveryView,
  before: DeliveryRow | undefined,
  as_of: AsOf,
): DeliveryRow {
  const last = attempts.at(-1)
  return deliveryRow(delivery, {
    made: attempts.length,
    total: before?.total,
    last: last === undefined ? undefined : { at: last.at, ms: last.ms, status: last.status, error: last.error },
    as_of,
  })
}
