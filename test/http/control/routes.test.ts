import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../../src/sandbox.ts'

const BASE = 'http://127.0.0.1:7770'
let sandbox: Sandbox
let receiver: Server
let hooks: string
let received: { headers: Record<string, unknown>; body: string }[]
let answers: number[]

beforeEach(async () => {
  received = []
  answers = []
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.statusCode = answers.shift() ?? 200
      response.end('seen')
    })
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  sandbox = await createSandbox({ clock: { mode: 'frozen' } })
})
afterEach(async () => {
  await sandbox.close()
  await new Promise((done) => receiver.close(done))
})

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers = {},
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
): Promise<{ status: number; body: any }> {
  const response = await sandbox.fetch(
    new Request(`${BASE}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

async function pay(key = sandbox.start().api_key, input = {}): Promise<string> {
  const made = await call('POST', '/v1/public/payments', { amount: 100, ...input }, { authorization: `Bearer ${key}` })
  expect(made.status).toBe(201)
  return made.body.payment.id
}

describe('health, clock and settings', () => {
  it('tells the version, the time and the clock', async () => {
    const { body } = await call('GET', '/_psp/health')
    expect(body).toMatchObject({ status: 'ok', version: sandbox.version, clock: 'frozen', api_version: '2026-05-06' })
  })

  it('advances by a duration, to a time and until idle, and never back', async () => {
    const start = (await call('GET', '/_psp/clock')).body.now
    await pay()
    expect((await call('GET', '/_psp/clock')).body.next_due).toBe(new Date(Date.parse(start) + 2000).toISOString())
    expect((await call('POST', '/_psp/clock/advance', { by: '2s' })).body).toMatchObject({ steps: 1, deliveries: 0 })
    expect((await call('POST', '/_psp/clock/advance', { until: 'idle' })).body.steps).toBe(2)
    for (const wrong of [{}, { by: '2' }, { to: start }, { by: '1s', until: 'idle' }]) {
      expect((await call('POST', '/_psp/clock/advance', wrong)).status).toBe(400)
    }
    expect((await call('POST', '/_psp/clock', { mode: 'frozen', now: start })).status).toBe(400)
    expect((await call('POST', '/_psp/clock', { mode: 'scaled', speed: 60 })).body).toMatchObject({ speed: 60 })
  })

  it('changes settings at once, names near ones for a wrong name, and brings defaults back', async () => {
    expect((await call('PATCH', '/_psp/settings', { 'delays.bank': '2s' })).body['delays.bank']).toBe('2s')
    const wrong = await call('PATCH', '/_psp/settings', { 'delay.bank': '2s' })
    expect(wrong).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('delays.bank') } } })
    expect((await call('PATCH', '/_psp/settings', { 'delays.bank': null })).body['delays.bank']).toBe('1s')
  })
})

describe('shops, keys and endpoints', () => {
  it('makes an isolated merchant in one call', async () => {
    const { body: other } = await call('POST', '/_psp/shops', { name: 'Other', endpoints: [{ url: hooks }] })
    expect(other).toMatchObject({ api_key: expect.stringMatching(/^sk_test_/), endpoints: [{ url: hooks }] })
    const id = await pay()
    const found = await call('GET', `/v1/public/payments/${id}`, undefined, {
      authorization: `Bearer ${other.api_key}`,
    })
    expect(found.status).toBe(404)
    await call('POST', '/_psp/clock/advance', { until: 'idle' })
    expect(received).toEqual([])
    expect((await call('GET', `/_psp/payments?shop_id=${other.shop_id}`)).body.items).toEqual([])
  })

  it('issues, lists and revokes keys', async () => {
    const shop = sandbox.start().shop_id
    const { status, body: key } = await call('POST', `/_psp/shops/${shop}/keys`, { mode: 'test' })
    expect(status).toBe(201)
    await pay(key.api_key)
    expect((await call('DELETE', `/_psp/keys/${key.id}`)).status).toBe(204)
    const refused = await call('GET', '/v1/public/banks/sbp', undefined, { authorization: `Bearer ${key.api_key}` })
    expect(refused).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
    const { body } = await call('GET', `/_psp/shops/${shop}/keys`)
    expect(JSON.stringify(body)).not.toContain(key.api_key)
  })

  it('rotates secrets; the next attempt signs with the new one', async () => {
    const shop = sandbox.start().shop_id
    const { body: endpoint } = await call('POST', `/_psp/shops/${shop}/endpoints`, { url: hooks })
    const { body: rotated } = await call('POST', `/_psp/endpoints/${endpoint.id}/rotate-secret`)
    expect(rotated.secret).not.toBe(endpoint.secret)
    const { verifyWebhook } = await import('../../../src/webhooks/index.ts')
    await call('POST', `/_psp/endpoints/${endpoint.id}/test`)
    const [hook] = received
    expect(verifyWebhook(hook?.body ?? '', hook?.headers as never, rotated.secret)).toMatchObject({ valid: true })
    expect(verifyWebhook(hook?.body ?? '', hook?.headers as never, endpoint.secret)).toMatchObject({ valid: false })
  })

  it('refuses an event name it does not know', async () => {
    const shop = sandbox.start().shop_id
    const wrong = await call('POST', `/_psp/shops/${shop}/endpoints`, { url: hooks, events: ['payment.*'] })
    expect(wrong.status).toBe(400)
  })
})

describe('events and deliveries', () => {
  it('retries over the whole ladder in one advance, then replays the same bytes', async () => {
    await call('POST', `/_psp/shops/${sandbox.start().shop_id}/endpoints`, { url: hooks })
    answers = Array.from({ length: 9 }, () => 500)
    await pay()
    expect((await call('POST', '/_psp/clock/advance', { by: '4d' })).body.deliveries).toBe(9)
    const { items } = (await call('GET', '/_psp/deliveries?status=exhausted')).body
    expect(items).toHaveLength(1)
    const at = items[0].attempts.map((attempt: { at: string }) => Date.parse(attempt.at))
    expect(at.map((time: number) => (time - at[0]) / 1000)).toEqual([0, 10, 70, 370, 2170, 9370, 30970, 117370, 290170])
    expect(items[0].attempts[0]).toMatchObject({ status: 500, response: { body: 'seen' } })
    const again = await call('POST', `/_psp/events/${items[0].event_id}/replay`)
    expect(again).toMatchObject({ status: 201, body: { items: [{ status: 'delivered' }] } })
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect((await call('POST', `/_psp/deliveries/${items[0].id}/retry`)).body.status).toBe('delivered')
  })

  it.each([
    'payment.succeeded',
    'payment.failed',
    'payment.cancelled',
    'payment.expired',
    'payment.refunded',
    'payout.succeeded',
    'payout.failed',
  ])('triggers %s', async (event) => {
    const made = await call('POST', '/_psp/trigger', { event, set: { amount: 500 } })
    expect(made.status).toBe(201)
    const { items } = (await call('GET', '/_psp/events')).body
    expect(items[0]).toMatchObject({ event, data: { amount: 500 } })
    expect(made.body.event_ids).toContain(items[0].id)
  })

  it('pages stably while rows come', async () => {
    const ids = [await pay(), await pay(), await pay()].reverse()
    const first = (await call('GET', '/_psp/payments?limit=2')).body
    await pay()
    const second = (await call('GET', `/_psp/payments?limit=2&cursor=${first.next_cursor}`)).body
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids)
    expect(second.next_cursor).toBeNull()
    expect((await call('GET', '/_psp/payments?limit=0')).status).toBe(400)
    expect((await call('GET', '/_psp/payments?cursor=x')).status).toBe(400)
  })
})

describe('acts', () => {
  it('pays, declines and expires at once, and refuses what the state table has not', async () => {
    const act = async (action: object) => call('POST', `/_psp/payments/${await pay()}/act`, action)
    expect((await act({ action: 'pay' })).body).toMatchObject({ status: 'succeeded', method: 'sbp' })
    expect((await act({ action: 'pay', method: 'cards' })).body).toMatchObject({ method: 'cards' })
    expect((await act({ action: 'decline' })).body.metadata).toMatchObject({ failure_code: 'do_not_honor' })
    expect((await act({ action: 'expire' })).body).toMatchObject({ status: 'expired' })
    expect((await act({ action: 'decline', failure_code: 'nonsense' })).status).toBe(400)
    expect((await act({ action: 'fly' })).status).toBe(400)
    const id = await pay()
    await call('POST', `/_psp/payments/${id}/act`, { action: 'pay' })
    const again = await call('POST', `/_psp/payments/${id}/act`, { action: 'pay' })
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'not_allowed' } } })
  })
})

describe('reset, snapshots, export and import', () => {
  it('is the same start state after each of ten resets, and no old timer fires', async () => {
    const tables = () => {
      const { state, ...rest } = sandbox.store.exportAll()
      return JSON.stringify(rest)
    }
    const start = tables()
    for (let i = 0; i < 10; i++) {
      await pay()
      await call('POST', '/_psp/rules', { plan: 'failed' })
      expect((await call('POST', '/_psp/reset')).status).toBe(200)
      expect(tables()).toBe(start)
    }
    expect((await call('POST', '/_psp/clock/advance', { by: '2d' })).body.steps).toBe(0)
  })

  it('brings credentials, settings and the wall clock back with all', async () => {
    await call('PATCH', '/_psp/settings', { buyer: 'manual' })
    await call('POST', '/_psp/shops', {})
    await call('POST', '/_psp/reset', { all: true })
    expect((await call('GET', '/_psp/shops')).body.items).toHaveLength(1)
    expect((await call('GET', '/_psp/settings')).body.buyer).toBe('auto')
    expect((await call('GET', '/_psp/clock')).body.mode).toBe('real')
    await pay()
  })

  it('goes back to a snapshot, which a reset does not touch', async () => {
    const id = await pay()
    expect((await call('PUT', '/_psp/snapshots/one')).status).toBe(200)
    await call('POST', '/_psp/reset', { all: true })
    expect((await call('GET', '/_psp/snapshots')).body.items).toMatchObject([{ name: 'one' }])
    await call('POST', '/_psp/snapshots/one/restore')
    expect((await call('GET', '/_psp/payments')).body.items).toMatchObject([{ id, status: 'pending' }])
    expect((await call('POST', '/_psp/clock/advance', { until: 'idle' })).body.steps).toBe(3)
    expect((await call('DELETE', '/_psp/snapshots/one')).status).toBe(204)
    expect((await call('POST', '/_psp/snapshots/one/restore')).status).toBe(404)
    expect((await call('PUT', '/_psp/snapshots/..%2Fx')).status).toBe(400)
  })

  it('imports what it exported; a damaged one changes nothing', async () => {
    await pay()
    const { body: state } = await call('GET', '/_psp/export')
    await pay()
    const before = JSON.stringify(sandbox.store.exportAll())
    const damaged = structuredClone(state)
    damaged.tables.payments[0].amount = 'much'
    const refused = await call('PUT', '/_psp/import', damaged)
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('tables.payments[0].amount') } },
    })
    expect(JSON.stringify(sandbox.store.exportAll())).toBe(before)
    expect((await call('PUT', '/_psp/import', state)).status).toBe(200)
    expect((await call('GET', '/_psp/payments')).body.items).toHaveLength(1)
  })
})

describe('rules, faults and the request log', () => {
  it('counts a rule and says in the log what decided', async () => {
    const { status, body: rule } = await call('POST', '/_psp/rules', { plan: 'error:aml_blocked', times: 1 })
    expect(status).toBe(201)
    const key = { authorization: `Bearer ${sandbox.start().api_key}` }
    expect((await call('POST', '/v1/public/payments', { amount: 100 }, key)).status).toBe(403)
    await pay()
    expect((await call('GET', '/_psp/rules')).body.items).toMatchObject([{ id: rule.id, times: 0, applied: 1 }])
    const { items } = (await call('GET', '/_psp/requests?path=/v1/public')).body
    expect(items.map((entry: { status: number }) => entry.status)).toEqual([201, 403])
    expect(items[0].decided_by).toBe('default')
    expect(JSON.stringify(items)).not.toContain(sandbox.start().api_key)
    expect((await call('DELETE', '/_psp/rules')).status).toBe(204)
  })

  it('refuses unknown plans, faults and fields of match', async () => {
    expect((await call('POST', '/_psp/rules', { plan: 'nonsense' })).status).toBe(400)
    expect((await call('POST', '/_psp/rules', { plan: 'failed', match: { colour: 'red' } })).status).toBe(400)
    expect((await call('POST', '/_psp/faults', { target: 'api', fault: 'fly' })).status).toBe(400)
    expect((await call('DELETE', '/_psp/faults/flt_none')).status).toBe(404)
  })
})
