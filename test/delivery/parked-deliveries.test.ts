// Deliveries that wait for a listener, and the other messages of its stream.
import { beforeEach, expect, test } from 'vitest'
import type { ForwardRequest } from '../../src/delivery/forward-messages.ts'
import { createListenerHub, type ListenerHub } from '../../src/delivery/listener-hub.ts'
import type { Sink } from '../../src/delivery/sse.ts'
import type { Commit } from '../../src/engine/commit.ts'
import type { World } from '../../src/engine/world.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

const NOW = 1_000_000
const COMMIT: Commit = { clear: [], deletes: [], puts: [], stream: [], result: null }
const CONNECTED = ': connected\n\n'
const RESET = 'event: reset\ndata: {}\n\n'

let deliveries: { id: string; status: string }[]
let endpoints: Map<string, { listener?: boolean }>
let scheduled: unknown[][]
let scanned: number
let hub: ListenerHub
beforeEach(() => {
  deliveries = []
  endpoints = new Map([['one', { listener: true }]])
  scheduled = []
  scanned = 0
  const world = {
    settings: { webhook_timeout: 1000 },
    get: (table: string, id: string) =>
      table === 'endpoints' ? endpoints.get(id) : deliveries.find((delivery) => delivery.id === id),
    *rows(_table: string, order: string) {
      if (order !== 'newest') throw new Error('the newest deliveries come first')
      for (const row of deliveries.toReversed()) {
        scanned++
        yield row
      }
    },
  } as unknown as World
  const scheduleAttempt = (...call: unknown[]) => void scheduled.push(call)
  hub = createListenerHub({
    world,
    systemClock: manualSystemClock(NOW),
    now: () => NOW as never,
    scheduleAttempt,
  })
})

function memorySink() {
  const written: string[] = []
  const state = { closed: false }
  const sink: Sink = {
    write: (chunk) => written.push(Buffer.from(chunk).toString()) > 0,
    onDrain() {},
    onDisconnect() {},
    close() {
      state.closed = true
    },
  }
  return { sink, written, state }
}

test('parked deliveries that still wait are due as a backlog in their order when the listener connects', () => {
  deliveries = ['old', 'a', 'b', 'c', 'd'].map((id) => ({ id, status: id === 'c' ? 'cancelled' : 'waiting' }))
  for (const id of ['d', 'c', 'gone', 'a', 'd']) hub.park('one', id)
  hub.park('two', 'old')
  expect(scheduled).toEqual([])
  const end = hub.attach('one', memorySink().sink)
  expect(scheduled).toEqual([
    ['a', NOW, true],
    ['d', NOW, true],
  ])
  // The scan ends at the oldest parked delivery.
  expect(scanned).toBe(4)
  end()
  hub.attach('one', memorySink().sink)
  expect([scheduled.length, scanned]).toEqual([2, 4])
})

test('a delivery that is parked while the listener is connected is due at once, and alone', () => {
  hub.attach('one', memorySink().sink)
  hub.park('one', 'a')
  expect(scheduled).toEqual([['a', NOW]])
})

test('nothing is sent to a listener that is not connected', async () => {
  expect(await hub.send('one', {} as ForwardRequest)).toBe('disconnected')
  expect([hub.isConnected('one'), hub.open('none'), hub.isConnected('none')]).toEqual([false, undefined, false])
  endpoints.set('endpoint', {})
  expect(hub.open('endpoint')).toBeUndefined()
})

test('a replaced state forgets parked deliveries and pending results', async () => {
  deliveries = [{ id: 'a', status: 'waiting' }]
  hub.park('one', 'a')
  hub.attach('two', memorySink().sink)
  const pending = hub.send('two', { delivery_id: 'b', attempt: 1, generation: 1 } as ForwardRequest)
  hub.abandonForwards()
  expect(await pending).toBe('disconnected')
  hub.attach('one', memorySink().sink)
  expect(scheduled).toEqual([])
})

test('a reset is a message to each listener, and those that no longer exist lose their streams', () => {
  endpoints.set('two', { listener: true })
  const [one, two] = [memorySink(), memorySink()]
  hub.attach('one', one.sink)
  hub.attach('two', two.sink)
  hub.onCommit({ ...COMMIT, clear: ['payments'] }, 'reset', NOW as never)
  endpoints.delete('two')
  hub.onCommit({ ...COMMIT, deletes: [{ table: 'rules', id: 'two' }] }, 'remove_rules', NOW as never)
  expect([one.written, two.written, two.state.closed]).toEqual([[CONNECTED, RESET], [CONNECTED, RESET], false])
  hub.onCommit({ ...COMMIT, clear: ['payments', 'endpoints'] }, 'reset', NOW as never)
  expect([one.written.length, one.state.closed, two.state.closed]).toEqual([3, false, true])
  endpoints.set('one', {})
  hub.onCommit({ ...COMMIT, deletes: [{ table: 'endpoints', id: 'one' }] }, 'delete_endpoint', NOW as never)
  expect([one.state.closed, hub.isConnected('one')]).toEqual([true, false])
})

test('a connection that was replaced does not end the newer one', () => {
  const [first, second] = [memorySink(), memorySink()]
  const end = hub.attach('one', first.sink)
  hub.attach('one', second.sink)
  expect([first.written, first.state.closed]).toEqual([[CONNECTED, 'event: replaced\ndata: {}\n\n'], true])
  end()
  expect([hub.isConnected('one'), second.state.closed]).toEqual([true, false])
})
