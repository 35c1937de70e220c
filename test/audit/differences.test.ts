// Differences between two orders with the same history that the audit ignores, and bugs it still finds among them.
import { describe, expect, test } from 'vitest'
import { createProbe } from '../../src/audit/probe.ts'
import { fieldsOf } from '../../src/audit/probe-fields.ts'
import { auditOrders, EFFECTS, type Handle, ids, nextRow, right, systemClock } from './fixtures.ts'

test('a probe that returns deeply nested JSON is compared as text', () => {
  const deep = (value: number) => `${'{"a":'.repeat(20_000)}${value}${'}'.repeat(20_000)}`
  expect(fieldsOf(deep(1))).toEqual(fieldsOf(deep(1)))
  expect(fieldsOf(deep(1))).not.toEqual(fieldsOf(deep(2)))
})

/** A shop that keeps the payments of each order, and shows an order in the given shape. */
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
      row: nextRow(),
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

describe('differences that are ignored', () => {
  test.each<[string, (tries: Tries, order: string) => unknown]>([
    ['payment ids as keys', (tries) => byKey(tries, ({ payment }) => payment)],
    ['payment ids in parts of nested keys', (tries) => [{ by: byKey(tries, ({ payment }) => `payment:${payment}`) }]],
    [
      'payment ids in parts of texts',
      (tries) => [...tries.values()].map(({ payment, status }) => `payment:${payment} ${status}`),
    ],
    ['ids without dashes and in capitals', (tries) => byKey(tries, ({ payment }) => dashless(payment).toUpperCase())],
    ['the beginning of an id', (tries) => [...tries.values()].map(({ payment }) => `Payment ${payment.slice(0, 8)}`)],
    [
      'event ids as keys',
      (tries) => Object.fromEntries([...tries.values()].flatMap(({ events }) => events.map((id) => [id, true]))),
    ],
    ['an order id of the run in a text', (_, order) => `Order ${order}`],
    ['consecutive numbers as keys', (tries) => byKey(tries, ({ row }) => String(row))],
    ['generated ids as keys', (tries) => byKey(tries, ({ row }) => drawn(row))],
    [
      'a generated id under any name',
      (tries) => ({ receipt: [...tries.values()].map(({ row }) => `/r/${drawn(row)}`)[0] }),
    ],
    [
      'a list whose items have generated ids',
      (tries) =>
        [...tries.values()].flatMap(({ row, status }) => [
          { id: drawn(row), status },
          { id: drawn(row + 3), fee: 1 },
        ]),
    ],
    [
      'an etag, a version, a hash',
      () => ({
        etag: `W/"${nextRow()}"`,
        version: nextRow(),
        row_version: nextRow(),
        __v: nextRow(),
        body_hash: `h${nextRow()}`,
      }),
    ],
    ['an invoice number', () => ({ invoice_number: `INV-${nextRow()}` })],
    [
      'milliseconds under any name',
      () => ({ heard: 1_778_068_800_000 + nextRow(), note: `at ${1_778_068_800_000 + nextRow()}` }),
    ],
    ['an HTTP date', () => ({ changed: new Date(Date.UTC(2026, 4, 6) + nextRow() * 1000).toUTCString() })],
    ['the string form of a Date', () => ({ changed: String(new Date(Date.UTC(2026, 4, 6) + nextRow() * 1000)) })],
    ['a duration', () => ({ took_ms: nextRow() })],
  ])('two orders may differ in %s', async (_, show) => {
    kept.clear()
    const report = await auditOrders(triesShop(show), ['orders/{order_id}'])
    expect(report.checks.map(({ id, result, got }) => [id, result, got])).toEqual(
      EFFECTS.map((id) => [id, 'pass', expect.any(String)]),
    )
  })

  test('ids as keys hide no bug: a paid payment that changes its state fails', async () => {
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

  test('an event that is counted twice under generated keys fails', async () => {
    const report = await auditOrders(
      (event, order) => {
        if (event.event === 'payment.succeeded') order[drawn(nextRow())] = event.data.amount
      },
      ['orders/{order_id}'],
      ['duplicates'],
    )
    expect(ids(report, 'fail')).toEqual(['duplicates'])
  })

  test('a field that changes by itself is named and is not an effect', async () => {
    const report = await auditOrders(right, ['orders/{order_id}'], EFFECTS, () => ({ looks: nextRow() }))
    expect(ids(report, 'pass')).toEqual(EFFECTS)
    expect(report.checks[0]?.got).toContain('changes by itself not compared: $.looks')
  })

  test('a counter of calls is named and is not an effect', async () => {
    let calls = 0
    const report = await auditOrders(
      (event, order, ledger) => {
        right(event, order, ledger)
        Object.assign(order, { webhooks_received: ++calls, counts: { deliveries: calls, hits: calls } })
      },
      ['orders/{order_id}'],
    )
    expect(ids(report, 'pass')).toEqual(EFFECTS)
    expect(report.checks[0]?.got).toContain(
      'counts of deliveries not compared: $.webhooks_received, $.counts.deliveries',
    )
  })

  test('two reads before the first message detect a field that changes by itself', async () => {
    let looks = 0
    const read = async () => ({ text: JSON.stringify({ balance: 7, looks: ++looks }) })
    const probe = createProbe({ label: 'balance', isPerOrder: false, settleTime: 1, systemClock, read })
    const about = { order_id: 'A-1', payment_id: 'p' }
    await probe.learnVolatile(about)
    expect([...probe.volatile()]).toEqual(['$.looks'])
    await probe.settled(about)
    expect(looks).toBe(4)
  })
})
