// Every module cancels its timers when its work ends. A timer that is left behind keeps a process alive.
import { expect, test } from 'vitest'
import type { ForwardRequest } from '../../src/delivery/forward-messages.ts'
import { createPendingForwards } from '../../src/delivery/pending-forwards.ts'
import type { Sink } from '../../src/delivery/sse.ts'
import { connect } from '../../src/delivery/stream-connection.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import { manualTransport, reaches, rig, sseReader } from './fixtures.ts'

const START = Date.UTC(2026, 0, 1)

/** A sink that a test fills, drains and disconnects. */
function manualSink() {
  const written: string[] = []
  const state = { full: false, closed: 0 }
  let drained = () => {}
  let gone = () => {}
  const sink: Sink = {
    write(chunk) {
      written.push(Buffer.from(chunk).toString())
      return !state.full
    },
    onDrain(fn) {
      drained = fn
    },
    onDisconnect(fn) {
      gone = fn
    },
    close() {
      state.closed++
    },
  }
  /** Returns what was written since the last call. */
  const take = () => written.splice(0)
  return {
    sink,
    state,
    take,
    gone: () => gone(),
    drain() {
      state.full = false
      drained()
    },
  }
}

const PING = ': ping\n\n'

test.each(['control', 'listeners'] as const)(
  'a connection of the %s hub gets a heartbeat every 25 s until it ends, and ends once',
  async (name) => {
    const systemClock = manualSystemClock(START)
    const box = await rig({ systemClock })
    box.run('open_listener', { id: 'one', shop_id: box.shop.id, url: 'http://x/', events: [], signature: 'v2' })
    const hub = box[name]
    const attach = (sink: Sink) =>
      name === 'control' ? box.control.attach(sink, undefined) : box.listeners.attach('one', sink)
    const before = systemClock.waiting()

    const closed = manualSink()
    const end = attach(closed.sink)
    await systemClock.advance(24_999)
    expect(closed.take()).toEqual([': connected\n\n'])
    await systemClock.advance(25_001)
    expect(closed.take()).toEqual([PING, PING])
    end()
    end()
    expect([systemClock.waiting() - before, closed.state.closed]).toEqual([0, 1])

    const lost = manualSink()
    attach(lost.sink)
    lost.gone()
    expect([systemClock.waiting() - before, lost.state.closed]).toEqual([0, 1])

    const open = manualSink()
    attach(open.sink)
    hub.close()
    hub.close()
    expect([systemClock.waiting() - before, open.state.closed]).toEqual([0, 1])
  },
)

test('a control connection that is blocked gets no heartbeat, and then everything that it missed', async () => {
  const systemClock = manualSystemClock(START)
  const box = await rig({ systemClock })
  const { sink, state, take, drain } = manualSink()
  state.full = true
  const end = box.control.attach(sink, undefined)
  box.control.addRequest({ n: 1 })
  await systemClock.advance(25_000)
  expect(take()).toEqual([': connected\n\n'])
  drain()
  expect(take().join('')).toContain('"request":{"n":1}')
  end()
  box.control.addRequest({ n: 2 })
  drain()
  await systemClock.advance(25_000)
  expect(take()).toEqual([])
  expect(box.control.counts().connections).toBe(0)
})

test('a public connection writes at once, queues while it is blocked or stalled, and drops the oldest', async () => {
  const systemClock = manualSystemClock(START)
  const { sink, state, take, drain } = manualSink()
  let gone = 0
  const connection = connect(sink, { rows: 2, bytes: 1000 }, systemClock, () => gone++)
  const accept = (...messages: string[]) => connection.accept(messages, Buffer.from(messages.join('')))
  expect(take()).toEqual([': connected\n\n'])
  accept('a', 'b')
  expect(take()).toEqual(['ab'])

  // The write that fills the sink is still complete.
  state.full = true
  accept('c')
  accept('d', 'e')
  expect([take(), connection.dropped]).toEqual([['c'], 0])
  accept('f')
  expect(connection.dropped).toBe(1)
  await systemClock.advance(25_000)
  expect(take()).toEqual([])
  connection.resume(() => false)
  expect(take()).toEqual([])
  drain()
  expect(take()).toEqual(['ef'])

  connection.stall('one')
  connection.stall('two')
  accept('g')
  await systemClock.advance(25_000)
  connection.resume((fault) => fault === 'two')
  drain()
  expect(take()).toEqual([])
  connection.resume(() => false)
  expect(take()).toEqual(['g'])

  connection.dropStalled()
  connection.stall('one')
  accept('h')
  connection.dropStalled()
  connection.resume(() => false)
  accept('i')
  expect(take()).toEqual(['i'])

  connection.close()
  connection.close()
  accept('j')
  drain()
  expect([take(), state.closed, gone, systemClock.waiting()]).toEqual([[], 1, 0, 0])
})

test('a public connection drops the oldest messages if the queue is too large, but keeps the newest', () => {
  const { sink, state, take, drain } = manualSink()
  const connection = connect(sink, { rows: 100, bytes: 1000 }, manualSystemClock(START), () => {})
  const accept = (...messages: string[]) => connection.accept(messages, Buffer.from(messages.join('')))
  take()
  state.full = true
  accept('first')
  accept('a'.repeat(400), 'b'.repeat(600))
  expect([take(), connection.dropped]).toEqual([['first'], 0])
  accept('c')
  expect(connection.dropped).toBe(1)
  drain()
  expect(take()).toEqual([`${'b'.repeat(600)}c`])
  // The size counts again from zero after the queue was sent.
  state.full = true
  accept('second')
  accept('d'.repeat(999), 'e')
  expect(connection.dropped).toBe(1)
  accept('f'.repeat(5000))
  expect(connection.dropped).toBe(3)
  state.full = false
  drain()
  expect(take()).toEqual(['second', 'f'.repeat(5000)])
})

