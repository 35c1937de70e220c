import { describe, expect, test } from 'vitest'
import { rig, verifyV2 } from './fixtures.ts'
import { receiver } from './receiver.ts'

describe('an attempt', () => {
  test('sends the stored bytes, signed with the system time, and is recorded', async () => {
    const box = await rig()
    const to = await receiver((response) => void response.writeHead(204, { 'X-Answer': 'yes' }).end())
    const endpoint = box.endpoint(to.url)
    box.pay({ description: 'Чай ₽' })
    const delivery = await box.over()
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ number: 1, status: 204 }] })
    const [attempt] = delivery.attempts
    expect(attempt?.error).toBeUndefined()
    expect(attempt?.response_headers).toContainEqual(['X-Answer', 'yes'])
    expect(attempt).not.toHaveProperty('request_body')
    const [request] = to.received
    expect(request?.body.toString()).toBe(box.world.get('events', delivery.event_id)?.body)
    expect(verifyV2(request, endpoint.secret)).toBe(true)
    // The sandbox's clock is in another year, but receivers compare with the system time.
    expect(Math.abs(Number(request?.headers['x-psp-timestamp']) * 1000 - Date.now())).toBeLessThan(3_600_000)
  })

  test('fails on a redirect, and names its location', async () => {
    const box = await rig()
    const other = await receiver()
    const to = await receiver((response) => void response.writeHead(301, { Location: other.url }).end())
    box.endpoint(to.url)
    box.pay()
    const delivery = await box.over()
    expect(delivery.status).toBe('waiting')
    expect(delivery.attempts[0]?.error).toContain(other.url)
    expect(other.received).toEqual([])
  })

  test('is repeated nine times at exact offsets of the sandbox clock, however long each takes', async () => {
    const box = await rig()
    const to = await receiver((response) => void response.writeHead(500).end('no'))
    box.endpoint(to.url)
    box.pay()
    await box.timeline.advance({ until: 'idle' })
    const [delivery] = box.deliveries()
    const start = delivery?.created_at ?? 0
    expect(delivery?.status).toBe('exhausted')
    expect(delivery?.attempts.map(({ at }) => (at - start) / 1000)).toEqual([
      0, 10, 70, 370, 2170, 9370, 30970, 117370, 290170,
    ])
    expect(to.received).toHaveLength(9)
    expect(new Set(to.received.map(({ body }) => body.toString())).size).toBe(1)
    expect(box.errors).toEqual([])
  })

  test('uses a rotated secret at once, and stops if its endpoint is deleted', async () => {
    const box = await rig()
    const to = await receiver((response) => void response.writeHead(500).end())
    const { id } = box.endpoint(to.url)
    box.pay()
    await box.timeline.idle()
    const { secret } = box.run('rotate_endpoint_secret', { endpoint_id: id })
    await box.advance(10_000)
    expect(to.received.map((request) => verifyV2(request, secret))).toEqual([false, true])
    box.run('delete_endpoint', { endpoint_id: id })
    await box.timeline.advance({ until: 'idle' })
    expect(to.received).toHaveLength(2)
    expect(box.deliveries()[0]?.status).toBe('cancelled')
  })

  test('stops if its endpoint is disabled, and follows an endpoint to its new URL', async () => {
    const box = await rig()
    const to = await receiver((response) => void response.writeHead(500).end())
    const moved = await receiver()
    const off = box.endpoint(to.url)
    const away = box.endpoint(to.url)
    box.pay()
    await box.timeline.idle()
    box.run('update_endpoint', { endpoint_id: off.id, change: { active: false } })
    box.run('update_endpoint', { endpoint_id: away.id, change: { url: moved.url } })
    await box.advance(10_000)
    expect([to.received.length, moved.received.length]).toEqual([2, 1])
    const status = (id: string) => box.deliveries().find(({ endpoint_id }) => endpoint_id === id)?.status
    expect([status(off.id), status(away.id)]).toEqual(['cancelled', 'delivered'])
    box.run('update_endpoint', { endpoint_id: off.id, change: { active: true } })
    await box.timeline.advance({ until: 'idle' })
    expect(to.received).toHaveLength(2)
  })

  test('is rejected if it is started manually and its endpoint was deleted', async () => {
    const box = await rig()
    const { id } = box.endpoint('http://127.0.0.1:9/x')
    box.pay()
    await box.timeline.idle()
    box.run('delete_endpoint', { endpoint_id: id })
    const [delivery] = box.deliveries()
    expect(() => box.run('retry_delivery', { delivery_id: delivery?.id ?? '' })).toThrow(
      /endpoint of this delivery was deleted/,
    )
    expect(box.deliveries()[0]?.status).toBe('cancelled')
  })

  test('is not recorded if a reset cleared it while in flight', async () => {
    const box = await rig()
    let answer = () => {}
    const to = await receiver((response) => {
      answer = () => void response.end()
    })
    box.endpoint(to.url)
    box.pay()
    await to.got(1)
    expect(box.dispatcher.isInFlight(box.deliveries()[0]?.id ?? '')).toBe(true)
    box.run('reset', {})
    answer()
    await box.dispatcher.idle()
    expect(box.deliveries()).toEqual([])
    expect(box.errors).toEqual([])
  })

  test('is not made for an unknown delivery', async () => {
    const box = await rig()
    await expect(box.dispatcher.deliver('dlv_none')).resolves.toBeUndefined()
    await expect(box.dispatcher.waitForAttempt('dlv_none')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is made at once if it is started manually, and the retry schedule stays as it was', async () => {
    const box = await rig()
    let status = 500
    const to = await receiver((response) => void response.writeHead(status).end())
    box.endpoint(to.url)
    box.pay()
    const { id, next_attempt_at } = await box.over()
    // The next retry is not waited for.
    expect((await box.dispatcher.waitForAttempt(id)).attempts).toHaveLength(1)
    box.run('retry_delivery', { delivery_id: id })
    const failed = await box.dispatcher.waitForAttempt(id)
    expect(failed).toMatchObject({ status: 'waiting', next_attempt_at, attempts: [{ number: 1 }, { manual: true }] })
    expect(failed.attempts[0]).not.toHaveProperty('manual')
    status = 200
    box.run('retry_delivery', { delivery_id: id })
    const delivery = await box.dispatcher.waitForAttempt(id)
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: [{ status: 500 }, { status: 500 }, { status: 200 }],
    })
    box.run('retry_delivery', { delivery_id: id })
    expect((await box.dispatcher.waitForAttempt(id)).attempts.at(-1)).toMatchObject({ number: 4, manual: true })
  })

  test('has the time of the first signature if the replay asks for it', async () => {
    const box = await rig()
    const to = await receiver()
    const { secret } = box.endpoint(to.url)
    box.pay()
    const { event_id, attempts } = await box.over()
    const first = Math.floor((attempts[0]?.sent_at ?? 0) / 1000)
    const event = box.world.get('events', event_id)
    const [again] = box.run('replay_event', { event_id, same_timestamp: true })
    await box.dispatcher.waitForAttempt(again?.id ?? '')
    expect(to.received[1]?.headers['x-psp-timestamp']).toBe(String(first))
    expect(to.received[1]?.headers['x-psp-event-id']).toBe(event_id)
    expect(to.received[1]?.body.toString()).toBe(event?.body)
    expect(verifyV2(to.received[1], secret)).toBe(true)
  })
})

describe('a delivery to a webhook_url', () => {
  test('is signed with the secret and version of the oldest active endpoint', async () => {
    const box = await rig()
    const to = await receiver()
    const old = box.endpoint('http://127.0.0.1:1/', { signature: 'v1', events: ['payout.failed'] })
    const next = box.endpoint('http://127.0.0.1:1/', { events: ['payout.failed'] })
    box.pay({ webhook_url: to.url })
    await box.timeline.idle()
    expect(to.received[0]?.headers['x-psp-signature']).toMatch(/^sha256=/)
    box.run('update_endpoint', { endpoint_id: old.id, change: { active: false } })
    box.pay({ webhook_url: to.url })
    await box.timeline.idle()
    expect(verifyV2(to.received[1], next.secret)).toBe(true)
    box.run('delete_endpoint', { endpoint_id: next.id })
    const listener = { shop_id: box.shop.id, url: to.url, events: ['payout.failed'], signature: 'v1' } as const
    box.run('open_listener', listener)
    box.pay({ webhook_url: to.url })
    await box.timeline.idle()
    expect(verifyV2(to.received[2], box.shop.webhook_secret)).toBe(true)
  })
})
