// What the control API's stream tells of a commit. Entries are kept as rows; text is made when somebody reads.
import type { Delivery } from '../domain/delivery.ts'
import type { StreamMessage, WebhookEvent } from '../domain/events.ts'
import { type Payment, presentPayment } from '../domain/payment.ts'
import { type Payout, presentPayout } from '../domain/payout.ts'
import { presentRefund, type Refund } from '../domain/refund.ts'
import { rfc3339, type SandboxTime } from '../domain/time.ts'
import type { Commit } from '../engine/commit.ts'
import type { StateRow } from '../engine/tables.ts'
import type { World } from '../engine/world.ts'
import { attemptSummary, deliverySummary } from './delivery-summary.ts'

/** `created`, a change of status, or any other change (a method chosen, a session's fields). */
export type Change = 'created' | 'status_changed' | 'updated'

interface Changed {
  readonly change: Change
  readonly status: string
  readonly previous_status?: string
}

type ClockRow = Extract<StateRow, { id: 'clock' }>

export type ControlEntry = { readonly at: SandboxTime } & (
  | ({ readonly kind: 'payment'; readonly row: Payment } & Changed)
  | ({ readonly kind: 'refund'; readonly row: Refund } & Changed)
  | ({ readonly kind: 'payout'; readonly row: Payout } & Changed)
  | { readonly kind: 'event'; readonly row: WebhookEvent }
  | { readonly kind: 'delivery' | 'attempt'; readonly row: Delivery }
  | { readonly kind: 'clock'; readonly row: ClockRow }
  | { readonly kind: 'reset'; readonly command: string }
  | { readonly kind: 'request'; readonly request: object }
)

/** The entries of a commit, in the order in which things happened. */
export function entriesOf(commit: Commit, command: string, at: SandboxTime): ControlEntry[] {
  const entries: ControlEntry[] = []
  // Whole tables were replaced: readers look anew.
  if (commit.clear.length > 0) return [{ kind: 'reset', at, command }]
  const told = new Set<string>()
  for (const message of commit.stream) {
    const row = commit.puts.findLast((put) => put.row.id === message.payload['id'])
    if (row === undefined) continue
    told.add(row.row.id)
    if (row.table === 'payments') entries.push({ kind: 'payment', at, row: row.row, ...changeOf(message) })
    else if (row.table === 'refunds') entries.push({ kind: 'refund', at, row: row.row, ...changeOf(message) })
    else if (row.table === 'payouts') entries.push({ kind: 'payout', at, row: row.row, ...changeOf(message) })
  }
  for (const { table, row } of commit.puts) {
    if (table === 'events') entries.push({ kind: 'event', at, row })
    else if (table === 'deliveries') {
      entries.push({ kind: command === 'record_attempt' ? 'attempt' : 'delivery', at, row })
    } else if (table === 'state' && row.id === 'clock') entries.push({ kind: 'clock', at, row })
    else if (told.has(row.id)) continue
    else if (table === 'payments') entries.push({ kind: 'payment', at, row, change: 'updated', status: row.status })
    else if (table === 'refunds') {
      // The public stream says nothing of a refund that settles (spec 6.2).
      entries.push({
        kind: 'refund',
        at,
        row,
        change: 'status_changed',
        status: row.status,
        previous_status: 'pending',
      })
    }
  }
  return entries
}

function changeOf({ kind, payload }: StreamMessage): Changed {
  const previous = payload['previous_status']
  return {
    change: kind.endsWith('.created') ? 'created' : 'status_changed',
    status: String(payload['status']),
    ...(previous === undefined ? {} : { previous_status: String(previous) }),
  }
}

/**
 * The JSON object of an entry: `{kind, at, shop_id, …}` with the record under its own name (`payment`, `refund`,
 * `payout`, `event`, `delivery` and `attempt`, `request`, `clock`), as the API shows it.
 */
export function renderEntry(entry: ControlEntry, world: World, renderRequest: (request: object) => unknown): unknown {
  const look = world.settings
  const at = rfc3339(entry.at, look.time_fraction)
  switch (entry.kind) {
    case 'payment': {
      const { kind, row, change, status, previous_status } = entry
      const shop = world.get('shops', row.shop_id)
      const refunds = row.amount_refunded > 0 || status === 'succeeded' ? refundsOf(world, row.id) : []
      const payment = shop && presentPayment(row, refunds, shop, look)
      return { kind, at, shop_id: row.shop_id, mode: row.mode, change, status, previous_status, payment }
    }
    case 'refund': {
      const { kind, row, change, status, previous_status } = entry
      const refund = presentRefund(row, look)
      return { kind, at, shop_id: row.shop_id, change, status, previous_status, refund }
    }
    case 'payout': {
      const { kind, row, change, status, previous_status } = entry
      const shop = world.get('shops', row.shop_id)
      const payout = shop && presentPayout(row, shop, look)
      return { kind, at, shop_id: row.shop_id, mode: row.mode, change, status, previous_status, payout }
    }
    case 'event': {
      const { id, event, shop_id, object_id, created_at, body } = entry.row
      const data: unknown = JSON.parse(body).data
      const created = rfc3339(created_at, look.time_fraction)
      return { kind: 'event', at, shop_id, event: { id, event, created_at: created, shop_id, object_id, data } }
    }
    case 'delivery':
      return { kind: 'delivery', at, shop_id: entry.row.shop_id, delivery: deliverySummary(entry.row, look) }
    case 'attempt': {
      const delivery = deliverySummary(entry.row, look)
      return { kind: 'attempt', at, shop_id: entry.row.shop_id, delivery, attempt: attemptSummary(entry.row, look) }
    }
    case 'clock': {
      const { mode, speed, virtual } = entry.row
      return { kind: 'clock', at, clock: { mode, speed, now: rfc3339(virtual, look.time_fraction) } }
    }
    case 'request':
      return { kind: 'request', at, request: renderRequest(entry.request) }
    case 'reset':
      return { kind: 'reset', at, command: entry.command }
  }
}

function refundsOf(world: World, paymentId: string): readonly Refund[] {
  return world.find('refunds', 'by_payment', paymentId)
}
