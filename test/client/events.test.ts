// Events that a caller waits for: how they are matched, read and watched, and how a timeout is reported.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { EventView } from '../../src/client/control-types.ts'
import type { StreamState } from '../../src/client/follow.ts'
import { recordTimeout, timedOutWaits, WAITS_VARIABLE } from '../../src/client/wait-timeouts.ts'
import { createEventReader, watchEvents } from '../../src/client/watch-events.ts'
import { matchesEvent, nearMisses, type SomeEvent } from '../../src/domain/event-match.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

const eventOf = (event: string, data: object, more: object = {}) =>
  ({ id: 'evt_1', event, object_id: 'pay_1', data, ...more }) as SomeEvent

test.each([
  [{}, true],
  [{ amount: '100' }, true],
  [{ amount: '1000' }, false],
  [{ amount: '100', status: 'failed' }, false],
  [{ id: 'evt_1' }, true],
  [{ object_id: 'pay_1' }, true],
  [{ 'metadata.cart': '7' }, true],
  [{ 'metadata.a.b': 'nested' }, true],
  [{ 'metadata.dotted.key': 'whole name' }, true],
  [{ 'metadata.cart.x': 'undefined' }, false],
  [{ 'unknown.cart': '7' }, false],
  [{ unknown: 'undefined' }, false],
  [{ empty: 'null' }, false],
  [{ zero: '0' }, true],
  [{ 'empty.cart': '7' }, false],
  [{ 'status.length': '4' }, false],
  [{ toString: 'function' }, false],
  [{ 'constructor.name': 'Object' }, false],
])('an event with the fields %j matches: %s', (fields, expected) => {
  const metadata = { cart: 7, a: { b: 'nested' }, 'dotted.key': 'whole name' }
  const event = eventOf('payment.failed', { amount: 100, status: 'paid', metadata, empty: null, zero: 0 })
  expect(matchesEvent(event, Object.entries(fields))).toBe(expected)
})

test('the nearest events are listed with the fields that differ', () => {
  const where = Object.entries({ order_id: 'a', amount: '5' })
  const misses = (seen: SomeEvent[]) => nearMisses({ names: ['payment.failed'], where }, seen)
  expect(misses([])).toEqual(['No event happened.'])
  expect(
    misses([
      eventOf('payout.failed', {}),
      eventOf('payment.succeeded', { order_id: 'a', amount: 5 }),
      eventOf('payment.failed', { order_id: 'b', amount: 6 }),
      eventOf('payment.failed', { order_id: 'a', amount: null }),
      eventOf('payment.succeeded', { order_id: 'c', amount: 5 }),
    ]),
  ).toEqual([
    'Events that happened instead:',
    '  payment.succeeded  order_id "a"',
    '  payment.failed  order_id "a"; its amount is null',
    '  payment.failed  order_id "b"; its amount is 6',
    '  payment.succeeded  order_id "c"',
    '  payout.failed  pay_1; it has no order_id; it has no amount',
  ])
  const six = Array.from({ length: 6 }, (_, i) => eventOf('payout.failed', {}, { object_id: `p${i}` }))
  expect(misses(six)).toEqual([
    'Events that happened instead (the nearest 5 of 6):',
    ...six.slice(0, 5).map(({ object_id }) => `  payout.failed  ${object_id}; it has no order_id; it has no amount`),
  ])
})

test('timed-out waits are recorded in the file of `psp exec`, and read from it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waits-'))
  const file = join(folder, 'waits')
  expect(timedOutWaits(file)).toEqual([])
  recordTimeout({}, 'ignored')
  recordTimeout({ [WAITS_VARIABLE]: join(folder, 'missing', 'waits') }, 'ignored')
  recordTimeout({ [WAITS_VARIABLE]: file }, 'first')
  recordTimeout({ [WAITS_VARIABLE]: file }, 'second\n"line"')
  expect(timedOutWaits(file)).toEqual(['first', 'second\n"line"'])
  rmSync(folder, { recursive: true })
})

/** A client whose list of events is `events`, newest first, and whose stream sends `messages`. */
function clientOf(events: { id: string }[], messages: readonly string[] = []) {
  const urls: string[] = []
  const client = createClient({
    baseUrl: '7770',
    async fetch(url) {
      urls.push(url)
      if (!url.includes('/stream')) return Response.json({ items: events, next_cursor: null })
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const message of messages) controller.enqueue(Buffer.from(message))
        },
      })
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
    },
  })
  return { client, urls }
}

test('an event reader returns only events that are newer than its last result, oldest first', async () => {
  const events = [{ id: '2' }, { id: '1' }]
  const { client, urls } = clientOf(events)
  const read = createEventReader(client, { event: 'payment.*' })
  expect(await read()).toEqual([{ id: '1' }, { id: '2' }])
  expect(await read()).toEqual([])
  events.unshift({ id: '4' }, { id: '3' })
  expect(await read()).toEqual([{ id: '3' }, { id: '4' }])
  events.length = 0
  expect(await read()).toEqual([])
  events.push({ id: '5' }, { id: '4' })
  expect(await read()).toEqual([{ id: '5' }])
  expect(new Set(urls)).toEqual(new Set(['http://127.0.0.1:7770/_psp/events?event=payment.*&limit=1000']))
})

function watch(messages: readonly string[], until: number, earlier?: readonly string[]) {
  const { client } = clientOf([], messages)
  const offered: string[] = []
  const states: StreamState[] = []
  const ended = new AbortController()
  const result = watchEvents(client, {
    timers: manualSystemClock(),
    signal: ended.signal,
    readEarlier: earlier && (async () => earlier.map((id) => ({ id }) as EventView)),
    onEvent: ({ id }) => void offered.push(id),
    isDone: () => offered.length >= until,
    onState: (state) => void states.push(state),
  })
  return { result, offered, states, ended }
}

const sse = (event: string, id: string) => `event: ${event}\ndata: ${JSON.stringify({ event: { id } })}\n\n`

test('a watch offers earlier events, then events of the stream, and ends when it is done', async () => {
  const { result, offered, states } = watch([sse('event', 'b'), sse('request', 'x'), sse('event', 'c')], 3, ['a'])
  expect(await result).toBe(true)
  expect(offered).toEqual(['a', 'b', 'c'])
  expect(states).toEqual([{ state: 'open', isReconnect: false }])
})

test('a watch ends after the earlier events if it is done', async () => {
  const { result, offered, states } = watch([], 1, ['a'])
  expect(await result).toBe(true)
  expect([offered, states]).toEqual([['a'], []])
})

test('a watch returns false if its signal aborts first', async () => {
  const { result, offered, ended } = watch([sse('event', 'b')], 2)
  await expect.poll(() => offered).toEqual(['b'])
  ended.abort()
  expect(await result).toBe(false)
})
