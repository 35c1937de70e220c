// A reader of the control API's stream with an interval: several messages are sent as one, and nothing is lost or delayed long.
import { expect, test } from 'vitest'
import { createControlHub } from '../../src/delivery/control-hub.ts'
import type { Sink } from '../../src/delivery/sse.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import { type Message, rig, sseReader, turns } from './fixtures.ts'

const INTERVAL = 200

async function batches(more: object = {}) {
  const { world, timeline } = await rig()
  const systemClock = manualSystemClock(Date.UTC(2026, 0, 1))
  const hub = createControlHub({ world, systemClock, now: timeline.now, ...more })
  const add = (...numbers: readonly number[]) => {
    for (const n of numbers) hub.addRequest({ n })
  }
  return { hub, systemClock, add, open: (id?: string) => readMessages(hub.open(id, INTERVAL)) }
}

/** Reads what the stream contains so far, without waiting for more. */
function readMessages(stream: ReadableStream<Uint8Array>) {
  const reader = sseReader(stream)
  let isReading = false
  const messages: Message[] = []
  return {
    ...reader,
    async ready(): Promise<readonly Message[]> {
      if (!isReading) {
        isReading = true
        void (async () => {
          for (;;) messages.push(await reader.next())
        })().catch(() => {})
      }
      await turns()
      return messages.splice(0)
    },
  }
}

interface Item {
  readonly id: string
  readonly message: { readonly kind: string; readonly request?: { readonly n: number } }
}

/** Returns the messages with their ids, in their order, whether they were sent alone or in a batch. */
const itemsOf = (messages: readonly Message[]): readonly Item[] =>
  messages.flatMap(({ id, event, data }) =>
    event === 'batch' ? (data['items'] as readonly Item[]) : [{ id, message: data } as unknown as Item],
  )
const numbersOf = (messages: readonly Message[]) => itemsOf(messages).map(({ message }) => message.request?.n)

/** Takes every chunk, and can be full. */
function manualSink() {
  const chunks: string[] = []
  let drain = () => {}
  const sink = { isFull: false, chunks, drain: () => drain() }
  const target: Sink = {
    write: (chunk) => chunks.push(String(chunk)) > 0 && !sink.isFull,
    onDrain(fn) {
      drain = fn
    },
    onDisconnect() {},
    close() {},
  }
  return { sink, target }
}

test('the first message is sent at once, and the next ones together after the interval, with the id of the last one', async () => {
  const { systemClock, add, open } = await batches()
  const stream = open()
  await stream.ready()
  add(1)
  const [first, ...none] = await stream.ready()
  expect([first?.event, first?.data['request'], none]).toEqual(['request', { n: 1 }, []])
  add(2, 3)
  await turns()
  add(4)
  await systemClock.advance(INTERVAL - 1)
  expect(await stream.ready()).toEqual([])
  await systemClock.advance(1)
  const [batch, ...more] = await stream.ready()
  const ids = [1, 2, 3].map((after) => String(Number(first?.id) + after))
  expect([batch?.event, batch?.id, batch?.data['kind'], more]).toEqual(['batch', ids[2], 'batch', []])
  expect(itemsOf([batch as Message]).map(({ id }) => id)).toEqual(ids)
  expect(numbersOf([batch as Message])).toEqual([2, 3, 4])
})

test('a message after a quiet interval is sent at once, and as it is without an interval', async () => {
  const { hub, systemClock, add, open } = await batches()
  const [grouped, plain] = [open(), readMessages(hub.open(undefined))]
  await Promise.all([grouped.ready(), plain.ready()])
  for (const n of [1, 2, 3]) {
    add(n)
    const alone = await grouped.ready()
    expect(numbersOf(alone)).toEqual([n])
    expect(alone).toEqual(await plain.ready())
    await systemClock.advance(INTERVAL)
  }
  expect(grouped.raw()).toBe(plain.raw())
})

test('a reader without an interval gets each message at once, next to one with an interval', async () => {
  const { hub, add, open } = await batches()
  const [grouped, plain] = [open(), readMessages(hub.open(undefined))]
  await Promise.all([grouped.ready(), plain.ready()])
  add(1)
  await turns()
  add(2, 3)
  expect((await plain.ready()).map(({ event }) => event)).toEqual(['request', 'request', 'request'])
  expect(numbersOf(await grouped.ready())).toEqual([1])
})

test('a reader resumes after a batch, and after any message in the middle of it', async () => {
  const { hub, add, open } = await batches()
  const before = hub.newest()
  add(1, 2, 3, 4)
  const [batch] = await open(String(before)).ready()
  expect(numbersOf([batch as Message])).toEqual([1, 2, 3, 4])
  add(5, 6)
  expect(numbersOf(await open(batch?.id).ready())).toEqual([5, 6])
  for (const [at, { id }] of itemsOf([batch as Message]).entries())
    expect(numbersOf(await open(id).ready())).toEqual([1, 2, 3, 4, 5, 6].slice(at + 1))
})