test('a public connection whose reader disconnects is not closed again', () => {
  const systemClock = manualSystemClock(START)
  const { sink, state, gone } = manualSink()
  let told = 0
  const connection = connect(sink, { rows: 2, bytes: 1000 }, systemClock, () => told++)
  gone()
  connection.close()
  expect([state.closed, told, systemClock.waiting()]).toEqual([0, 1, 0])
})

const forward = (delivery_id: string, attempt = 1, generation = 1) =>
  ({ delivery_id, attempt, generation }) as unknown as ForwardRequest

test('a forward ends with its result, the loss of its listener or its deadline, and leaves no timer', async () => {
  const systemClock = manualSystemClock(START)
  const forwards = createPendingForwards(systemClock)
  const answers = [
    forwards.waitForResult('one', forward('a'), 5000),
    forwards.waitForResult('one', forward('a'), 5000),
    forwards.waitForResult('one', forward('b', 2, 3), 5000),
    forwards.waitForResult('two', forward('a'), 5000),
    forwards.waitForResult('two', forward('c'), 2000),
  ]
  const report = (listener: string, more: object, dryRun?: boolean) =>
    forwards.resolve(listener, { delivery_id: 'a', ms: 1, ...more }, dryRun)
  const unknown = (name: string) => `No attempt of delivery ${name} is waiting for a result from this listener.`
  for (const [listener, more, name] of [
    ['none', {}, 'a'],
    ['one', { delivery_id: 'x'.repeat(65) }, 'x'.repeat(64)],
    ['one', { attempt: 2 }, 'a'],
    ['one', { generation: 2 }, 'a'],
    ['one', { delivery_id: 'b', attempt: 2, generation: 1 }, 'b'],
  ] as const) {
    expect(() => report(listener, more)).toThrow(expect.objectContaining({ code: 'not_found', message: unknown(name) }))
  }
  report('one', { status: 100 }, true)
  report('one', { status: 201 })
  report('one', { status: 202, attempt: 1, generation: 1 })
  expect(() => report('one', {}, true)).toThrow(unknown('a'))
  report('one', { delivery_id: 'b', attempt: 2, generation: 3, status: 203 })
  await systemClock.advance(1999)
  expect(systemClock.waiting()).toBe(2)
  await systemClock.advance(1)
  expect(() => report('two', { delivery_id: 'c' })).toThrow(unknown('c'))
  forwards.disconnect('none')
  forwards.disconnect('two')
  expect(await Promise.all(answers)).toEqual([
    { status: 201, ms: 1 },
    { status: 202, ms: 1 },
    { status: 203, ms: 1 },
    'disconnected',
    { error: 'The listener reported no result within 2s.' },
  ])
  const more = [forwards.waitForResult('one', forward('d'), 5000), forwards.waitForResult('two', forward('e'), 5000)]
  forwards.disconnectAll()
  expect([await Promise.all(more), systemClock.waiting()]).toEqual([['disconnected', 'disconnected'], 0])
})

test.each([
  ['webhook_timeout', undefined, 20_000],
  ['its timeout', 1000, 6000],
])('a listener has 5 s more than %s to report a result', async (_, timeout, limit) => {
  const systemClock = manualSystemClock(START)
  const box = await rig({ systemClock })
  box.run('open_listener', { id: 'one', shop_id: box.shop.id, url: 'http://x/', events: [], signature: 'v2' })
  const stream = box.listeners.open('one', timeout)
  const reader = sseReader(stream as ReadableStream<Uint8Array>)
  const sent = box.listeners.send('one', forward('a'))
  expect(await reader.next()).toMatchObject({ event: 'delivery', data: { delivery_id: 'a' } })
  await systemClock.advance(limit - 1)
  expect(() => box.listeners.reportResult('one', { delivery_id: 'a', ms: 1 }, true)).not.toThrow()
  await systemClock.advance(1)
  expect(await sent).toEqual({ error: `The listener reported no result within ${limit / 1000}s.` })
})

test('the dispatcher closes at the end of the grace period, long before the deadline of a receiver', async () => {
  const systemClock = manualSystemClock(START)
  const { transport, sent } = manualTransport()
  const box = await rig({ systemClock, transport })
  box.endpoint('http://127.0.0.1:1/')
  box.pay()
  await reaches(sent, 1)
  const before = systemClock.waiting()
  let isClosed = false
  const closing = box.dispatcher.close({ grace_ms: 2000 }).then(() => {
    isClosed = true
  })
  await systemClock.advance(1999)
  expect(isClosed).toBe(false)
  await systemClock.advance(1)
  await closing
  expect(systemClock.waiting()).toBe(before)
})

test('the dispatcher closes at once if nothing is in flight, and leaves no timer', async () => {
  const systemClock = manualSystemClock(START)
  const box = await rig({ systemClock })
  const before = systemClock.waiting()
  await box.dispatcher.close({ grace_ms: 2000 })
  expect(systemClock.waiting()).toBe(before)
})
