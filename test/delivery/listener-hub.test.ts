import { describe, expect, test } from 'vitest'
import type { ForwardRequest } from '../../src/delivery/forward-messages.ts'
import { rig, sseReader, turns } from './fixtures.ts'

type Box = Awaited<ReturnType<typeof rig>>

function openListener(box: Box, id = 'lst_one') {
  box.run('open_listener', { id, shop_id: box.shop.id, url: 'http://localhost:3000/', events: [], signature: 'v2' })
  return () => {
    const stream = box.listeners.open(id)
    if (stream === undefined) throw new Error('no such listener')
    return sseReader(stream)
  }
}

const forward = (message: { data: unknown }) => message.data as ForwardRequest

describe('a listener', () => {
  test('gets the signed bytes, and its result completes the attempt', async () => {
    const box = await rig()
    const stream = openListener(box)()
    box.pay()
    const message = await stream.next()
    expect(message.event).toBe('delivery')
    const { delivery_id, event, event_id, body_b64, headers, url, attempt, attempts_total } = forward(message)
    expect({ event, url, attempt, attempts_total }).toEqual({
      event: 'payment.succeeded',
      url: 'http://localhost:3000/',
      attempt: 1,
      attempts_total: 9,
    })
    expect(Buffer.from(body_b64, 'base64').toString()).toBe(box.world.get('events', event_id)?.body)
    expect(headers.map(([name]) => name)).toContain('X-PSP-Signature')
    box.listeners.reportResult('lst_one', {
      delivery_id,
      attempt: 1,
      status: 500,
      ms: 45,
      response_headers: [['X-Answer', 'no']],
      response_body: 'cannot read "id" of undefined',
    })
    const delivery = await box.dispatcher.waitForAttempt(delivery_id)
    expect(delivery).toMatchObject({ status: 'waiting', next_attempt_at: delivery.created_at + 10_000 })
    expect(delivery.attempts[0]).toMatchObject({
      status: 500,
      ms: 45,
      response_headers: [['X-Answer', 'no']],
      response_body: { text: 'cannot read "id" of undefined' },
    })
  })

  test('does not delay the clock while it is disconnected, and gets its deliveries when it is back', async () => {
    const box = await rig()
    const connect = openListener(box)
    const payment = box.pay()
    box.refund(payment.id, 5000)
    await box.advance(60_000)
    expect(box.deliveries().map(({ status, attempts }) => [status, attempts.length])).toEqual([
      ['waiting', 0],
      ['waiting', 0],
    ])
    const stream = connect()
    const first = forward(await stream.next())
    expect(first.event).toBe('payment.succeeded')
    box.listeners.reportResult('lst_one', { delivery_id: first.delivery_id, status: 200, ms: 1 })
    expect(forward(await stream.next()).event).toBe('payment.refunded')
  })

  /** Receives `count` deliveries, and responds to each at once. */
  async function takeAll(box: Box, stream: ReturnType<ReturnType<typeof openListener>>, count: number) {
    const told: string[] = []
    for (let i = 0; i < count; i++) {
      const { delivery_id, event, object_id } = forward(await stream.next())
      told.push(`${event} ${object_id}`)
      box.listeners.reportResult('lst_one', { delivery_id, status: 200, ms: 1 })
    }
    return told
  }

  const inOrder = (box: Box) => [...box.world.rows('events')].map(({ event, object_id }) => `${event} ${object_id}`)

  /** Creates two payments, each with a refund: four events of two objects. */
  async function happen(box: Box) {
    box.refund(box.pay().id, 5000)
    box.refund(box.pay().id, 5000)
    await box.timeline.idle()
  }

  test('gets what it missed in the order of events, across objects', async () => {
    const box = await rig()
    const connect = openListener(box)
    await happen(box)
    const stream = connect()
    // New events queue behind the backlog.
    const late = box.pay()
    expect(await takeAll(box, stream, 5)).toEqual(inOrder(box))
    expect(inOrder(box).at(-1)).toContain(late.id)
  })

  test('gets a backfill in the order of events', async () => {
    const box = await rig()
    await happen(box)
    const options = { id: 'lst_one', shop_id: box.shop.id, url: 'http://localhost:3000/', events: [] } as const
    box.run('open_listener', { ...options, signature: 'v2', backfill: 60_000 })
    const stream = box.listeners.open('lst_one')
    if (stream === undefined) throw new Error('no such listener')
    const reader = sseReader(stream)
    expect(await takeAll(box, reader, 4)).toEqual(inOrder(box))
    // After the backlog, objects do not wait for each other.
    box.pay()
    box.pay()
    expect(forward(await reader.next()).object_id).not.toBe(forward(await reader.next()).object_id)
  })

  test('gets an event again by a backfill if it ended before reporting, but not a delivered one', async () => {
    const box = await rig()
    const options = { id: 'lst_one', shop_id: box.shop.id, url: 'http://localhost:3000/', events: [] } as const
    const stream = openListener(box)()
    const had = box.pay()
    const first = forward(await stream.next())
    box.listeners.reportResult('lst_one', { delivery_id: first.delivery_id, status: 200, ms: 1 })
    await box.dispatcher.waitForAttempt(first.delivery_id)
    const missed = box.pay()
    await stream.next()
    box.run('delete_endpoint', { endpoint_id: 'lst_one' })
    await box.dispatcher.idle()
    box.run('open_listener', { ...options, signature: 'v2', backfill: 60_000 })
    const again = box.listeners.open('lst_one')
    if (again === undefined) throw new Error('no such listener')
    expect(forward(await sseReader(again).next()).object_id).toBe(missed.id)
    expect(box.deliveries().filter(({ object_id }) => object_id === had.id)).toHaveLength(1)
  })

  test('gets a delivery again if it disconnects before reporting', async () => {
    const box = await rig()
    const connect = openListener(box)
    const stream = connect()
    box.pay()
    const { delivery_id } = forward(await stream.next())
    await stream.cancel()
    await box.dispatcher.idle()
    expect(() => box.listeners.reportResult('lst_one', { delivery_id, status: 200, ms: 1 })).toThrow(
      /is waiting for a result/,
    )
    const again = forward(await connect().next())
    expect([again.delivery_id, again.attempt]).toEqual([delivery_id, 1])
    box.listeners.reportResult('lst_one', { delivery_id, status: 204, ms: 1 })
    expect(await box.dispatcher.waitForAttempt(delivery_id)).toMatchObject({
      status: 'delivered',
      attempts: [{ number: 1 }],
    })
  })

  test('gets the same faults again, counted once, if it disconnects before reporting', async () => {
    const box = await rig()
    const connect = openListener(box)
    const stream = connect()
    box.fault('unsigned')
    box.pay()
    await stream.next()
    await stream.cancel()
    await box.dispatcher.idle()
    const { headers } = forward(await connect().next())
    expect(headers.map(([name]) => name)).not.toContain('X-PSP-Signature')
  })

  test('receives on the newer connection if it connects twice', async () => {
    const box = await rig()
    const connect = openListener(box)
    const old = connect()
    box.pay()
    const { delivery_id } = forward(await old.next())
    const stream = connect()
    expect((await old.next()).event).toBe('replaced')
    expect(await old.end()).toBe(true)
    expect(forward(await stream.next()).delivery_id).toBe(delivery_id)
  })

  test('gets the copies of a duplicate fault, and the first result counts', async () => {
    const box = await rig()
    const stream = openListener(box)()
    box.fault('duplicate:2')
    box.pay()
    const copies = [await stream.next(), await stream.next(), await stream.next()].map(forward)
    expect(new Set(copies.map(({ body_b64 }) => body_b64)).size).toBe(1)
    const [{ delivery_id }] = copies as [ForwardRequest]
    box.listeners.reportResult('lst_one', { delivery_id, status: 200, ms: 1 })
    expect((await box.dispatcher.waitForAttempt(delivery_id)).status).toBe('delivered')
    box.listeners.reportResult('lst_one', { delivery_id, status: 409, ms: 2 })
    box.listeners.reportResult('lst_one', { delivery_id, status: 204, ms: 3 })
    expect(() => box.listeners.reportResult('lst_one', { delivery_id, status: 409, ms: 1 })).toThrow(
      /is waiting for a result/,
    )
    await turns()
    expect(box.deliveries()[0]?.attempts).toMatchObject([
      {
        number: 1,
        status: 200,
        fault: 'duplicate:2',
        copies: [
          { status: 409, ms: 2, error: expect.stringMatching(/^The receiver responded 409\. /) },
          { status: 204, ms: 3 },
        ],
      },
    ])
  })

  test('loses its stream if it is deleted, and has none if it is unknown', async () => {
    const box = await rig()
    const stream = openListener(box)()
    expect(box.listeners.open('lst_none')).toBeUndefined()
    box.pay()
    await stream.next()
    box.run('delete_endpoint', { endpoint_id: 'lst_one' })
    expect(await stream.end()).toBe(true)
    expect(box.listeners.isConnected('lst_one')).toBe(false)
    expect(box.deliveries()[0]?.status).toBe('cancelled')
  })
})
