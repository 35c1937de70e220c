import { describe, expect, it } from 'vitest'
import type { TableName } from '../../../src/engine/tables.ts'
import { START } from '../../engine/bench-world.ts'
import { storedTables } from '../../stored-tables.ts'
import { openSandbox } from '../fixtures.ts'

const frozenAtStart = { clock: { mode: 'frozen', now: START } } as const

describe('reset', () => {
  it('with all restores the exact start ten times, with shops, credentials, settings and clock, and keeps snapshots', async () => {
    const { sandbox, get, post, put, patch, pay } = await openSandbox({
      clock: { mode: 'real' },
      settings: { 'delays.bank': '3s' },
    })
    const state = () => {
      const { state: _clock, ...tables } = storedTables(sandbox.engine.world) as unknown as Record<string, object[]>
      // Each reset creates rows at another time, and the key with another id. The key itself is the same.
      return JSON.stringify(tables, (name, value) => (name === 'created_at' ? 'then' : value)).replace(
        /key_\w+/g,
        'key',
      )
    }
    await put('/snapshots/kept')
    await post('/reset', { all: true })
    const start = state()
    const settings = (await (await openSandbox()).get('/settings')).body
    for (let i = 0; i < 10; i++) {
      await post('/shops', { endpoints: [{ url: 'http://127.0.0.1:9/' }] })
      await post(`/shops/${sandbox.defaultShop().shop_id}/rotate-signing-secret`)
      await patch('/settings', { 'delays.bank': '9s', buyer: 'manual' })
      await pay()
      await post('/clock', { mode: 'frozen' })
      await post('/clock/advance', { by: '1h' })
      expect((await post('/reset', { all: true })).status).toBe(200)
      expect(state()).toBe(start)
    }
    const after = await openSandbox({ settings: { 'delays.bank': '3s' } })
    expect((await after.get('/settings')).body).toEqual({ ...settings, 'delays.bank': '3s' })
    const clock = (await get('/clock')).body
    expect(clock.mode).toBe('real')
    expect(storedTables(sandbox.engine.world).state).toContainEqual(
      expect.objectContaining({ id: 'clock', mode: 'real' }),
    )
    const [shop] = (await get('/shops')).body.items
    expect(Math.abs(Date.parse(shop.created_at) - Date.parse(clock.now))).toBeLessThan(60_000)
    expect((await get('/snapshots')).body.items).toMatchObject([{ name: 'kept' }])
  })

  it('restores the exact start state ten times, and no old timer fires', async () => {
    const { sandbox, post, get, pay, hooks, idle } = await openSandbox()
    const { received } = await hooks()
    const start = JSON.stringify(storedTables(sandbox.engine.world))
    for (let i = 0; i < 10; i++) {
      await post(`/payments/${await pay({ order_id: `o${i}` })}/act`, { action: 'pay' })
      await idle()
      await pay()
      await post('/rules', { plan: 'failed', match: { amount: 1 } })
      await post('/faults', { target: 'api', fault: 'latency:1s', match: { path: '/x' } })
      expect((await post('/reset')).status).toBe(200)
      expect(JSON.stringify(storedTables(sandbox.engine.world))).toBe(start)
    }
    expect(received).toHaveLength(10)
    expect((await post('/clock/advance', { by: '2d' })).body).toMatchObject({ steps: 0, deliveries: 0 })
    expect((await get('/clock')).body.next_due).toBeNull()
  })

  it('keeps shops, keys, endpoints, settings, clock and snapshots', async () => {
    const { get, post, put, patch, hooks, shop, pay } = await openSandbox(frozenAtStart)
    const { endpoint } = await hooks()
    const { body: key } = await post(`/shops/${shop}/keys`)
    await patch('/settings', { buyer: 'manual' })
    await put('/snapshots/kept')
    await post('/clock/advance', { by: '1h' })
    await post('/reset', { all: false })
    expect((await get(`/shops/${shop}/endpoints`)).body.items).toMatchObject([{ id: endpoint.id }])
    expect((await get('/settings')).body.buyer).toBe('manual')
    expect((await get('/clock')).body).toMatchObject({ mode: 'frozen', now: new Date(START + 3_600_000).toISOString() })
    expect((await get('/snapshots')).body.items).toMatchObject([{ name: 'kept' }])
    await pay({}, key.api_key)
  })

  it('removes all idempotency keys', async () => {
    const { post, call, sandbox } = await openSandbox()
    const headers = { authorization: `Bearer ${sandbox.defaultShop().api_key}`, 'idempotency-key': 'one' }
    await call('POST', '/v1/public/payments', { amount: 100 }, headers)
    await post('/reset')
    expect((await call('POST', '/v1/public/payments', { amount: 200 }, headers)).status).toBe(201)
  })

  it('with all restores the settings, credentials and endpoints of the start options', async () => {
    const given = {
      settings: { 'delays.bank': '7s' },
      credentials: { webhook_secret: 'whs_given_at_the_start' },
      endpoints: ['http://127.0.0.1:1/hooks'],
    }
    const { sandbox, get, post, patch, shop, remove } = await openSandbox({ ...frozenAtStart, ...given })
    const [endpoint] = (await get(`/shops/${shop}/endpoints`)).body.items
    await patch('/settings', { 'delays.bank': '1m', buyer: 'manual' })
    await remove(`/endpoints/${endpoint.id}`)
    await post('/reset', { all: true })
    expect((await get('/settings')).body).toMatchObject({ 'delays.bank': '7s', buyer: 'auto' })
    expect((await get(`/shops/${shop}/endpoints`)).body.items).toMatchObject([{ url: endpoint.url }])
    expect(sandbox.defaultShop()).toMatchObject(given.credentials)
  })

  it('refuses an unknown field and an invalid value', async () => {
    const { post } = await openSandbox()
    for (const body of [{ All: true }, { all: 'yes' }, []]) expect((await post('/reset', body)).status).toBe(400)
  })
})

