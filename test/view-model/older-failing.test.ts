// The webhooks that fail are known, also if many newer deliveries succeeded.
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { assembleSandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { reduce } from '../../src/tui/state/reducer.ts'
import type { State } from '../../src/tui/state/state.ts'
import { runFeed } from '../../src/view-model/feed/feed.ts'
import { type DeliveryRow, deliveryRow, ROW_LIMITS } from '../../src/view-model/rows/rows.ts'
import { MAX_OLDER_FAILING, trimDeliveries, webhookHealth } from '../../src/view-model/rows/webhook-health.ts'
import { createState } from '../tui/fixtures.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

const ATTEMPT = { number: 1, sent_at: '2026-05-06T12:00:00.000Z', duration_ms: 1 }

/** A delivery as the API lists it. Delivery 1 is the oldest. */
function listed(number: number, status: 'delivered' | 'exhausted' | 'waiting', attempts_made = 1) {
  return {
    id: `dlv_${String(number).padStart(6, '0')}`,
    event_id: `evt_${number}`,
    event: 'payment.succeeded',
    object_id: `payment ${number}`,
    merchant_id: 'm',
    shop_id: 's',
    url: 'http://shop.example/hooks',
    status,
    created_at: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
    attempts_made,
    attempts_total: 9,
    last_attempt: { ...ATTEMPT, status: status === 'delivered' ? 200 : 500 },
  }
}

test('failing deliveries that are older than the newest ones are read by their status', async () => {
  const all = [
    ...Array.from({ length: ROW_LIMITS.deliveries }, (_, at) => listed(7000 - at, 'delivered')),
    listed(30, 'waiting'),
    listed(20, 'exhausted'),
    listed(10, 'waiting', 0),
    listed(5, 'delivered'),
  ]
  const systemClock = createSystemClock()
  const sandbox = await assembleSandbox({ clock: { mode: 'frozen' }, systemClock })
  cleanups.push(() => sandbox.close({ grace_ms: 0 }))
  const client = createClient({
    baseUrl: 'http://127.0.0.1:7770',
    apiKey: sandbox.defaultShop().api_key,
    async fetch(url, init) {
      const { pathname, searchParams } = new URL(url)
      if (pathname !== '/_psp/deliveries') return sandbox.fetch(new Request(url, init))
      const rows = all.filter(({ status }) => (searchParams.get('status') ?? status) === status)
      const from = Number(searchParams.get('cursor') ?? 0)
      const end = from + Number(searchParams.get('limit'))
      return Response.json({ items: rows.slice(from, end), next_cursor: end < rows.length ? String(end) : null })
    },
  })
  const controller = new AbortController()
  cleanups.push(() => controller.abort())
  let state: State = createState()
  const isComplete = new Promise<void>((resolve) => {
    runFeed({
      client,
      systemClock,
      signal: controller.signal,
      dispatch(action) {
        state = reduce(state, action)[0]
        if (state.tables.deliveries.size > ROW_LIMITS.deliveries) resolve()
      },
    }).catch(() => {})
  })
  await isComplete
  expect(webhookHealth(state.tables).failing.map(({ object_id }) => object_id)).toEqual(['payment 20', 'payment 30'])
  expect(state.tables.deliveries.size).toBe(ROW_LIMITS.deliveries + 2)
})

const row = (number: number, status: 'delivered' | 'exhausted'): [string, DeliveryRow] => {
  const delivery = listed(number, status)
  return [delivery.id, deliveryRow(delivery as never, delivery.last_attempt as never, number)]
}

test('a table that is too long loses its oldest deliveries, except those that fail', () => {
  const rows = new Map([row(1, 'delivered'), row(2, 'exhausted'), row(3, 'delivered')])
  for (let number = 4; number <= ROW_LIMITS.deliveries + 1; number++) rows.set(...row(number, 'delivered'))
  expect([...trimDeliveries(rows).keys()].slice(0, 3)).toEqual(['dlv_000002', 'dlv_000003', 'dlv_000004'])
  rows.set(...row(9000, 'delivered'))
  rows.set(...row(9001, 'delivered'))
  expect([...trimDeliveries(rows).keys()].slice(0, 2)).toEqual(['dlv_000002', 'dlv_000004'])
})

test('the number of failing deliveries is limited, too', () => {
  const rows = new Map<string, DeliveryRow>()
  const most = ROW_LIMITS.deliveries + MAX_OLDER_FAILING
  for (let number = 1; number <= most + 1; number++) rows.set(...row(number, 'exhausted'))
  trimDeliveries(rows)
  expect([rows.size, rows.has('dlv_000001'), rows.has('dlv_000002')]).toEqual([most, false, true])
})
