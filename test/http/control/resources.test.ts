import { describe, expect, it } from 'vitest'
import { verifyWebhook } from '../../../src/webhooks/index.ts'
import { openSandbox } from '../fixtures.ts'

describe('health and settings', () => {
  it('contain version, time and clock', async () => {
    const { sandbox, get } = await openSandbox()
    expect((await get('/health')).body).toEqual({
      status: 'ok',
      store: 'ok',
      access: 'full',
      version: sandbox.version,
      command: 'psp',
      api_version: '2026-05-06',
      now: new Date(sandbox.timeline.now()).toISOString(),
      clock: 'frozen',
      last_event_id: expect.stringMatching(/^\d+$/),
      event_streams: { connections: 0, sent: 0, dropped: 0 },
    })
  })

  it('count the stream messages that slow clients missed', async () => {
    const { sandbox, get, pay, patch } = await openSandbox()
    await patch('/settings', { stream_queue: 1 })
    const stream = await sandbox.fetch(
      new Request('http://127.0.0.1/v1/public/events', {
        headers: { Authorization: `Bearer ${sandbox.defaultShop().api_key}` },
      }),
    )
    while ((await get('/health')).body.event_streams.dropped === 0) {
      await pay({ order_id: 'x'.repeat(10_000) })
      // Messages are sent at the end of a turn.
      await new Promise<void>((resolve) => void setImmediate(resolve))
    }
    expect((await get('/health')).body.event_streams).toMatchObject({ connections: 1, sent: expect.any(Number) })
    await stream.body?.cancel()
    expect((await get('/health')).body.event_streams.connections).toBe(0)
  })

  it('change immediately, all of them or none', async () => {
    const { get, patch } = await openSandbox()
    expect((await patch('/settings', { 'delays.bank': '2s', buyer: 'manual' })).body).toMatchObject({
      'delays.bank': '2s',
      buyer: 'manual',
    })
    const wrong = await patch('/settings', { buyer: 'auto', 'delays.bank': 2 })
    expect(wrong).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('delays.bank') } } })
    expect((await get('/settings')).body.buyer).toBe('manual')
    expect((await patch('/settings', { 'delays.bank': null })).body['delays.bank']).toBe('1s')
  })

  it('suggest a name for an unknown setting, even if it is only reset', async () => {
    const { patch } = await openSandbox()
    for (const value of ['2s', null]) {
      const { status, body } = await patch('/settings', { 'delay.bank': value })
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('delays.bank')])
    }
    for (const wrong of ['{"__proto__":null}', '[]', '"x"', '{"default_outcome":"nonsense"}', '']) {
      expect((await patch('/settings', wrong)).status, wrong).toBe(400)
    }
  })
})

describe('shops', () => {
  it('are created with an isolated merchant in one call, and show each secret once', async () => {
    const { get, post, ask, pay, shop } = await openSandbox()
    const { status, body: other } = await post('/shops', { name: 'Other', rate_limit: 7, live_enabled: true })
    expect(status).toBe(201)
    expect(other).toMatchObject({
      api_key: expect.stringMatching(/^sk_test_/),
      signing_secret: expect.stringMatching(/^thm_/),
      webhook_secret: expect.stringMatching(/^whs_/),
    })
    const mine = await pay()
    const theirs = await pay({}, other.api_key)
    expect((await ask('GET', `/v1/public/payments/${mine}`, undefined, other.api_key)).status).toBe(404)
    const items = (await get(`/payments?shop_id=${other.shop_id}`)).body.items
    expect(items.map(({ id }: { id: string }) => id)).toEqual([theirs])
    const shown = await get(`/shops/${other.shop_id.toUpperCase()}`)
    expect(shown.body).toMatchObject({ id: other.shop_id, name: 'Other', rate_limit: 7, live_enabled: true })
    const all = JSON.stringify((await get('/shops')).body) + JSON.stringify(shown.body)
    for (const secret of [other.api_key, other.signing_secret, other.webhook_secret]) expect(all).not.toContain(secret)
    expect((await get('/shops')).body.items.map(({ id }: { id: string }) => id)).toEqual([other.shop_id, shop])
  })

  it('accept given credentials and endpoints, and a merchant that exists', async () => {
    const { post, ask } = await openSandbox()
    const fixed = {
      api_key: 'sk_test_abc123_fixed',
      signing_secret: 'thm_fixed_fixed',
      webhook_secret: 'whs_fixed_fixed',
    }
    const endpoints = [{ url: 'http://127.0.0.1:1/hooks', events: ['payment.succeeded'], signature: 'v1' }]
    const { body } = await post('/shops', { ...fixed, endpoints })
    expect(body).toMatchObject({ ...fixed, endpoints: [{ ...endpoints[0], id: expect.any(String), active: true }] })
    expect(body.endpoints[0].secret).toMatch(/^whs_/)
    expect((await ask('GET', '/v1/public/banks/sbp', undefined, fixed.api_key)).status).toBe(200)
    const second = await post('/shops', { merchant_id: body.merchant_id })
    expect(second.body.merchant_id).toBe(body.merchant_id)
    const again = await post('/shops', fixed)
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'not_allowed' } } })
    const unknown = await post('/shops', { merchant_id: 'none' })
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  })

  it.each([
    [{ merchant_id: 1 }, 'merchant_id'],
    [{ ip_allow_list: ['10.0.0.300'] }, 'ip_allow_list'],
    [{ require_signiture: true }, 'require_signature'],
    [{ endpoints: [{ url: 'ftp://x' }] }, 'endpoints.0.url'],
    [{ endpoints: [{ url: 'http://x/', events: ['payment.*'] }] }, 'payment.succeeded'],
    [{ api_key: 'sk_prod_1' }, 'api_key'],
    [{ signing_secret: 'whs_wrong_kind' }, 'signing_secret'],
    ['[]', 'body'],
  ])('are refused with %j and the name of the field', async (body, named) => {
    const { post, get } = await openSandbox()
    const refused = await post('/shops', body)
    expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(named) } } })
    expect((await get('/shops')).body.items).toHaveLength(1)
  })

  it('are changed, and each secret is rotated separately', async () => {
    const { patch, post, shop, sandbox } = await openSandbox()
    expect((await patch(`/shops/${shop}`, { require_signature: true, payout_route: false })).body).toMatchObject({
      require_signature: true,
      payout_route: false,
    })
    const before = sandbox.defaultShop()
    const { signing_secret } = (await post(`/shops/${shop}/rotate-signing-secret`)).body
    expect(sandbox.defaultShop()).toMatchObject({ signing_secret, webhook_secret: before.webhook_secret })
    const { webhook_secret } = (await post(`/shops/${shop}/rotate-webhook-secret`)).body
    expect(sandbox.defaultShop()).toMatchObject({ signing_secret, webhook_secret })
    expect([signing_secret, webhook_secret]).not.toContain(before.signing_secret)
  })

  it.each([
    ['PATCH', '', { name: 'Other' }],
    ['POST', '/keys', { mode: 'test' }],
    ['POST', '/endpoints', { url: 'http://127.0.0.1:1/' }],
    ['POST', '/rotate-signing-secret', undefined],
    ['POST', '/rotate-webhook-secret', undefined],
    ['GET', '/keys', undefined],
    ['GET', '/endpoints', undefined],
  ])('are 404 at %s /shops/unknown%s', async (method, path, body) => {
    const { call } = await openSandbox()
    expect((await call(method, `/_psp/shops/unknown${path}`, body)).status).toBe(404)
  })
})

