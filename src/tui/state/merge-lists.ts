// The lists of the control API, taken beneath what the stream has told.
import type { DeliveryView } from '../../client/control-wire.ts'
import type { RequestView } from '../../client/request-wire.ts'
import {
  type DeliveryRow,
  deliveryRow,
  type ListedPayment,
  type ListedPayout,
  type MessageId,
  NO_ROWS,
  ROW_LIMITS,
  type Tables,
  trimOldest,
} from './rows.ts'

/** Newest first, as the lists give them. */
export interface Lists {
  readonly payments: readonly ListedPayment[]
  readonly payouts: readonly ListedPayout[]
  readonly deliveries: readonly DeliveryView[]
  readonly requests: readonly RequestView[]
  /** The newest id of the stream before the lists were asked for: they hold at least what it told. */
  readonly lastMessageId: MessageId
  /** The stream's ids went back: another server answers, and nothing known is of it. */
  readonly fromNewServer?: boolean
}

export function mergeLists(before: Tables, lists: Lists): Tables {
  const { lastMessageId } = lists
  const known = lists.fromNewServer === true ? { ...NO_ROWS, stream: before.stream } : before
  return {
    ...known,
    payments: merge(known.payments, lists.payments, ROW_LIMITS.payments, lastMessageId, (payment, row) => ({
      id: payment.id,
      payment,
      steps: row?.steps ?? [],
      lastMessageId,
    })),
    payouts: merge(known.payouts, lists.payouts, ROW_LIMITS.payouts, lastMessageId, (payout, row) => ({
      id: payout.id,
      payout,
      steps: row?.steps ?? [],
      lastMessageId,
    })),
    deliveries: merge(known.deliveries, lists.deliveries, ROW_LIMITS.deliveries, lastMessageId, (delivery, row) =>
      toDeliveryRow(delivery, row, lastMessageId),
    ),
    requests: merge(
      known.requests,
      lists.requests.map((request) => ({ id: String(request.id), request })),
      ROW_LIMITS.requests,
      lastMessageId,
      // The bodies are fetched for the chosen one.
      ({ id, request: { request: _sent, response: _answer, ...request } }) => ({
        id,
        request,
        lastMessageId: lastMessageId,
      }),
    ),
  }
}

function merge<T extends { readonly id: string }, R extends { readonly lastMessageId: MessageId }>(
  known: ReadonlyMap<string, R>,
  items: readonly T[],
  limit: number,
  lastMessageId: MessageId,
  rowOf: (item: T, before: R | undefined) => R,
): ReadonlyMap<string, R> {
  const listed = new Set(items.map(({ id }) => id))
  const rows = new Map<string, R>()
  // Older than the last page of the list.
  for (const [id, row] of known) if (!listed.has(id) && row.lastMessageId <= lastMessageId) rows.set(id, row)
  for (const item of items.toReversed()) {
    const before = known.get(item.id)
    rows.set(item.id, before !== undefined && before.lastMessageId > lastMessageId ? before : rowOf(item, before))
  }
  // Came while the list was on its way.
  for (const [id, row] of known) if (!listed.has(id) && row.lastMessageId > lastMessageId) rows.set(id, row)
  return trimOldest(rows, limit)
}

function toDeliveryRow(
  { attempts, ...delivery }: DeliveryView,
  before: DeliveryRow | undefined,
  lastMessageId: MessageId,
): DeliveryRow {
  const last = attempts.at(-1)
  return deliveryRow(delivery, {
    attemptsMade: attempts.length,
    attemptsTotal: before?.attemptsTotal,
    lastAttempt: last === undefined ? undefined : { at: last.at, ms: last.ms, status: last.status, error: last.error },
    lastMessageId,
  })
}
