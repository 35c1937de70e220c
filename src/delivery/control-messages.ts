// The messages of the control API's stream for a commit. Entries store rows, and are serialized only for a reader.
import { presentEvent, type StreamMessage, type WebhookEvent } from '../domain/events.ts'
import { type Payment, presentPayment } from '../domain/payment.ts'
import { type Payout, presentPayout } from '../domain/payout.ts'
import { presentRefund, type Refund } from '../domain/refund.ts'
import type { ThreeDsStep } from '../domain/three-ds.ts'
import { rfc3339, type SandboxTime } from '../domain/time.ts'
import { rowSize } from '../engine/batch-size.ts'
import type { Commit, Put } from '../engine/commit.ts'
import type { ClockRow } from '../engine/tables.ts'
import type { World } from '../engine/world.ts'
import { type DeliverySummary, presentAttempt, presentDeliverySummary, toDeliverySummary } from './delivery-summary.ts'

/** `updated` is any change that keeps the status, such as a chosen method. */
export type ChangeKind = 'created' | 'status_changed' | 'updated'

interface Changed {
  readonly change: ChangeKind
  readonly status: string
  readonly previous_status?: string | undefined
}

export type ControlEntry = { readonly at: SandboxTime } & (
  | ({
      readonly kind: 'payment'
      readonly row: Payment
      readonly refunds: readonly Refund[]
      /** A step of the buyer's confirmation on the page. */
      readonly three_ds?: ThreeDsStep
    } & Changed)
  | ({ readonly kind: 'refund'; readonly row: Refund } & Changed)
  | ({ readonly kind: 'payout'; readonly row: Payout } & Changed)
  | { readonly kind: 'event'; readonly row: WebhookEvent }
  | { readonly kind: 'delivery' | 'attempt'; readonly summary: DeliverySummary }
  | { readonly kind: 'clock'; readonly row: ClockRow }
  | { readonly kind: 'reset'; readonly command: string }
  | { readonly kind: 'request'; readonly request: object }
)

/** Returns the entries of a commit in order. Copies little, because it runs for each commit, even without readers. */
export function entriesOf(commit: Commit, command: string, at: SandboxTime, world: World): ControlEntry[] {
  // Whole tables were replaced, so readers must reload everything.
  if (commit.clear.length > 0) return [{ kind: 'reset', at, command }]
  const entries: ControlEntry[] = []
  for (const message of commit.stream) {
    const put = lastPut(commit.puts, message.payload['id'])
    const entry = put && objectEntry(put, changeOf(message), at, world)
    if (entry !== undefined) entries.push(entry)
  }
  for (const put of commit.puts) {
    const entry = entryOfPut(put, commit, command, at, world)
    if (entry !== undefined) entries.push(entry)
  }
  return entries
}

/** Returns `undefined` if readers need no entry of the row, or if the entry of its stream message reports it. */
function entryOfPut(
  put: Put,
  commit: Commit,
  command: string,
  at: SandboxTime,
  world: World,
): ControlEntry | undefined {
  const { table, row } = put
  switch (table) {
    case 'events':
      return { kind: 'event', at, row }
    case 'deliveries':
      return { kind: command === 'record_attempt' ? 'attempt' : 'delivery', at, summary: toDeliverySummary(row) }
    case 'state':
      return row.id === 'clock' ? { kind: 'clock', at, row } : undefined
    case 'payments':
      if (isStreamed(commit.stream, row.id)) return undefined
      return objectEntry(put, { change: 'updated', status: row.status }, at, world)
    case 'refunds':
      if (isStreamed(commit.stream, row.id)) return undefined
      // The public stream contains no message for a refund that settles (spec 6.2).
      return objectEntry(put, { change: 'status_changed', status: row.status, previous_status: 'pending' }, at, world)
    default:
      return undefined
  }
}

/** Returns `undefined` if the row is not a payment, refund or payout. */
function objectEntry(put: Put, changed: Changed, at: SandboxTime, world: World): ControlEntry | undefined {
  const { change, status, previous_status } = changed
  switch (put.table) {
    case 'payments': {
      const refunds = refundsOf(world, put.row)
      return { kind: 'payment', at, row: put.row, refunds, change, status, previous_status }
    }
    case 'refunds':
      return { kind: 'refund', at, row: put.row, change, status, previous_status }
    case 'payouts':
      return { kind: 'payout', at, row: put.row, change, status, previous_status }
    default:
      return undefined
  }
}