test('a reader whose connection is cut in the middle of a batch gets all of the batch again', async () => {
  const { systemClock, hub, add, open } = await batches()
  const { sink, target } = manualSink()
  hub.attach(target, undefined, INTERVAL)
  add(1)
  await turns()
  add(2, 3)
  await systemClock.advance(INTERVAL)
  const [, first, second] = sink.chunks as [string, string, string]
  const cut = readMessages(ReadableStream.from([Buffer.from(first + second.slice(0, -1))]))
  const received = await cut.ready()
  expect(numbersOf(received)).toEqual([1])
  expect(numbersOf(await open(received.at(-1)?.id).ready())).toEqual([2, 3])
})

test('a slow reader gets nothing while its sink is full, then batches of about 64 KiB', async () => {
  const { systemClock, hub } = await batches()
  const { sink, target } = manualSink()
  sink.isFull = true
  hub.attach(target, undefined, INTERVAL)
  for (let n = 0; n < 5; n++) hub.addRequest({ n, padding: 'x'.repeat(40_000) })
  await systemClock.advance(3 * INTERVAL)
  expect(sink.chunks.length).toBe(1)
  sink.isFull = false
  sink.drain()
  const numbers = sink.chunks.slice(1).map((chunk) => [...chunk.matchAll(/"n":(\d)/g)].map(([, n]) => Number(n)))
  expect(numbers).toEqual([[0, 1], [2, 3], [4]])
})

test('a reader that drains its sink gets all that waits, before new messages are collected', async () => {
  const { systemClock, hub, add } = await batches()
  const { sink, target } = manualSink()
  hub.attach(target, undefined, INTERVAL)
  add(0)
  await turns()
  const padding = 'x'.repeat(40_000)
  for (let n = 1; n < 8; n++) hub.addRequest({ n, padding })
  sink.isFull = true
  await systemClock.advance(INTERVAL)
  const numbers = () => sink.chunks.slice(2).map((chunk) => [...chunk.matchAll(/"n":(\d)/g)].map(([, n]) => Number(n)))
  expect(numbers()).toEqual([[1, 2]])
  for (let drained = 0; drained < 3; drained++) sink.drain()
  expect(numbers()).toEqual([[1, 2], [3, 4], [5, 6], [7]])
  add(8)
  sink.drain()
  await turns()
  expect(numbers().length).toBe(4)
  await systemClock.advance(INTERVAL)
  expect(numbers().at(-1)).toEqual([8])
})

test('a drained sink does not end the interval early', async () => {
  const { systemClock, hub, add } = await batches()
  const { sink, target } = manualSink()
  hub.attach(target, undefined, INTERVAL)
  add(1)
  await turns()
  add(2, 3)
  sink.drain()
  await turns()
  expect(sink.chunks.length).toBe(2)
  await systemClock.advance(INTERVAL)
  expect(sink.chunks.length).toBe(3)
})

test('a slow reader gets a gap as a separate message, before the batch of what is still stored', async () => {
  const { hub, add, open } = await batches({ limits: { rows: 3, bytes: Number.POSITIVE_INFINITY } })
  const before = hub.newest()
  add(1, 2, 3, 4, 5)
  const [gap, batch, ...none] = await open(String(before)).ready()
  expect([gap?.event, gap?.id, none]).toEqual(['gap', String(before + 2), []])
  expect([batch?.event, numbersOf([batch as Message])]).toEqual(['batch', [3, 4, 5]])
})

test('a reset is in its place among the messages of a batch', async () => {
  const box = await rig({ transport: async () => ({ status: 200 }) })
  const from = box.control.newest()
  box.pay()
  box.run('reset', {})
  box.control.addRequest({ path: '/after' })
  const [batch] = await readMessages(box.control.open(String(from), INTERVAL)).ready()
  const kinds = itemsOf([batch as Message]).map(({ message }) => message.kind)
  expect(kinds.slice(0, 3)).toEqual(['payment', 'payment', 'payment'])
  expect(kinds.slice(-2)).toEqual(['reset', 'request'])
})

test('an entry that cannot be serialized is left out of its batch', async () => {
  const presentRequest = (entry: object) => {
    if ((entry as { n: number }).n === 2) throw new Error('wrong')
    return entry
  }
  const { hub, add, open } = await batches({ presentRequest })
  const before = hub.newest()
  add(1, 2, 3)
  expect(numbersOf(await open(String(before)).ready())).toEqual([1, 3])
})

test('the heartbeat continues while messages are collected, and a closed connection leaves no timer', async () => {
  const { systemClock, hub, add, open } = await batches()
  const stream = open()
  await stream.ready()
  add(1)
  await stream.ready()
  expect(systemClock.waiting()).toBe(2)
  await systemClock.advance(25_000)
  await stream.ready()
  expect(stream.comments).toEqual(['connected', 'ping'])
  add(2)
  await stream.ready()
  hub.close()
  expect(systemClock.waiting()).toBe(0)
})
