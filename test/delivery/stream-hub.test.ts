import { describe, expect, test } from 'vitest'
import type { Sink } from '../../src/delivery/sse.ts'
import { createStreamHub } from '../../src/delivery/stream-hub.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import { rig, sseReader } from './fixtures.ts'

type Box = Awaited<ReturnType<typeof rig>>

/** A reader that accepts data while `flowing`, and counts the writes. */
function slowSink() {
  const chunks: string[] = []
  let drained = () => {}
  const state = { flowing: true, closed: false }
  const sink: Sink = {
    write(chunk) {
      chunks.push(Buffer.from(chunk).toString())
      return state.flowing
    },
    onDrain(fn) {
      drained = fn
    },
    onDisconnect() {},
    close() {
      state.closed = true
    },
  }
  return {
    sink,
    state,
    chunks,
    drain() {
      state.flowing = true
      drained()
    },
    orders: () => [...chunks.join('').matchAll(/"order_id":"(\d+)x*"/g)].map(([, order]) => Number(order)),
  }
}

const readerOf = (box: Box, key_id = box.key.id) => ({ key_id, shop_id: box.shop.id, mode: 'test' as const })

function create(box: Box, order: number, filler = '') {
  const order_id = `${order}${filler}`
  const input = { amount: 100, currency: 'RUB', method: 'sbp', order_id, metadata: {} } as const
  box.run('create_payment', { caller: box.caller, input })
}

const turn = () => new Promise<void>((resolve) => void setImmediate(() => setImmediate(resolve)))
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

