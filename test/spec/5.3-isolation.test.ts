// Spec 5.3, 6.1 and 6.2: the key determines merchant and shop, and no request can see or change objects of another merchant.
// The tables contain each route of both APIs, so a new route needs a row.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import type { PUBLIC_OPERATIONS } from '../../src/http/public/operations.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { type Adapter, type AdapterShop, createArrangement, frozenSandbox } from '../contract/adapter.ts'
import { type CallResponse, call, createPayment, createPayout, post } from '../contract/caller.ts'
import { receiver } from '../delivery/receiver.ts'
import { storedTables } from '../stored-tables.ts'

interface Owned extends AdapterShop {
  readonly endpoint: string
  readonly key: string
  readonly pending: string
  readonly paid: string
  readonly refund: string
  readonly payout: string
  readonly event: string
  readonly delivery: string
  readonly listener: string
  readonly hooks: readonly string[]
}

let sandbox: Sandbox
let adapter: Adapter
let own: Owned
let other: Owned

beforeEach(async () => {
  sandbox = await frozenSandbox()
  adapter = {
    fetch: (path, init) => sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, init)),
    ...createArrangement(sandbox),
    close: () => sandbox.close(),
  }
  own = await merchant()
  other = await merchant()
})
afterEach(async () => {
  await sandbox.close({ grace_ms: 0 })
})

const control = (method: string, path: string, body?: unknown) =>
  call(adapter, method, `/_psp${path}`, { key: null, body })
const must = async (reply: Promise<CallResponse>) => {
  const { status, body, text } = await reply
  expect(status, text).toBeLessThan(300)
  return body
}

/** Creates a merchant with one object of each kind. */
async function merchant(): Promise<Owned> {
  const hook = await receiver((response) => response.end())
  const made = await must(control('POST', '/shops', { endpoints: [{ url: hook.url }] }))
  const shop: AdapterShop = made
  const key = { key: shop.api_key }
  const pending = (await must(createPayment(adapter, { webhook_url: hook.url }, key))).payment.id
  const paid = (await must(createPayment(adapter, { method: 'sbp' }, key))).payment.id
  await must(control('POST', `/payments/${paid}/act`, { action: 'pay' }))
  const headers = { 'X-PSP-Simulate': 'pending' }
  const refund = (await must(post(adapter, `/v1/public/payments/${paid}/refund`, { amount: 1 }, { ...key, headers })))
    .id
  const payout = (await must(createPayout(adapter, {}, { ...key, headers }))).payout.id
  await adapter.arrange.advance(1)
  const event = (await must(control('GET', `/events?object_id=${paid}`))).items[0].id
  const delivery = (await must(control('GET', `/deliveries?event_id=${event}`))).items[0].id
  const [keyRow] = (await must(control('GET', `/shops/${shop.shop_id}/keys`))).items
  const listener = (await must(control('POST', '/listeners', { shop_id: shop.shop_id, url: 'http://a/' }))).id
  const ids = { pending, paid, refund, payout, event, delivery, listener, key: keyRow.id }
  return { ...shop, ...ids, endpoint: made.endpoints[0].id, hooks: hook.received.map(({ body }) => body.toString()) }
}

/** Returns the rows that contain the other merchant, its shop or one of its objects. */
function rowsOf({ shop_id, merchant_id }: Owned): string[] {
  const tables = Object.entries(storedTables(sandbox.engine.world) as unknown as Record<string, object[]>)
  return tables.flatMap(([table, rows]) =>
    rows
      .map((row) => `${table} ${JSON.stringify(row)}`)
      .filter((row) => row.includes(shop_id) || row.includes(merchant_id)),
  )
}

/** Returns all texts that identify the other merchant. */
const marksOf = ({ hooks, ...marks }: Owned) => Object.values(marks)

type Sample = (own: Owned) => readonly [method: string, path: string, body?: unknown]

describe('the public API hides the objects of other merchants', () => {
  const SAMPLES: { readonly [O in keyof typeof PUBLIC_OPERATIONS]: Sample } = {
    createPayment: () => ['POST', '/payments', { amount: 1 }],
    getPayment: ({ paid }) => ['GET', `/payments/${paid}`],
    cancelPayment: ({ pending }) => ['POST', `/payments/${pending}/cancel`],
    refundPayment: ({ paid }) => ['POST', `/payments/${paid}/refund`, { amount: 1 }],
    createPayout: () => ['POST', '/payouts', { amount: 1, phone: '+79991234567', bank_id: '100000000111' }],
    getPayout: ({ payout }) => ['GET', `/payouts/${payout}`],
    listBanks: () => ['GET', '/banks/sbp'],
    streamEvents: () => ['GET', '/events'],
  }

  test.each(Object.entries(SAMPLES))('a request for %s of another merchant changes nothing', async (name, sample) => {
    const before = rowsOf(other)
    const [method, path, body] = sample(other)
    if (path.includes(other.paid) || path.includes(other.pending) || path.includes(other.payout)) {
      const reply = await call(adapter, method, `/v1/public${path}`, { key: own.api_key, body })
      expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found'])
      expect((await call(adapter, method, `/v1/public${path}`, { key: other.api_key, body })).status).toBeLessThan(300)
      return
    }
    if (name === 'streamEvents') return
    const reply = await call(adapter, method, `/v1/public${path}`, { key: own.api_key, body })
    expect(reply.status).toBeLessThan(300)
    for (const mark of marksOf(other)) expect(reply.text).not.toContain(mark)
    expect(rowsOf(other)).toEqual(before)
  })
})

