// Audits a handler in this process, or a shop of JSON orders. Timers fire in the next turn, so no test waits.
import { CHECKS } from '../../src/audit/checks.ts'
import { ProbeError } from '../../src/audit/ports.ts'
import { createProbe } from '../../src/audit/probe.ts'
import { type AuditReport, runAudit } from '../../src/audit/run.ts'
import { createSend } from '../../src/audit/send.ts'
import type { FetchLike } from '../../src/client/fetch-like.ts'
import type { WallTime } from '../../src/domain/time.ts'
import { seededRandomness } from '../../src/random.ts'
import type { KnownSecret } from '../../src/webhooks/diagnosis-input.ts'
import { type Parts, type Shop, shop, type WebhookEvent } from './shop.ts'

export const SECRET = 'whs_audit_secret'
const NOW = Date.UTC(2026, 4, 6, 12) as WallTime

/** Fires timers in the next turn, except deadlines. */
export const systemClock = {
  now: () => NOW,
  monotonic: () => 0,
  setTimeout(fn: () => void, ms: number) {
    if (ms >= 1000) return { cancel() {} }
    setImmediate(fn)
    return { cancel() {} }
  },
}

type ProbeKind = 'none' | 'balance' | 'order' | 'both'

interface Audited {
  readonly report: AuditReport
  readonly shop: Shop
}

export async function audited(parts: Partial<Parts> = {}, probe: ProbeKind = 'both'): Promise<Audited> {
  const made = shop(SECRET, () => NOW, parts)
  return { report: await auditOf(made.fetch, made, probe), shop: made }
}

export function auditOf(
  fetch: FetchLike,
  { books }: Pick<Shop, 'books'>,
  probe: ProbeKind,
  only?: readonly string[],
  known: readonly KnownSecret[] = [],
  probeFails: () => boolean = () => false,
  order?: () => string,
): Promise<AuditReport> {
  const probes = kindsOf(probe).map((kind) =>
    createProbe({
      label: kind,
      async read({ order_id }) {
        if (probeFails()) throw new ProbeError('nothing listens', 'Start it.')
        const text = kind === 'balance' ? String(books.balance()) : books.orderStatus(order_id)
        return text === undefined ? { text: '', note: 'answered 404' } : { text }
      },
      isPerOrder: kind === 'order',
      settleTime: 1,
      systemClock,
    }),
  )
  return auditWith(fetch, { probes, only, known, order })
}

interface AuditParts {
  readonly probes: readonly ReturnType<typeof createProbe>[]
  readonly only?: readonly string[] | undefined
  readonly known?: readonly KnownSecret[]
  readonly order?: (() => string) | undefined
}

function auditWith(fetch: FetchLike, { probes, only, known = [], order }: AuditParts): Promise<AuditReport> {
  const random = seededRandomness(1)
  let orders = 0
  return runAudit({
    target: 'http://shop.test/hooks',
    checks: CHECKS.filter(({ id }) => only === undefined || only.includes(id)),
    values: () => ({
      secret: SECRET,
      now: NOW,
      random,
      amount: 150_000,
      order: order ?? (() => `order-${++orders}`),
      metadata: {},
    }),
    send: createSend({ url: 'http://shop.test/hooks', fetch, timeout: 15_000, pause: 1, headers: [], systemClock }),
    probes,
    known,
  })
}

export function ids(report: AuditReport, result: 'pass' | 'fail' | 'warn' | 'skip'): string[] {
  return report.checks.filter((check) => check.result === result).map(({ id }) => id)
}

function kindsOf(kind: ProbeKind): ('balance' | 'order')[] {
  if (kind === 'none') return []
  return kind === 'both' ? ['balance', 'order'] : [kind]
}

export const EFFECTS = ['duplicates', 'out_of_order', 'partial_refunds', 'late_expiry']

export type Order = Record<string, unknown>
export type Handle = (event: WebhookEvent, order: Order, ledger: { sum: number }) => void

/** @param more the additional fields of each reading of an order */
export async function auditOrders(
  handle: Handle,
  probes: readonly ('balance' | 'orders/{order_id}')[],
  only = EFFECTS,
  more: () => object = () => ({}),
) {
  seen.clear()
  const orders = new Map<string, Order>()
  const ledger = { sum: 0 }
  const made = shop(SECRET, systemClock.now, {
    handle(event) {
      const order = orders.get(event.data.order_id) ?? { order_id: event.data.order_id }
      orders.set(event.data.order_id, order)
      handle(event, order, ledger)
    },
  })
  return await auditWith(made.fetch, {
    only,
    probes: probes.map((label) =>
      createProbe({
        label,
        isPerOrder: label !== 'balance',
        settleTime: 1,
        systemClock,
        async read({ order_id }) {
          if (label === 'balance') return { text: JSON.stringify({ balance: ledger.sum }) }
          const order = orders.get(order_id)
          return order === undefined
            ? { text: '', note: 'answered 404' }
            : { text: JSON.stringify({ ...order, ...more() }) }
        },
      }),
    ),
  })
}

const seen = new Set<string>()

export function once({ id }: WebhookEvent): boolean {
  const first = !seen.has(id)
  seen.add(id)
  return first
}

let rows = 0

/** Returns a number that was not used before. */
export const nextRow = (): number => ++rows

/** A correct handler whose orders contain generated ids and times. */
export const right: Handle = (event, order, ledger) => {
  if (!once(event)) return
  const { data } = event
  if (!/succeeded|refunded/.test(event.event)) {
    order['tries'] = [...((order['tries'] as string[] | undefined) ?? []), `${data.id} ${data.status}`]
    return
  }
  const before = Number(order['refunded'] ?? 0)
  const refunded = Math.max(before, data.amount_refunded)
  ledger.sum += (order['status'] === undefined ? data.amount : 0) - (refunded - before)
  order['id'] ??= ++rows
  order['order_id'] = data.order_id
  order['payment_id'] = data.id
  order['link'] = `/payments/${data.id}`
  order['status'] = 'paid'
  order['refunded'] = refunded
  order['received'] = data.amount
  order['updated_at'] = new Date(Date.UTC(2026, 4, 6, 12) + ++rows * 1000).toISOString()
}
