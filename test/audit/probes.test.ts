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
async function auditOrders(
  handle: Handle,
  probes: readonly ('balance' | 'orders/{order_id}')[],
  only = EFFECTS,
  more: () => object = () => ({}),
) {
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
          if (label === 'balance') return { text: JSON.stringify({ balance: ledger.sum }) }
          const order = orders.get(order_id)
          return order === undefined
            ? { text: '', said: 'answered 404' }
            : { text: JSON.stringify({ ...order, ...more() }) }
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

/** A shop of tries: each shape is what its orders are shown as. */
function triesShop(show: (tries: Tries, order: string) => unknown): Handle {
  return ({ id, event, data }, order, ledger) => {
    if (!event.startsWith('payment.')) return
    const tries = (kept.get(data.order_id) ?? new Map()) as Tries
    kept.set(data.order_id, tries)
    const known = tries.get(data.id) ?? {
      payment: data.id,
      paid: false,
      refunded: 0,
      status: '',
      events: [],
      row: ++rows,
    }
    const paid = known.paid || ['succeeded', 'refunded'].includes(data.status)
    const refunded = Math.max(known.refunded, data.amount_refunded)
    const events = [...new Set([...known.events, id])]
    tries.set(data.id, { ...known, events, paid, refunded, status: paid ? 'paid' : data.status })
    const all = [...tries.values()]
    ledger.sum = 0
    for (const key of Object.keys(order)) delete order[key]
    Object.assign(order, {
      status: all.some((one) => one.paid) ? 'paid' : 'open',
      refunded: all.reduce((sum, one) => sum + one.refunded, 0),
      shown: show(tries, data.order_id),
    })
  }
}

type Try = { payment: string; paid: boolean; refunded: number; status: string; events: string[]; row: number }
type Tries = Map<string, Try>
const kept = new Map<string, Tries>()
const byKey = (tries: Tries, key: (one: Try) => string) =>
  Object.fromEntries(
    [...tries.values()].map(({ paid, refunded, status, ...one }) => [
      key({ ...one, paid, refunded, status }),
      { paid, refunded, status },
    ]),
  )
const dashless = (id: string) => id.replaceAll('-', '')
const drawn = (n: number) => `0000${(n * 7919) % 10_000}`.slice(-4).concat('aaaa-bbbb-4ccc-8ddd-eeeeffff0000')

describe('what two orders differ in all the same', () => {
  test.each<[string, (tries: Tries, order: string) => unknown]>([
    ['payment ids as keys', (tries) => byKey(tries, ({ payment }) => payment)],
    ['as parts of keys, deep down', (tries) => [{ by: byKey(tries, ({ payment }) => `payment:${payment}`) }]],
    ['as parts of texts', (tries) => [...tries.values()].map(({ payment, status }) => `payment:${payment} ${status}`)],
    ['ids without dashes and in capitals', (tries) => byKey(tries, ({ payment }) => dashless(payment).toUpperCase())],
    ['the beginning of an id', (tries) => [...tries.values()].map(({ payment }) => `Payment ${payment.slice(0, 8)}`)],
    [
      'event ids as keys',
      (tries) => Object.fromEntries([...tries.values()].flatMap(({ events }) => events.map((id) => [id, true]))),
    ],
    ['an order id of the run in a text', (_, order) => `Order ${order}`],
    ['running numbers as keys', (tries) => byKey(tries, ({ row }) => String(row))],
    ['ids of its own as keys', (tries) => byKey(tries, ({ row }) => drawn(row))],
    [
      'an id of its own under any name',
      (tries) => ({ receipt: [...tries.values()].map(({ row }) => `/r/${drawn(row)}`)[0] }),
    ],
    [
      'a list whose items carry ids of its own',
      (tries) => [...tries.values()].map(({ row, status }) => ({ id: drawn(row), status })),
    ],
    [
      'an etag, a version, a hash',
      () => ({ etag: `W/"${++rows}"`, version: ++rows, row_version: ++rows, __v: ++rows, body_hash: `h${++rows}` }),
    ],
    ['the number of an invoice', () => ({ invoice_number: `INV-${++rows}` })],
    [
      'milliseconds under any name',
      () => ({ heard: 1_778_068_800_000 + ++rows, note: `at ${1_778_068_800_000 + ++rows}` }),
    ],
    ['an HTTP date', () => ({ changed: new Date(Date.UTC(2026, 4, 6) + ++rows * 1000).toUTCString() })],
    ['what Date makes of itself', () => ({ changed: String(new Date(Date.UTC(2026, 4, 6) + ++rows * 1000)) })],
    ['a span of time', () => ({ took_ms: ++rows })],
  ])('%s', async (_, show) => {
    kept.clear()
    const report = await auditOrders(triesShop(show), ['orders/{order_id}'])
    expect(report.checks.map(({ id, result, got }) => [id, result, got])).toEqual(
      EFFECTS.map((id) => [id, 'pass', expect.any(String)]),
    )
  })

  test('ids as keys hide no fault: a try that was paid and turns into another state fails', async () => {
    kept.clear()
    const shown = triesShop((tries) => byKey(tries, ({ payment }) => payment))
    const report = await auditOrders(
      (event, order, ledger) => {
        shown(event, order, ledger)
        if (event.event !== 'payment.expired') return
        for (const one of Object.values(order['shown'] as Record<string, { status: string }>)) one.status = 'expired'
      },
      ['orders/{order_id}'],
    )
    expect(ids(report, 'fail')).toEqual(['late_expiry'])
    expect(report.checks[3]?.got).toContain('$.shown.{payment_id}.status: paid -> expired')
  })

  test('an event counted twice under keys of its own is found', async () => {
    const report = await auditOrders(
      (event, order) => {
        if (event.event === 'payment.succeeded') order[drawn(++rows)] = event.data.amount
      },
      ['orders/{order_id}'],
      ['duplicates'],
    )
    expect(ids(report, 'fail')).toEqual(['duplicates'])
  })

  test('what moves by itself is no effect, and is named', async () => {
    const report = await auditOrders(right, ['orders/{order_id}'], EFFECTS, () => ({ looks: ++rows }))
    expect(ids(report, 'pass')).toEqual(EFFECTS)
    expect(report.checks[0]?.got).toContain('moving by itself not compared: $.looks')
  })
})
