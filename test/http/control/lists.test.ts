import { describe, expect, it } from 'vitest'
import { signatureHeader } from '../../../src/domain/signatures.ts'
import { openSandbox } from '../fixtures.ts'

const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)

describe('lists', () => {
  it('are stable while rows are added, newest first', async () => {
    const { get, post, pay } = await openSandbox()
    const made = [await pay(), await pay(), await pay(), await pay()].reverse()
    const first = (await get('/payments?limit=2')).body
    await pay()
    const second = (await get(`/payments?limit=2&cursor=${first.next_cursor}`)).body
    expect([...ids(first.items), ...ids(second.items)]).toEqual(made)
    expect(second.next_cursor).toBeNull()
    const rules = []
    for (let i = 0; i < 3; i++) rules.unshift((await post('/rules', { plan: 'failed' })).body.id)
    const page = (await get('/rules?limit=1')).body
    expect(ids(page.items)).toEqual([rules[0]])
  })

  it('continue after the cursor if its row was removed', async () => {
    const { get, post, remove, idle } = await openSandbox()
    for (let i = 0; i < 3; i++) {
      await post('/rules', { plan: 'failed', match: { order_id: String(i) } })
      await post('/clock/advance', { by: '1s' })
    }
    const page = (await get('/rules?limit=1')).body
    await remove(`/rules/${page.items[0].id}`)
    const rest = (await get(`/rules?cursor=${page.next_cursor}`)).body.items
    expect(rest.map(({ match }: { match: object }) => match)).toEqual([{ order_id: '1' }, { order_id: '0' }])
    await idle()
  })

  it('skip no row of the same instant after a removed row', async () => {
    const { get, post, remove } = await openSandbox()
    for (let i = 0; i < 3; i++) await post('/rules', { plan: 'failed', match: { order_id: String(i) } })
    const page = (await get('/rules?limit=1')).body
    await remove(`/rules/${page.items[0].id}`)
    expect((await get(`/rules?cursor=${page.next_cursor}`)).body.items).toHaveLength(2)
  })

  it('refuse an empty cursor and an unknown filter', async () => {
    const { get } = await openSandbox()
    for (const query of ['cursor=', 'colour=red']) {
      expect((await get(`/payments?${query}`)).status, query).toBe(400)
    }
  })

  it('have at most 100 items by default', async () => {
    const { get, pay } = await openSandbox()
    for (let i = 0; i < 101; i++) await pay()
    const { body } = await get('/payments')
    expect(body.items).toHaveLength(100)
    expect((await get(`/payments?cursor=${body.next_cursor}`)).body.items).toHaveLength(1)
  })

  it('filter payments, and contain the plan and its source', async () => {
    const { get, pay, post } = await openSandbox()
    const card = await pay({ method: 'cards', order_id: 'a' })
    const sbp = await pay({ method: 'sbp', order_id: 'b', metadata: { simulate: 'failed:card_lost@3s' } })
    await post(`/payments/${card}/act`, { action: 'pay' })
    const found = async (query: string) => ids((await get(`/payments?${query}`)).body.items)
    expect(await found('method=cards')).toEqual([card])
    expect(await found('order_id=b')).toEqual([sbp])
    expect(await found('status=succeeded')).toEqual([card])
    expect(await found('status=succeeded&order_id=b')).toEqual([])
    expect((await get('/payments?order_id=b')).body.items[0]).toMatchObject({
      mode: 'test',
      plan: 'failed:card_lost@3s',
      decided_by: 'metadata',
    })
    expect((await get('/payments?status=paid')).status).toBe(400)
  })

  it('filter refunds by their payment, and payouts', async () => {
    const { get, post, ask } = await openSandbox()
    const { payment_id, refund_id } = (
      await post('/trigger', { event: 'payment.refunded', set: { order_id: 'o1', refund_amount: 10 } })
    ).body
    const { payout_id } = (await post('/trigger', { event: 'payout.failed' })).body
    const found = async (path: string) => ids((await get(path)).body.items)
    expect(await found(`/refunds?payment_id=${payment_id}&order_id=o1&method=sbp&status=succeeded`)).toEqual([
      refund_id,
    ])
    expect(await found('/refunds?order_id=o2')).toEqual([])
    expect(await found('/refunds?method=cards')).toEqual([])
    expect(await found('/payouts?status=failed&method=payouts_sbp')).toEqual([payout_id])
    expect(await found('/payouts?order_id=o1')).toEqual([])
    expect((await ask('GET', `/v1/public/payouts/${payout_id}`)).body.fail_reason).toBe('do_not_honor')
  })
})

