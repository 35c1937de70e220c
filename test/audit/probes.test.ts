// What probes see of a handler's effects: money of the whole shop, and the state of one order as JSON.
import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/audit/checks.ts'
import { createProbe } from '../../src/audit/probe.ts'
import { runAudit } from '../../src/audit/run.ts'
import { createSend } from '../../src/audit/send.ts'
import { seededRandomness } from '../../src/time/randomness.ts'
import { ids, SECRET, wall } from './rig.ts'
import { shop, type WebhookEvent } from './shop.ts'

const EFFECTS = ['duplicates', 'out_of_order', 'partial_refunds', 'late_expiry']

type Order = Record<string, unknown>
type Handle = (event: WebhookEvent, order: Order, ledger: { sum: number }) => void

/** A shop of JSON orders, asked by its balance, by its orders or by both. */
async function auditOrders(handle: Handle, probes: readonly ('balance' | 'orders/{order_id}')[], only = EFFECTS) {
  seen.clear()
  const orders = new Map<string, Order>()
  const ledger = { sum: 0 }
  const made = shop(SECRET, wall.now, {
    handle(event) {
      const order = orders.get(event.data.order_id) ?? { order_id: event.data.order_id }
      orders.set(event.data.order_id, order)
      handle(event, order, ledger)
    },
  })
  const random = seededRandomness(1)
  let made_orders = 0
  return await runAudit({
    target: 'http://shop.test/hooks',
    checks: CHECKS.filter(({ id }) => only.includes(id)),
    ground: () => ({
      secret: SECRET,
      now: wall.now(),
      random,
      amount: 150_000,
      order: () => `order-${++made_orders}`,
      metadata: {},
    }),
    send: createSend({
      url: 'http://shop.test/hooks',
      fetch: made.fetch,
      timeout: 15_000,
      pause: 1,
      headers: [],
      wall,
    }),
    probes: probes.map((label) =>
      createProbe({
        label,
        own: label !== 'balance',
        rest: 1,
        wall,
        async read({ order_id }) {
          if (label === 'balance') return JSON.stringify({ balance: ledger.sum })
          const order = orders.get(order_id)
          return order === undefined ? '' : JSON.stringify(order)
        },
      }),
    ),
    known: [],
  })
}

const seen = new Set<string>()

function once({ id }: WebhookEvent): boolean {
  const first = !seen.has(id)
  seen.add(id)
  return first
}

/** Money right, state of the order wrong: the last event wins. */
const lastEventWins: Handle = (event, order, ledger) => {
  if (!once(event)) return
  if (event.event === 'payment.succeeded') ledger.sum += event.data.amount
  if (event.event === 'payment.refunded') ledger.sum -= event.data.refunds.at(-1)?.amount ?? 0
  order['status'] = event.event.replace('payment.', '')
}

let rows = 0

/** Right, with ids and times of its own in what it shows. */
const right: Handle = (event, order, ledger) => {
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

test('money alone does not show that the last event wins; the order does', async () => {
  const byMoney = await auditOrders(lastEventWins, ['balance'])
  expect([ids(byMoney, 'pass'), ids(byMoney, 'warn')]).toEqual([
    ['duplicates', 'partial_refunds'],
    ['out_of_order', 'late_expiry'],
  ])
  for (const { fix } of byMoney.checks.filter(({ result }) => result === 'warn'))
    expect(fix).toContain('orders/{order_id}')
  const byBoth = await auditOrders(lastEventWins, ['balance', 'orders/{order_id}'])
  expect(ids(byBoth, 'fail')).toEqual(['out_of_order', 'late_expiry'])
  const got = byBoth.checks.map((check) => check.got)
  expect(got[1]).toContain(
    'orders/{order_id}: overtaken it ends otherwise than in order: $.status: succeeded, not refunded',
  )
  expect(got[3]).toContain('orders/{order_id}: the late payment.expired moved $.status: succeeded -> expired')
})

test('a right handler passes though its order holds ids and times', async () => {
  const report = await auditOrders(right, ['balance', 'orders/{order_id}'])
  expect(report.checks.map(({ id, result, got }) => [id, result, got])).toEqual(
    EFFECTS.map((id) => [id, 'pass', expect.any(String)]),
  )
  expect(report.checks[1]?.got).toContain('$.id not compared; times not compared: $.updated_at')
})

test('nothing else is left out: an order that differs in any other field fails', async () => {
  const report = await auditOrders(
    (event, order, ledger) => {
      right(event, order, ledger)
      order['seal'] ??= `seal ${++rows}`
    },
    ['orders/{order_id}'],
  )
  expect(ids(report, 'fail')).toEqual(['duplicates', 'out_of_order'])
  expect(report.checks[0]?.got).toMatch(/\$\.seal: seal \d+, not seal \d+$/)
})

describe('partial refunds', () => {
  test.each([
    ['a sum of refunds', 'pass', (event: WebhookEvent) => ({ refunded: event.data.amount_refunded })],
    ['what is left', 'pass', ({ data }: WebhookEvent) => ({ left: data.amount - data.amount_refunded })],
    ['the last part for the sum', 'fail', ({ data }: WebhookEvent) => ({ refunded: data.refunds.at(-1)?.amount ?? 0 })],
    ['no number that moves', 'warn', ({ data }: WebhookEvent) => ({ amount: data.amount })],
    ['no number', 'warn', () => ({ status: 'paid' })],
  ] as const)('%s: %s', async (_, result, shown) => {
    const report = await auditOrders(
      (event, order) => void Object.assign(order, shown(event), { amount_text: 'many' }),
      ['orders/{order_id}'],
      ['partial_refunds'],
    )
    expect(report.checks[0]?.result).toBe(result)
    expect(report.checks[0]?.got).not.toContain('is not asked for by')
  })

  test('says which number went wrong, and what was seen where there is none', async () => {
    const twice: Handle = ({ data }, order) => {
      order['refunded'] = Number(order['refunded'] ?? 0) + data.amount_refunded
    }
    const wrong = await auditOrders(twice, ['orders/{order_id}'], ['partial_refunds'])
    expect(wrong.checks[0]?.got).toContain('moved $.refunded by 0, its refund of 30 % by 45000, that of 20 % by 75000')
    const none = await auditOrders(
      (_, order) => void Object.assign(order, { status: 'paid' }),
      ['orders/{order_id}'],
      ['partial_refunds'],
    )
    expect(none.checks[0]?.got).toMatch(
      /no number in it that refunds could move \(\{"order_id":"order-1","status":"paid"\}\)/,
    )
  })
})