describe('the control API affects only the named merchant', () => {
  const ALL = 'of the whole sandbox'
  const SAMPLES: { readonly [route: string]: Sample | typeof ALL } = {
    'GET /health': ALL,
    'GET /settings': ALL,
    'GET /settings/origins': ALL,
    'PATCH /settings': ALL,
    'POST /reset': ALL,
    'GET /snapshots': ALL,
    'PUT /snapshots/:name': ALL,
    'GET /snapshots/:name': ALL,
    'DELETE /snapshots/:name': ALL,
    'POST /snapshots/:name/restore': ALL,
    'GET /export': ALL,
    'PUT /import': ALL,
    'GET /clock': ALL,
    'POST /clock': ALL,
    'GET /clock/idle': ALL,
    'GET /clock/schedule': ALL,
    'GET /counts': ALL,
    'POST /clock/advance': ALL,
    'GET /shops': ALL,
    'POST /shops': () => ['POST', '/shops', {}],
    'GET /shops/:id': ({ shop_id }) => ['GET', `/shops/${shop_id}`],
    'PATCH /shops/:id': ({ shop_id }) => ['PATCH', `/shops/${shop_id}`, { live_enabled: true, ip_allow_list: ['::1'] }],
    'POST /shops/:id/rotate-signing-secret': ({ shop_id }) => ['POST', `/shops/${shop_id}/rotate-signing-secret`],
    'POST /shops/:id/rotate-webhook-secret': ({ shop_id }) => ['POST', `/shops/${shop_id}/rotate-webhook-secret`],
    'POST /shops/:id/wait': ({ shop_id }) => [
      'POST',
      `/shops/${shop_id}/wait`,
      { event: 'payment.succeeded', timeout: '1ms' },
    ],
    'GET /shops/:id/keys': ({ shop_id }) => ['GET', `/shops/${shop_id}/keys`],
    'POST /shops/:id/keys': ({ shop_id }) => ['POST', `/shops/${shop_id}/keys`, { mode: 'live' }],
    'DELETE /keys/:id': ({ key }) => ['DELETE', `/keys/${key}`],
    'GET /shops/:id/endpoints': ({ shop_id }) => ['GET', `/shops/${shop_id}/endpoints`],
    'POST /shops/:id/endpoints': ({ shop_id }) => [
      'POST',
      `/shops/${shop_id}/endpoints`,
      { url: 'http://127.0.0.1:9/' },
    ],
    'PATCH /endpoints/:id': ({ endpoint }) => ['PATCH', `/endpoints/${endpoint}`, { active: false }],
    'DELETE /endpoints/:id': ({ endpoint }) => ['DELETE', `/endpoints/${endpoint}`],
    'POST /endpoints/:id/rotate-secret': ({ endpoint }) => ['POST', `/endpoints/${endpoint}/rotate-secret`],
    'POST /endpoints/:id/test': ({ endpoint }) => ['POST', `/endpoints/${endpoint}/test`],
    'POST /payments': ({ shop_id }) => ['POST', '/payments', { amount: 1, shop_id }],
    'POST /payments/:id/cancel': ({ pending }) => ['POST', `/payments/${pending}/cancel`],
    'POST /payments/:id/refund': ({ paid }) => ['POST', `/payments/${paid}/refund`, { amount: 1 }],
    'POST /payouts': ({ shop_id }) => [
      'POST',
      '/payouts',
      { amount: 1, phone: '+79991234567', bank_id: '100000000111', shop_id },
    ],
    'GET /messages': ({ paid }) => ['GET', `/messages?object_id=${paid}`],
    'GET /payments': ({ shop_id }) => ['GET', `/payments?shop_id=${shop_id}`],
    'GET /payouts': ({ shop_id }) => ['GET', `/payouts?shop_id=${shop_id}`],
    'GET /refunds': ({ shop_id }) => ['GET', `/refunds?shop_id=${shop_id}`],
    'POST /payments/:id/act': ({ pending }) => ['POST', `/payments/${pending}/act`, { action: 'pay' }],
    'POST /payouts/:id/act': ({ payout }) => ['POST', `/payouts/${payout}/act`, { action: 'settle', status: 'failed' }],
    'POST /refunds/:id/act': ({ refund }) => ['POST', `/refunds/${refund}/act`, { action: 'settle', status: 'failed' }],
    'GET /events': ({ shop_id }) => ['GET', `/events?shop_id=${shop_id}`],
    'GET /events/:id': ({ event }) => ['GET', `/events/${event}`],
    'POST /events/:id/replay': ({ event }) => ['POST', `/events/${event}/replay`],
    'POST /trigger': ({ shop_id }) => ['POST', '/trigger', { event: 'payment.refunded', shop_id }],
    'GET /imported-events': ALL,
    'GET /imported-events/:id': ALL,
    'POST /imported-events': ALL,
    'DELETE /imported-events': ALL,
    'GET /deliveries': ({ shop_id }) => ['GET', `/deliveries?shop_id=${shop_id}`],
    'GET /deliveries/:id': ({ delivery }) => ['GET', `/deliveries/${delivery}`],
    'GET /deliveries/:id/diagnosis': ({ delivery }) => ['GET', `/deliveries/${delivery}/diagnosis`],
    'POST /deliveries/:id/retry': ({ delivery }) => ['POST', `/deliveries/${delivery}/retry`],
    'GET /rules': ALL,
    'POST /rules': ({ shop_id }) => ['POST', '/rules', { match: { shop_id }, plan: 'failed' }],
    'DELETE /rules': ALL,
    'DELETE /rules/:id': ALL,
    'GET /faults': ALL,
    'POST /faults': ALL,
    'DELETE /faults': ALL,
    'DELETE /faults/:id': ALL,
    'GET /requests': ({ shop_id }) => ['GET', `/requests?shop_id=${shop_id}`],
    'GET /stream': ALL,
    'GET /listeners': ALL,
    'POST /listeners': ({ shop_id }) => ['POST', '/listeners', { shop_id, url: 'http://a/' }],
    'GET /listeners/:id/stream': ALL,
    'POST /listeners/:id/results': ALL,
    'DELETE /listeners/:id': ({ listener }) => ['DELETE', `/listeners/${listener}`],
    'GET /openapi.json': ALL,
  }

  test('the table contains each route', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(CONTROL_ROUTES.map(({ method, path }) => `${method} ${path}`).sort())
  })

  test.each(Object.entries(SAMPLES).filter(([, sample]) => sample !== ALL))(
    'the route %s does not affect the other merchant',
    async (_route, sample) => {
      const before = rowsOf(other)
      const reply = await control(...(sample as Sample)(own))
      expect(reply.status, reply.text).toBeLessThan(300)
      for (const mark of marksOf(other)) expect(reply.text).not.toContain(mark)
      await adapter.arrange.advance(60_000)
      // Steps of the other merchant that were due have run. All else is unchanged.
      const changed = rowsOf(other).filter((row) => !before.includes(row))
      for (const mark of marksOf(own)) expect(changed.join()).not.toContain(mark)
      expect((await createPayment(adapter, {}, { key: other.api_key })).body).toMatchObject({ simulator: 'succeeded' })
    },
  )

  test('a replay to the endpoint of another merchant is 404', async () => {
    const reply = await control('POST', `/events/${own.event}/replay`, { endpoint_id: other.endpoint })
    expect(reply.status).toBe(404)
  })
})

describe('6.1 webhooks and 6.2 streams', () => {
  test('each receiver gets only the events of its merchant', () => {
    for (const [one, another] of [
      [own, other],
      [other, own],
    ] as const) {
      expect(one.hooks.length).toBeGreaterThan(1)
      for (const body of one.hooks) {
        expect(body).toContain(one.merchant_id)
        for (const mark of marksOf(another)) expect(body).not.toContain(mark)
      }
    }
  })

  test('a stream contains only events of its shop, not of another shop of the merchant', async () => {
    const sibling = await adapter.arrange.shop({ merchant_id: own.merchant_id })
    const response = await adapter.fetch('/v1/public/events', { headers: { Authorization: `Bearer ${own.api_key}` } })
    const reader = response.body?.getReader()
    for (const key of [other.api_key, sibling.api_key]) await createPayment(adapter, {}, { key })
    await must(control('POST', `/payments/${other.pending}/act`, { action: 'pay' }))
    const mine = (await createPayment(adapter, { order_id: 'mine' }, { key: own.api_key })).body.payment
    let text = ''
    while (!text.includes(mine.id)) text += new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()
    expect(text.match(/^event: .*$/gm)).toEqual(['event: payment.created'])
  })
})