describe('events and deliveries', () => {
  it('follow the whole retry schedule in one advance, and a replay sends the same bytes', async () => {
    const { get, post, pay, hooks } = await openSandbox()
    const { received } = await hooks(...Array.from({ length: 9 }, () => 500))
    const id = await pay()
    expect((await post('/clock/advance', { by: '4d' })).body.deliveries).toBe(9)
    const { items } = (await get('/deliveries?status=exhausted')).body
    expect(items).toHaveLength(1)
    const at = items[0].attempts.map((attempt: { at: string }) => Date.parse(attempt.at))
    expect(at.map((time: number) => (time - at[0]) / 1000)).toEqual([0, 10, 70, 370, 2170, 9370, 30970, 117370, 290170])
    expect(items[0].attempts[0]).toMatchObject({
      number: 1,
      status: 500,
      error: expect.stringContaining('500'),
      request: { headers: { 'x-psp-event-id': items[0].event_id }, body: received[0]?.body.toString() },
      response: { body: 'seen' },
    })
    const again = await post(`/events/${items[0].event_id}/replay`)
    expect(again).toMatchObject({ status: 201, body: { items: [{ status: 'delivered', object_id: id }] } })
    expect((await post(`/deliveries/${items[0].id}/retry`)).body).toMatchObject({ status: 'delivered' })
    expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1)
    expect((await get(`/deliveries/${items[0].id}`)).body.attempts).toHaveLength(10)
  })

  it('return the events, deliveries and refunds of one object, the newest first and in pages', async () => {
    const { get, post, pay, hooks } = await openSandbox()
    await hooks(200)
    const [id] = [await pay({ amount: 100_000 }), await pay()]
    await post('/clock/advance', { by: '1m' })
    const [event] = (await get(`/events?object_id=${id}`)).body.items
    for (let n = 0; n < 3; n++) {
      await post('/clock/advance', { by: '1s' })
      await post(`/events/${event.id}/replay`)
    }
    for (const filter of [`object_id=${id}`, `event_id=${event.id}`]) {
      const all = (await get(`/deliveries?${filter}`)).body.items
      const everything = (await get('/deliveries')).body.items
      const expected = everything.filter((one: { object_id: string }) => one.object_id === id)
      expect(ids(all)).toEqual(ids(expected))
      expect(all).toHaveLength(4)
      const first = (await get(`/deliveries?${filter}&limit=3`)).body
      const second = (await get(`/deliveries?${filter}&limit=3&cursor=${first.next_cursor}`)).body
      expect([...ids(first.items), ...ids(second.items)]).toEqual(ids(all))
      expect(second.next_cursor).toBeNull()
    }
    expect((await get(`/payments?id=${id}&status=succeeded`)).body.items).toHaveLength(1)
    expect((await get(`/payments?id=${id}&status=failed`)).body.items).toEqual([])
    expect(ids((await get(`/payments?id=${id.slice(0, 35)}`)).body.items)).toEqual([id])
  })

  it('are replayed to a URL or an endpoint, with the first timestamp on request, and refused without a receiver', async () => {
    const { get, post, pay, hooks, idle } = await openSandbox()
    const id = await pay()
    await idle()
    const [event] = (await get(`/events?object_id=${id}`)).body.items
    expect((await post(`/events/${event.id}/replay`)).status).toBe(409)
    const hook = await hooks()
    const aside = await post(`/events/${event.id}/replay`, { url: hook.url })
    expect(aside.body.items).toMatchObject([{ endpoint_id: null, url: hook.url, status: 'delivered' }])
    const to = await post(`/events/${event.id}/replay`, { endpoint_id: hook.endpoint.id, same_timestamp: true })
    expect(to.body.items).toMatchObject([{ endpoint_id: hook.endpoint.id }])
    const stamps = hook.received.map(({ headers }) => headers['x-psp-timestamp'])
    expect(stamps[1]).toBe(stamps[0])
    for (const wrong of [{ url: 'x' }, { url: hook.url, endpoint_id: hook.endpoint.id }, { target: 'x' }]) {
      expect((await post(`/events/${event.id}/replay`, wrong)).status).toBe(400)
    }
    expect((await post(`/events/${event.id}/replay`, { endpoint_id: 'we_none' })).status).toBe(404)
    expect((await post('/events/evt_none/replay')).status).toBe(404)
  })

  it('are replayed with an edited body, which is signed, marked and kept by a retry, and the event does not change', async () => {
    const { get, post, pay, hooks, idle } = await openSandbox()
    const id = await pay()
    await idle()
    const [event] = (await get(`/events?object_id=${id}`)).body.items
    const hook = await hooks()
    const body = '{"id": "x",\n "note": "Заказ"}'
    const edited = (await post(`/events/${event.id}/replay`, { endpoint_id: hook.endpoint.id, body })).body.items[0]
    expect(edited).toMatchObject({ edited: true, status: 'delivered', attempts: [{ request: { body } }] })
    const plain = (await post(`/events/${event.id}/replay`, { endpoint_id: hook.endpoint.id })).body.items[0]
    expect(plain).not.toHaveProperty('edited')
    await post(`/deliveries/${edited.id}/retry`)
    expect(hook.received.map((request) => request.body.toString() === body)).toEqual([true, false, true])
    for (const { headers, body: bytes } of hook.received) {
      const now = Number(headers['x-psp-timestamp'])
      expect(headers['x-psp-signature']).toBe(
        signatureHeader({ body: bytes, secret: hook.endpoint.secret, timestamp: now }),
      )
    }
    const listed = (await get('/deliveries?fields=summary')).body.items
    expect(listed.map((row: { edited?: boolean }) => row.edited)).toEqual([undefined, true])
    expect((await get(`/events/${event.id}`)).body).toEqual(event)
    for (const wrong of ['', 'x'.repeat(65_537), '\ud800', 5]) {
      expect((await post(`/events/${event.id}/replay`, { body: wrong })).status).toBe(400)
    }
  })

  it('are filtered by name, pattern, object, shop and time', async () => {
    const { get, post, shop } = await openSandbox()
    const { body: old } = await post('/trigger', { event: 'payment.failed' })
    await post('/clock/advance', { by: '10m' })
    const { body: fresh } = await post('/trigger', { event: 'payout.succeeded' })
    const found = async (query: string) => ids((await get(`/events?${query}`)).body.items)
    expect(await found('')).toEqual([fresh.event_id, old.event_id])
    expect(await found('event=payment.failed')).toEqual([old.event_id])
    expect(await found('event=payment.*')).toEqual([old.event_id])
    expect(await found('since=5m')).toEqual([fresh.event_id])
    expect(await found('since=10m')).toEqual([fresh.event_id, old.event_id])
    expect(await found('since=2020-01-01T00:00:00Z')).toHaveLength(2)
    expect(await found(`object_id=${old.payment_id}&shop_id=${shop}`)).toEqual([old.event_id])
    expect(await found('shop_id=other')).toEqual([])
    for (const wrong of ['event=payment.paid', 'since=soon']) expect((await get(`/events?${wrong}`)).status).toBe(400)
    expect((await get(`/events/${old.event_id}`)).body).toMatchObject({ event: 'payment.failed', shop_id: shop })
    expect((await get('/events/evt_none')).status).toBe(404)
  })

  it('show an attempt in flight as sending, and a binary response body as base64', async () => {
    let markSent = () => {}
    const sent = new Promise<void>((resolve) => {
      markSent = resolve
    })
    let respond = (_: { status: number; body: { b64: string } }) => {}
    const { get, post, pay, shop, idle } = await openSandbox({
      transport: () => {
        markSent()
        return new Promise((resolve) => {
          respond = (response) =>
            resolve({
              ...response,
              headers: [
                ['X-A', '1'],
                ['x-a', '2'],
              ],
            })
        })
      },
    })
    await post(`/shops/${shop}/endpoints`, { url: 'http://127.0.0.1:1/' })
    await post(`/payments/${await pay()}/act`, { action: 'pay' })
    await sent
    const [row] = (await get('/deliveries?status=sending')).body.items
    expect(row).toMatchObject({ status: 'sending', attempts: [] })
    expect((await get('/deliveries?status=waiting')).body.items).toEqual([])
    respond({ status: 200, body: { b64: '/w==' } })
    await idle()
    const { response } = (await get(`/deliveries/${row.id}`)).body.attempts[0]
    expect(response).toEqual({ headers: { 'x-a': '1, 2' }, body_b64: '/w==' })
    expect((await get('/deliveries/dlv_none')).status).toBe(404)
    expect((await post('/deliveries/dlv_none/retry')).status).toBe(404)
  })
})