describe('the stream hub', () => {
  test('writes once per turn of the event loop', async () => {
    const box = await rig()
    const { sink, chunks, orders } = slowSink()
    box.streams.attach(readerOf(box), sink)
    for (const i of range(0, 50)) create(box, i)
    await turn()
    expect(chunks).toHaveLength(2)
    expect(orders()).toEqual(range(0, 50))
  })

  test('keeps the newest messages of a slow reader, and counts those it dropped', async () => {
    const box = await rig()
    box.run('change_settings', { values: { stream_queue: 10 } })
    const slow = slowSink()
    const quick = slowSink()
    box.streams.attach(readerOf(box), slow.sink)
    box.streams.attach(readerOf(box, 'quick'), quick.sink)
    slow.state.flowing = false
    create(box, 0)
    await turn()
    for (const i of range(1, 41)) {
      create(box, i)
      await turn()
    }
    slow.drain()
    create(box, 41)
    await turn()
    expect(slow.orders()).toEqual([0, ...range(31, 42)])
    expect(quick.orders()).toEqual(range(0, 42))
    expect(box.streams.counts()).toMatchObject({ connections: 2, dropped: 30 })
  })

  test('keeps fewer messages of a slow reader if they are large', async () => {
    const box = await rig()
    const slow = slowSink()
    box.streams.attach(readerOf(box), slow.sink)
    slow.state.flowing = false
    create(box, 0)
    await turn()
    for (const i of range(1, 31)) {
      create(box, i, 'x'.repeat(1024 * 1024))
      await turn()
    }
    slow.drain()
    expect(slow.orders()).toEqual([0, ...range(16, 31)])
    expect(box.streams.counts()).toMatchObject({ dropped: 15 })
  })

  test('buffers a limited number of messages for a reader that never reads', async () => {
    const box = await rig()
    box.run('change_settings', { values: { stream_queue: 5 } })
    const stream = sseReader(box.streams.open(readerOf(box)))
    for (const i of range(0, 2000)) {
      create(box, i)
      if (i % 10 === 0) await turn()
    }
    await turn()
    expect(box.streams.counts().dropped).toBeGreaterThan(1000)
    // The reader reads again, and continues with new messages.
    const orders: unknown[] = []
    while (orders.at(-1) !== '1999') {
      orders.push(((await stream.next()).data['payload'] as { order_id: string }).order_id)
    }
    expect(orders.length).toBeLessThan(1000)
    expect(orders.slice(-5)).toEqual(range(1995, 2000).map(String))
  })

  test('sends a heartbeat every 25 s of the system clock, and stops when the reader disconnects', async () => {
    const systemClock = manualSystemClock(Date.UTC(2026, 0, 1))
    const box = await rig({ systemClock })
    const before = systemClock.waiting()
    const stream = sseReader(box.streams.open(readerOf(box)))
    await systemClock.advance(24_999)
    await stream.pull()
    expect(stream.raw()).toBe(': connected\n\n')
    await systemClock.advance(1)
    await stream.pull()
    await systemClock.advance(25_000)
    await stream.pull()
    expect(stream.raw()).toBe(': connected\n\n: ping\n\n: ping\n\n')
    await stream.cancel()
    expect(systemClock.waiting()).toBe(before)
    expect(box.streams.counts().connections).toBe(0)
  })

  test('applies the faults drop, disconnect and stall until they are removed', async () => {
    const box = await rig()
    const fault = (name: string, more: object = {}) =>
      box.run('add_fault', { target: 'stream', fault: name, times: 1, ...more })
    const first = slowSink()
    box.streams.attach(readerOf(box), first.sink)
    fault('drop', { match: { kind: 'payment.created' } })
    for (const i of range(0, 3)) create(box, i)
    await turn()
    expect(first.orders()).toEqual([1, 2])

    fault('disconnect')
    create(box, 3)
    await turn()
    expect([first.orders(), first.state.closed]).toEqual([[1, 2], true])

    const second = slowSink()
    box.streams.attach(readerOf(box), second.sink)
    const stall = fault('stall', { every: 2, times: undefined })
    for (const i of range(4, 8)) create(box, i)
    await turn()
    expect([second.orders(), second.state.closed]).toEqual([[4], false])
    const other = fault('drop', { match: { kind: 'payout.created' } })
    box.run('remove_faults', { id: other.id })
    await turn()
    expect(second.orders()).toEqual([4])
    box.run('remove_faults', { id: stall.id })
    create(box, 8)
    await turn()
    expect(second.orders()).toEqual(range(4, 9))
  })

  test('does not count a fault while there are no readers', async () => {
    const box = await rig()
    const { id } = box.run('add_fault', { target: 'stream', fault: 'drop', times: 1 })
    create(box, 0)
    await turn()
    expect(box.world.get('faults', id)).toMatchObject({ times: 1, matched: 0 })
  })

  test('counts each message of each connection, and its connections', async () => {
    const box = await rig()
    const [first, second] = [slowSink(), slowSink()]
    const end = box.streams.attach(readerOf(box), first.sink)
    box.streams.attach(readerOf(box, 'second'), second.sink)
    for (const i of range(0, 3)) create(box, i)
    await turn()
    expect(box.streams.counts()).toEqual({ connections: 2, sent: 6, dropped: 0 })
    end()
    end()
    expect(first.state.closed).toBe(true)
    create(box, 3)
    await turn()
    expect([first.orders(), second.orders()]).toEqual([range(0, 3), range(0, 4)])
    expect(box.streams.counts()).toEqual({ connections: 1, sent: 7, dropped: 0 })
    box.streams.close()
    expect([second.state.closed, box.streams.counts()]).toEqual([true, { connections: 0, sent: 7, dropped: 0 }])
  })

  test('does not send what a reset removed in the same turn', async () => {
    const box = await rig()
    const { sink, orders } = slowSink()
    box.streams.attach(readerOf(box), sink)
    create(box, 0)
    box.run('reset', {})
    create(box, 1)
    await turn()
    expect(orders()).toEqual([1])
  })

  test('ends the stream of a key that a reset removed', async () => {
    const box = await rig()
    const { sink, state } = slowSink()
    box.streams.attach(readerOf(box), sink)
    box.run('reset', {})
    expect(state.closed).toBe(false)
    box.run('reset', { all: { shop: {} } })
    expect(state.closed).toBe(true)
  })

  test('continues without faults if their count cannot be stored', async () => {
    const box = await rig()
    box.run('add_fault', { target: 'stream', fault: 'drop' })
    const execute = () => {
      throw new Error('disk full')
    }
    const hub = createStreamHub({ world: box.world, execute }, manualSystemClock())
    box.engine.onWritten(hub.onCommit)
    const { sink, orders } = slowSink()
    hub.attach(readerOf(box), sink)
    create(box, 0)
    await turn()
    expect(orders()).toEqual([0])
  })

  test('sends what came before the fault disconnect in one turn, and nothing after it', async () => {
    const box = await rig()
    const { sink, state, chunks, orders } = slowSink()
    box.streams.attach(readerOf(box), sink)
    const other = slowSink()
    box.streams.attach({ ...readerOf(box, 'other'), mode: 'live' as never }, other.sink)
    box.run('add_fault', { target: 'stream', fault: 'disconnect', every: 2 })
    for (const i of range(0, 3)) create(box, i)
    await turn()
    expect([orders(), state.closed, chunks.length]).toEqual([[0], true, 2])
    expect([other.state.closed, box.streams.counts().sent]).toEqual([false, 1])
  })
})