function lastPut(puts: readonly Put[], id: unknown): Put | undefined {
  return puts.findLast(({ row }) => row.id === id)
}

function isStreamed(messages: readonly StreamMessage[], id: string): boolean {
  return messages.some(({ payload }) => payload['id'] === id)
}

function changeOf({ kind, payload }: StreamMessage): Changed {
  const previous = payload['previous_status']
  return {
    change: kind.endsWith('.created') ? 'created' : 'status_changed',
    status: String(payload['status']),
    previous_status: previous === undefined ? undefined : String(previous),
  }
}

/**
 * Returns the JSON object of an entry: `{kind, at, shop_id, …}` with the record under its name (`payment`, `refund`,
 * `payout`, `event`, `delivery` and `attempt`, `request`, `clock`), as the API returns it.
 */
export function presentEntry(entry: ControlEntry, world: World, presentRequest: (request: object) => unknown): unknown {
  const settings = world.settings
  const at = rfc3339(entry.at)
  switch (entry.kind) {
    case 'payment': {
      const { kind, row, refunds, change, status, previous_status, three_ds } = entry
      const shop = world.get('shops', row.shop_id)
      const payment = shop && presentPayment(row, refunds, shop, settings)
      return { kind, at, shop_id: row.shop_id, mode: row.mode, change, status, previous_status, three_ds, payment }
    }
    case 'refund': {
      const { kind, row, change, status, previous_status } = entry
      const refund = presentRefund(row, settings)
      return { kind, at, shop_id: row.shop_id, change, status, previous_status, refund }
    }
    case 'payout': {
      const { kind, row, change, status, previous_status } = entry
      const shop = world.get('shops', row.shop_id)
      const payout = shop && presentPayout(row, shop, settings)
      return { kind, at, shop_id: row.shop_id, mode: row.mode, change, status, previous_status, payout }
    }
    case 'event':
      return { kind: 'event', at, shop_id: entry.row.shop_id, event: presentEvent(entry.row) }
    case 'delivery':
    case 'attempt': {
      const { kind, summary } = entry
      const { shop_id, attempt } = summary
      const delivery = presentDeliverySummary(summary, settings)
      if (kind === 'delivery') return { kind, at, shop_id, delivery }
      return { kind, at, shop_id, delivery, attempt: attempt && presentAttempt(attempt) }
    }
    case 'clock': {
      const { mode, speed, virtual } = entry.row
      return { kind: 'clock', at, clock: { mode, speed, now: rfc3339(virtual) } }
    }
    case 'request':
      return { kind: 'request', at, request: presentRequest(entry.request) }
    case 'reset':
      return { kind: 'reset', at, command: entry.command }
  }
}

/** Returns the approximate size of a stored entry in bytes. */
export function entrySize(entry: ControlEntry): number {
  switch (entry.kind) {
    case 'payment':
      return entry.refunds.reduce((sum, refund) => sum + rowSize(refund), paymentSize(entry.row))
    case 'event':
      return entry.row.body.length
    case 'refund':
    case 'payout':
      return rowSize(entry.row)
    default:
      return SMALL_ENTRY
  }
}

/** The approximate size of an entry without strings of the merchant. */
const SMALL_ENTRY = 500

/** Measures only the strings of the merchant, because measuring every field takes too long for each step. */
function paymentSize({ order_id, customer_id, return_url, webhook_url, description, metadata }: Payment): number {
  return 2 * SMALL_ENTRY + rowSize([order_id, customer_id, return_url, webhook_url, description, metadata])
}

const NONE: readonly Refund[] = []

/** Reads the refunds at the time of the commit, so that a slow reader does not see later refunds. */
function refundsOf(world: World, { id, status, amount_refunded }: Payment): readonly Refund[] {
  const mayHave = amount_refunded > 0 || status === 'succeeded'
  return mayHave && world.size('refunds') > 0 ? world.find('refunds', 'by_payment', id) : NONE
}