describe('the request log', () => {
  it('shows the public API only, filtered, with secrets masked', async () => {
    const { get, post, ask, pay, sandbox, shop } = await openSandbox()
    const id = await pay()
    await ask('GET', '/v1/public/payments/none')
    await ask('GET', '/v1/public/banks/sbp', undefined, 'sk_test_000000_wrong')
    await post('/rules', { plan: 'failed' })
    const log = async (query = '') => (await get(`/requests?${query}`)).body.items
    expect((await log()).map(({ status }: { status: number }) => status)).toEqual([401, 404, 201])
    expect(await log('status=4xx')).toHaveLength(2)
    expect(await log('status=404&method=get&path=/payments/')).toMatchObject([{ code: 'not_found' }])
    expect(await log('path=/v1/*/payments')).toHaveLength(1)
    expect(await log(`object_id=${id}`)).toMatchObject([{ shop_id: shop, decided_by: 'default', method: 'POST' }])
    expect(await log('limit=1')).toHaveLength(1)
    const first = (await get('/requests?limit=2')).body
    expect((await get(`/requests?limit=2&cursor=${first.next_cursor}`)).body.items).toMatchObject([{ status: 201 }])
    expect((await get('/requests?status=paid')).status).toBe(400)
    expect(JSON.stringify(await log())).not.toContain(sandbox.defaultShop().api_key)
    await post('/reset')
    expect(await log()).toEqual([])
  })
})