describe('keys', () => {
  it('are issued, listed without their secret, and revoked', async () => {
    const { get, post, remove, shop, ask, pay } = await openSandbox()
    const { status, body: key } = await post(`/shops/${shop}/keys`, { mode: 'test' })
    expect(status).toBe(201)
    await pay({}, key.api_key)
    expect((await remove(`/keys/${key.id}`)).status).toBe(204)
    expect((await ask('GET', '/v1/public/banks/sbp', undefined, key.api_key)).status).toBe(401)
    const { items } = (await get(`/shops/${shop}/keys`)).body
    expect(items[0]).toMatchObject({ id: key.id, revoked_at: expect.any(String) })
    expect(JSON.stringify(items)).not.toContain(key.api_key)
    expect((await remove('/keys/key_none')).status).toBe(404)
  })

  it('are test keys unless the request asks for a live key', async () => {
    const { post, shop } = await openSandbox()
    expect((await post(`/shops/${shop}/keys`)).body.api_key).toMatch(/^sk_test_/)
    expect((await post(`/shops/${shop}/keys`, { mode: 'live' })).body.api_key).toMatch(/^sk_live_/)
    expect((await post(`/shops/${shop}/keys`, { mode: 'prod' })).status).toBe(400)
  })
})

describe('endpoints', () => {
  it('have a separate secret, whose rotation applies immediately', async () => {
    const { post, hooks } = await openSandbox()
    const { endpoint, received } = await hooks()
    const { body: rotated } = await post(`/endpoints/${endpoint.id}/rotate-secret`)
    const { status, body: delivery } = await post(`/endpoints/${endpoint.id}/test`)
    expect([status, delivery.status]).toEqual([201, 'delivered'])
    const [hook] = received
    const body = hook?.body.toString() ?? ''
    expect(JSON.parse(body).data.metadata.sample).toBe('true')
    expect(verifyWebhook(body, hook?.headers as never, rotated.secret)).toMatchObject({ valid: true })
    expect(verifyWebhook(body, hook?.headers as never, endpoint.secret)).toMatchObject({ valid: false })
  })

  it('are changed, listed newest first and deleted', async () => {
    const { get, post, patch, remove, shop } = await openSandbox()
    const one = (await post(`/shops/${shop}/endpoints`, { url: 'http://127.0.0.1:1/a' })).body
    const two = (await post(`/shops/${shop}/endpoints`, { url: 'http://127.0.0.1:1/b', signature: 'v1' })).body
    const change = { events: ['payout.failed'], active: false, url: 'https://example.com/c' }
    expect((await patch(`/endpoints/${one.id}`, change)).body).toMatchObject({ id: one.id, ...change })
    const { items } = (await get(`/shops/${shop}/endpoints`)).body
    expect(items.map(({ id }: { id: string }) => id)).toEqual([two.id, one.id])
    expect(JSON.stringify(items)).not.toMatch(/whs_/)
    expect((await patch(`/endpoints/${one.id}`, { events: ['payment.*'] })).status).toBe(400)
    expect((await remove(`/endpoints/${one.id}`)).status).toBe(204)
    expect((await remove(`/endpoints/${one.id}`)).status).toBe(404)
  })
})
