// The lists of the control API, taken beneath what the stream has told.
import type { DeliveryView, RequestView } from '../../client/control-wire.ts'
import {
  bound,
  type DeliveryRow,
  deliveryRow,
  KEPT,
  type ListedPayment,
  type ListedPayout,
  type Tables,
} from './rows.ts'

/** Newest first, as the lists give them. */
export interface Lists {
  readonly payments: readonly ListedPayment[]
  readonly payouts: readonly ListedPayout[]
  readonly deliveries: readonly DeliveryView[]
  readonly requests: readonly RequestView[]
}

/** @param fresher ids the stream told of while the lists were on their way: they stay as they are */
export function takeLists(tables: Tables, lists: Lists, fresher: ReadonlySet<string>): Tables {
  return {
    ...tables,
    payments: merge(tables.payments, lists.payments, KEPT.payments, fresher, (payment, before) => ({
      id: payment.id,
      payment,
      steps: before?.steps ?? [],
    })),
    payouts: merge(tables.payouts, lists.payouts, KEPT.payouts, fresher, (payout, before) => ({
      id: payout.id,
      payout,
      steps: before?.steps ?? [],
    })),
    deliveries: merge(tables.deliveries, lists.deliveries, KEPT.deliveries, fresher, listedDelivery),
    requests: merge(
      tables.requests,
      lists.requests.map((request) => ({ id: String(request.id), request })),
      KEPT.requests,
      fresher,
      // The bodies are fetched for the chosen one.
      ({ id, request: { request: _sent, response: _answer, ...request } }) => ({ id, request }),
    ),
  }
}

function merge<T extends { readonly id: string }, R>(
  known: ReadonlyMap<string, R>,
  items: readonly T[],
  limit: number,
  fresher: ReadonlySet<string>,
  rowOf: (item: T, before: R | undefined) => R,
): ReadonlyMap<string, R> {
  const listed = new Set(items.map(({ id }) => id))
  const rows = new Map<string, R>()
  // Older than the last page of the list.
  for (const [id, row] of known) if (!listed.has(id) && !fresher.has(id)) rows.set(id, row)
  for (const item of items.toReversed()) {
    const before = known.get(item.id)
    rows.set(item.id, before !== undefined && fresher.has(item.id) ? before : rowOf(item, before))
  }
  // Came while the list was on its way.
  for (const [id, row] of known) if (!listed.has(id) && fresher.has(id)) rows.set(id, row)
  return bound(rows, limit)
}

function listedDelivery({ attempts, ...delivery }: DeliveryView, before: DeliveryRow | undefined): DeliveryRow {
  const last = attempts.at(-1)
  return deliveryRow(delivery, {
    made: attempts.length,
    total: before?.total,
    last: last === undefined ? undefined : { at: last.at, ms: last.ms, status: last.status, error: last.error },
  })
}