describe('export and import', () => {
  it('copy the whole state to another sandbox', async () => {
    const one = await openSandbox(frozenAtStart)
    await one.hooks(500)
    await one.post('/trigger', { event: 'payment.refunded', set: { metadata: { имя: '₽' } } })
    await one.pay({ metadata: JSON.parse('{"__proto__":"kept"}') })
    await one.post('/rules', { plan: ['failed', 'succeeded'], times: 3 })
    await one.post('/faults', { target: 'webhook', fault: 'duplicate:2', probability: 0.5 })
    await one.patch('/settings', { 'delays.bank': '2s' })
    await one.post('/trigger', { event: 'payout.failed' })
    await one.idle()
    const { body: state, status } = await one.get('/export')
    expect(status).toBe(200)
    expect(state.tables.deliveries[0].attempts.length).toBeGreaterThan(1)
    const other = await openSandbox()
    expect((await other.put('/import', state)).status).toBe(200)
    const { body: again } = await other.get('/export')
    const timeless = ({ tables }: typeof state) =>
      JSON.stringify({ ...tables, state: tables.state.map((row: { id: string }) => ({ ...row, wall: 0 })) })
    expect(timeless(again)).toBe(timeless(state))
    expect(JSON.stringify(again)).toContain('"__proto__":"kept"')
  })

  const damages: [string, (tables: Record<TableName, Record<string, unknown>[]>) => void][] = [
    ['tables.payments[0].amount', ({ payments }) => (at(payments)['amount'] = 'much')],
    ['tables.payments[0].plan', ({ payments }) => (at(payments)['plan'] = { outcome: 'failed', decided_by: 'x' })],
    ['tables.payments[0].metadata', ({ payments }) => (at(payments)['metadata'] = { a: 1 })],
    ['tables.payments[0].processing_until', ({ payments }) => (at(payments)['processing_until'] = '2026')],
    ['tables.payments[0].created_at', ({ payments }) => (at(payments)['created_at'] = 9e15)],
    ['tables.payments[0].shop_id', ({ payments }) => (at(payments)['shop_id'] = 'nobody')],
    ['tables.payments[1].id', ({ payments }) => payments.push({ ...at(payments) })],
    ['tables.refunds[0].payment_id', ({ refunds }) => (at(refunds)['payment_id'] = 'none')],
    ['tables.deliveries[0].event_id', ({ events }) => events.splice(0)],
    ['tables.events[0].body', ({ events }) => (at(events)['body'] = '{"id":1}')],
    ['tables.keys[0].hash', ({ keys }) => (at(keys)['hash'] = 'sk_test_abc123_x')],
    ['tables.keys[1].hash', ({ keys }) => keys.push({ ...at(keys), id: 'key_2' })],
    ['tables.shops[0].ip_allow_list.0', ({ shops }) => (at(shops)['ip_allow_list'] = ['x'])],
    ['tables.shops[0].merchant_id', ({ merchants }) => merchants.splice(0)],
    ['tables.payments[0].merchant_id', ({ payments }) => (at(payments)['merchant_id'] = 'other')],
    ['tables.shops: ', ({ shops }) => shops.splice(0)],
    ['tables.rules[0].plan', ({ rules }) => (at(rules)['plan'] = 'nonsense')],
    ['tables.faults[0]', ({ faults }) => (at(faults)['fault'] = 'fly')],
    ['tables.state[0].values', ({ state }) => (at(state, 'settings')['values'] = { nonsense: 1 })],
    ['default_outcome', ({ state }) => (at(state, 'settings')['values'] = { default_outcome: 'x' })],
    ['.speed', ({ state }) => (at(state, 'clock')['speed'] = 0)],
    ['tables.timers[0].kind', ({ timers }) => (at(timers)['kind'] = 'explode')],
    // Timers of payments are derived from the payments. As stored rows they would run twice.
    ['tables.timers[0].kind', ({ timers }) => (at(timers)['kind'] = 'bank_answer')],
    ['tables.cats', (tables) => ((tables as Record<string, unknown>)['cats'] = [])],
    ['tables.events: ', (tables) => ((tables as Record<string, unknown>)['events'] = {})],
  ]

  it.each(damages)('an import with an invalid value at %s names it and changes nothing', async (path, damage) => {
    const { sandbox, get, put, post, pay, patch, shop } = await openSandbox()
    await post(`/shops/${shop}/endpoints`, { url: 'http://127.0.0.1:1/' })
    await post('/trigger', { event: 'payment.refunded' })
    await post('/rules', { plan: 'failed', match: { amount: 1 } })
    await post('/faults', { target: 'stream', fault: 'drop' })
    await patch('/settings', { buyer: 'manual' })
    const { body: state } = await get('/export')
    await pay()
    const before = JSON.stringify(storedTables(sandbox.engine.world))
    damage(state.tables)
    const { status, body } = await put('/import', state)
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(path)])
    expect(JSON.stringify(storedTables(sandbox.engine.world))).toBe(before)
  })

  it('an import refuses a body that is not an export', async () => {
    const { put } = await openSandbox()
    for (const body of [{}, { tables: {} }, { format: 'other/1', tables: {} }, '{"format":', []]) {
      expect((await put('/import', body)).status).toBe(400)
    }
  })

  it('an export of some tables is refused by an import', async () => {
    const { get, put, pay } = await openSandbox()
    await pay()
    const { body: part } = await get('/export?tables=shops,merchants')
    expect(Object.keys(part.tables)).toEqual(['shops', 'merchants'])
    const refused = await put('/import', part)
    expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('partial') } } })
    expect((await get('/payments')).body.items).toHaveLength(1)
    expect((await get('/export?tables=cats')).status).toBe(400)
  })

  it('an import may be larger than other bodies', async () => {
    const { get, put, patch, call, sandbox } = await openSandbox()
    await patch('/settings', { body_limit: 8 * 1024 * 1024 })
    const headers = { authorization: `Bearer ${sandbox.defaultShop().api_key}` }
    const large = { amount: 1, metadata: { note: 'я'.repeat(2_000_000) } }
    expect((await call('POST', '/v1/public/payments', large, headers)).status).toBe(201)
    await patch('/settings', { body_limit: null })
    const { body: state } = await get('/export')
    expect((await put('/import', state)).status).toBe(200)
    expect((await put('/snapshots/big', 'x'.repeat(10))).status).toBe(200)
    expect((await patch('/settings', `{"buyer":"${'x'.repeat(3_000_000)}"}`)).status).toBe(413)
  })
})

function at(rows: Record<string, unknown>[], id?: string): Record<string, unknown> {
  const row = id === undefined ? rows[0] : rows.find((each) => each['id'] === id)
  if (row === undefined) throw new Error('There is no such row.')
  return row
}

describe('counts', () => {
  it('equal the numbers of rows in an export', async () => {
    const { get, pay } = await openSandbox()
    await pay()
    await pay()
    const { body } = await get('/counts')
    const { tables } = (await get('/export')).body
    expect(body).toMatchObject({ payments: 2, shops: 1 })
    for (const [name, rows] of Object.entries(tables as Record<string, unknown[]>))
      if (name !== 'state') expect([name, body[name]]).toEqual([name, rows.length])
  })
})
