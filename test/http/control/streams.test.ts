import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../src/sandbox.ts'
import { sseReader } from '../../delivery/fixtures.ts'
import { BASE, openSandbox } from '../fixtures.ts'

const open = (sandbox: Sandbox, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  sandbox.fetch(new Request(`${BASE}/_psp${path}`, { method, headers }))

async function listen(sandbox: Sandbox, path: string, headers?: Record<string, string>) {
  const response = await open(sandbox, path, headers)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  return sseReader(response.body as ReadableStream<Uint8Array>)
}

describe('the stream of everything', () => {
  it('sends each change, and continues after the last id', async () => {
    const { sandbox, pay, post, get } = await openSandbox()
    const stream = await listen(sandbox, '/stream')
    const id = await pay()
    const first = await stream.next()
    expect(first).toMatchObject({ event: 'payment', data: { change: 'created', payment: { id } } })
    await stream.cancel()
    await post(`/payments/${id}/act`, { action: 'pay' })
    const [logged] = (await get('/requests')).body.items
    const again = await listen(sandbox, '/stream', { 'last-event-id': String(first.id) })
    const messages = await again.take(4)
    const { body, ...request } = logged.request
    expect(messages[0]?.data['request']).toMatchObject({ id: logged.id, at: logged.at, path: logged.path, request })
    const kinds = messages.map(({ event }) => event)
    expect(kinds).toEqual(['request', 'payment', 'payment', 'event'])
    await again.cancel()
  })

  it('sends several messages as one batch if the client asks for an interval', async () => {
    const { sandbox, pay, get } = await openSandbox()
    const { last_event_id } = (await get('/health')).body
    await pay()
    const stream = await listen(sandbox, '/stream?interval=10s', { 'last-event-id': last_event_id })
    const { id, event, data } = await stream.next()
    const items = data['items'] as readonly { readonly id: string; readonly message: { readonly kind: string } }[]
    expect([event, id]).toEqual(['batch', items.at(-1)?.id])
    expect(items.map(({ message }) => message.kind)).toEqual(['payment', 'request'])
    await stream.cancel()
  })

  it.each(['', '10', '11s', '10001ms', '-1s', '1m'])('refuses the interval %j', async (interval) => {
    const { sandbox } = await openSandbox()
    const response = await open(sandbox, `/stream?interval=${interval}`)
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { readonly error: { readonly message: string } }
    expect(error.message).toMatch(/^interval: expected a duration/)
  })

  it('responds to HEAD without opening a stream', async () => {
    const { sandbox } = await openSandbox()
    const response = await open(sandbox, '/stream', {}, 'HEAD')
    expect([response.status, response.body]).toEqual([200, null])
  })
})

describe('listeners', () => {
  it('receive deliveries and report the results, and the retry schedule applies', async () => {
    const { sandbox, post, get, pay, remove, shop } = await openSandbox()
    const { status, body: listener } = await post('/listeners', { url: 'http://localhost:3000/hooks' })
    expect(status).toBe(201)
    expect(listener).toMatchObject({
      secret: sandbox.defaultShop().webhook_secret,
      shop_id: shop,
      events: [],
      signature: 'v2',
    })
    const stream = await listen(sandbox, `/listeners/${listener.id}/stream?timeout=1m`)
    await post(`/payments/${await pay()}/act`, { action: 'pay' })
    const { event, data } = await stream.next()
    expect(event).toBe('delivery')
    const result = { delivery_id: data['delivery_id'], attempt: data['attempt'], ms: 12 }
    const body = Buffer.from(String(data['body_b64']), 'base64').toString()
    expect(JSON.parse(body)).toMatchObject({ event: 'payment.succeeded' })
    const failed = await post(`/listeners/${listener.id}/results`, { ...result, status: 500, response_body: 'no' })
    expect(failed).toMatchObject({ status: 200, body: { status: 'waiting', next_attempt_at: expect.any(String) } })
    expect((await post(`/listeners/${listener.id}/results`, { ...result, status: 200 })).status).toBe(404)

    const advanced = post('/clock/advance', { by: '10s' })
    const second = await stream.next()
    expect(second.data).toMatchObject({ delivery_id: result.delivery_id, attempt: 2, body_b64: data['body_b64'] })
    const done = await post(`/listeners/${listener.id}/results`, { ...result, attempt: 2, status: 204 })
    expect(done.body).toEqual({ status: 'delivered', next_attempt_at: null })
    expect((await advanced).body.deliveries).toBe(1)
    const { attempts } = (await get(`/deliveries/${result.delivery_id}`)).body
    expect(attempts).toMatchObject([{ status: 500, ms: 12, response: { body: 'no' } }, { status: 204 }])

    expect((await get(`/shops/${shop}/endpoints`)).body.items).toEqual([])
    expect((await remove(`/listeners/${listener.id}`)).status).toBe(204)
    expect((await remove(`/listeners/${listener.id}`)).status).toBe(404)
    expect((await open(sandbox, `/listeners/${listener.id}/stream`)).status).toBe(404)
  })

  it('are listed with the times of their connection and of their last delivery', async () => {
    const { sandbox, post, get, pay, remove, shop } = await openSandbox()
    const url = 'http://localhost:3000/hooks'
    const { body: listener } = await post('/listeners', { url, events: ['payment.succeeded'] })
    const listed = async () => (await get('/listeners')).body.items
    const closed = { id: listener.id, shop_id: shop, url, connected_at: null, forwarded_at: null }
    expect(await listed()).toMatchObject([{ ...closed, events: ['payment.succeeded'], signature: 'v2' }])
    const stream = await listen(sandbox, `/listeners/${listener.id}/stream`)
    expect(await listed()).toMatchObject([{ connected_at: expect.stringMatching(/^2/), forwarded_at: null }])
    await post(`/payments/${await pay()}/act`, { action: 'pay' })
    await stream.next()
    expect(await listed()).toMatchObject([{ forwarded_at: expect.stringMatching(/^2/) }])
    await stream.cancel()
    await expect.poll(listed).toMatchObject([{ connected_at: null, forwarded_at: expect.stringMatching(/^2/) }])
    await remove(`/listeners/${listener.id}`)
    expect(await listed()).toEqual([])
  })

  it('get an immediate response to the report of another copy', async () => {
    const { sandbox, post, pay } = await openSandbox()
    const { body: listener } = await post('/listeners', { url: 'x' })
    const stream = await listen(sandbox, `/listeners/${listener.id}/stream`)
    await post('/faults', { target: 'webhook', fault: 'duplicate:1', times: 1 })
    await post(`/payments/${await pay()}/act`, { action: 'pay' })
    const copies = await stream.take(2)
    for (const { data } of copies) {
      const result = { delivery_id: data['delivery_id'], attempt: data['attempt'], ms: 1, status: 500 }
      expect((await post(`/listeners/${listener.id}/results`, result)).body).toMatchObject({ status: 'waiting' })
    }
    await stream.cancel()
  })

  it('report the result of another copy, which is then in the delivery log', async () => {
    const { sandbox, get, post, pay } = await openSandbox()
    const { body: listener } = await post('/listeners', { url: 'x' })
    const stream = await listen(sandbox, `/listeners/${listener.id}/stream`)
    await post('/faults', { target: 'webhook', fault: 'duplicate:1', times: 1 })
    await post(`/payments/${await pay()}/act`, { action: 'pay' })
    const [one] = await stream.take(2)
    const delivery_id = String(one?.data['delivery_id'])
    for (const status of [200, 500]) {
      await post(`/listeners/${listener.id}/results`, { delivery_id, attempt: 1, ms: 1, status })
    }
    const { body: delivery } = await get(`/deliveries/${delivery_id}`)
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: [
        { number: 1, status: 200, copies: [{ copy: 2, status: 500, error: expect.stringContaining('500'), ms: 1 }] },
      ],
    })
    await stream.cancel()
  })

  it('get the response to the report of another copy before the next attempt ends', async () => {
    const { sandbox, post, pay } = await openSandbox()
    const { body: listener } = await post('/listeners', { url: 'x' })
    const stream = await listen(sandbox, `/listeners/${listener.id}/stream`)
    await post('/faults', { target: 'webhook', fault: 'duplicate:1', times: 1 })
    await post(`/payments/${await pay()}/act`, { action: 'pay' })
    const [first] = await stream.take(2)
    const report = (attempt: number) =>
      post(`/listeners/${listener.id}/results`, {
        delivery_id: first?.data['delivery_id'],
        attempt,
        ms: 1,
        status: attempt === 1 ? 500 : 200,
      })
    await report(1)
    const advanced = post('/clock/advance', { by: '10s' })
    await stream.next()
    expect((await report(1)).body).toMatchObject({ status: 'sending' })
    expect((await report(2)).body).toMatchObject({ status: 'delivered' })
    await advanced
  })

  it('keep their stream when a client sends HEAD', async () => {
    const { sandbox, post, pay } = await openSandbox()
    const { body: listener } = await post('/listeners', { url: 'x' })
    const stream = await listen(sandbox, `/listeners/${listener.id}/stream`)
    expect((await open(sandbox, `/listeners/${listener.id}/stream`, {}, 'HEAD')).status).toBe(200)
    await post(`/payments/${await pay()}/act`, { action: 'pay' })
    expect((await stream.next()).event).toBe('delivery')
    await stream.cancel()
  })

  it('continue under their id, with the deliveries that they missed', async () => {
    const { sandbox, post } = await openSandbox()
    const { body: made } = await post('/trigger', { event: 'payment.failed' })
    const body = { id: 'lst_mine', url: 'x', events: ['payment.failed'], signature: 'v1', backfill: '5m' }
    expect((await post('/listeners', body)).body).toMatchObject({ id: 'lst_mine', signature: 'v1' })
    const stream = await listen(sandbox, '/listeners/lst_mine/stream')
    expect((await stream.next()).data).toMatchObject({ event_id: made.event_id })
    await stream.cancel()
    expect((await post('/listeners', body)).status).toBe(201)
  })

  it.each([
    {},
    { url: 'x', events: ['payment.*'] },
    { url: 'x', signature: 'v3' },
    { url: 'x', backfill: '5' },
    { url: 'x', id: 'a b' },
    { url: 'x', port: 1 },
  ])('are refused with the body %j', async (body) => {
    const { post } = await openSandbox()
    expect((await post('/listeners', body)).status).toBe(400)
  })

  it('belong to a shop, and an endpoint is not a listener', async () => {
    const { sandbox, post, remove, shop } = await openSandbox()
    expect((await post('/listeners', { url: 'x', shop_id: 'none' })).status).toBe(404)
    const { body: endpoint } = await post(`/shops/${shop}/endpoints`, { url: 'http://x/' })
    expect((await remove(`/listeners/${endpoint.id}`)).status).toBe(404)
    expect((await open(sandbox, `/listeners/${endpoint.id}/stream`)).status).toBe(404)
    const result = { delivery_id: 'dlv_x', ms: 1, status: 200 }
    expect((await post(`/listeners/${endpoint.id}/results`, result)).status).toBe(404)
    expect((await post(`/listeners/${endpoint.id}/results`, { ...result, ms: -1 })).status).toBe(400)
  })
})
