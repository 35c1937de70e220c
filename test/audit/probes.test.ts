// How probes see the effects of a handler: the money of the whole shop, and the state of one order as JSON.
import { describe, expect, test } from 'vitest'
import { auditOrders, EFFECTS, type Handle, ids, nextRow, once, right } from './fixtures.ts'
import type { WebhookEvent } from './shop.ts'

/** Counts money correctly, but the last event decides the state of the order. */
const lastEventWins: Handle = (event, order, ledger) => {
  if (!once(event)) return
  if (event.event === 'payment.succeeded') ledger.sum += event.data.amount
  if (event.event === 'payment.refunded') ledger.sum -= event.data.refunds.at(-1)?.amount ?? 0
  order['status'] = event.event.replace('payment.', '')
}

test('only a probe of the order shows that the last event wins', async () => {
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
    'orders/{order_id}: out of order, the final state differs: $.status: succeeded, not refunded',
  )
  expect(got[3]).toContain('orders/{order_id}: the late payment.expired changed $.status: succeeded -> expired')
})

test('a correct handler passes if its orders contain ids and times', async () => {
  const report = await auditOrders(right, ['balance', 'orders/{order_id}'])
  expect(report.checks.map(({ id, result, got }) => [id, result, got])).toEqual(
    EFFECTS.map((id) => [id, 'pass', expect.any(String)]),
  )
  expect(report.checks[1]?.got).toContain('$.id not compared; times not compared: $.updated_at')
})

test('a handler fails if two orders differ in a field that contains neither an id nor a time', async () => {
  const report = await auditOrders(
    (event, order, ledger) => {
      right(event, order, ledger)
      order['seal'] ??= `seal ${nextRow()}`
    },
    ['orders/{order_id}'],
  )
  expect(ids(report, 'fail')).toEqual(['duplicates', 'out_of_order'])
  expect(report.checks[0]?.got).toMatch(/\$\.seal: seal \d+, not seal \d+$/)
})

describe('partial refunds', () => {
  test.each([
    ['a total of refunds', 'pass', (event: WebhookEvent) => ({ refunded: event.data.amount_refunded })],
    ['the remaining amount', 'pass', ({ data }: WebhookEvent) => ({ left: data.amount - data.amount_refunded })],
    [
      'the last refund as the total',
      'fail',
      ({ data }: WebhookEvent) => ({ refunded: data.refunds.at(-1)?.amount ?? 0 }),
    ],
    ['no number that changes', 'warn', ({ data }: WebhookEvent) => ({ amount: data.amount })],
    ['no number', 'warn', () => ({ status: 'paid' })],
  ] as const)('a number that is %s gives the result %s', async (_, result, shown) => {
    const report = await auditOrders(
      (event, order) => void Object.assign(order, shown(event), { amount_text: 'many' }),
      ['orders/{order_id}'],
      ['partial_refunds'],
    )
    expect(report.checks[0]?.result).toBe(result)
    expect(report.checks[0]?.got).not.toContain('is not asked for by')
  })

  test('a finding names the wrong number, or the value if it contains no number', async () => {
    const twice: Handle = ({ data }, order) => {
      order['refunded'] = Number(order['refunded'] ?? 0) + data.amount_refunded
    }
    const wrong = await auditOrders(twice, ['orders/{order_id}'], ['partial_refunds'])
    expect(wrong.checks[0]?.got).toContain(
      'changed $.refunded by 0, its refund of 30 % by 45000, its refund of 20 % by 75000',
    )
    const none = await auditOrders(
      (_, order) => void Object.assign(order, { status: 'paid' }),
      ['orders/{order_id}'],
      ['partial_refunds'],
    )
    expect(none.checks[0]?.got).toMatch(
      /no number of the probe can show a refund \(\{"order_id":"order-1","status":"paid"\}\)/,
    )
  })
})
