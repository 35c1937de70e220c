// The stream of the control API: what it stores, renders and reports.
import { expect, test } from 'vitest'
import { createControlHub } from '../../src/delivery/control-hub.ts'
import type { Sink } from '../../src/delivery/sse.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import { rig, sseReader, turns } from './fixtures.ts'

const START = Date.UTC(2026, 0, 1)

async function hubWith(more: object = {}) {
  const { world, timeline } = await rig()
  return createControlHub({ world, systemClock: manualSystemClock(START), now: timeline.now, ...more })
}

test('the messages about an object include the messages about its refunds, events, deliveries, attempts and requests', async () => {
  const box = await rig({ transport: async () => ({ status: 500 }) })
  box.endpoint('http://127.0.0.1:1/')
  const { id } = box.pay()
  const other = box.pay()
  await box.timeline.idle()
  box.refund(id, 5000)
  const payout = box.run('create_payout', {
    caller: box.caller,
    input: { amount: 100, currency: 'RUB', phone: '+79990000000', bank_id: '100000000004' },
  }).object
  for (const object_id of [id, other.id, payout.id, undefined]) box.control.addRequest({ object_id })
  box.run('set_clock', { clock: { id: 'clock', mode: 'frozen', speed: 1, virtual: 0, wall: 0 } })
  const about = (objectId: string) => box.control.messagesAbout(objectId)
  const kinds = (objectId: string) => about(objectId).map(({ message }) => (message as { kind: string }).kind)
  const paid = ['payment', 'payment', 'payment', 'event', 'delivery', 'attempt']
  expect(kinds(id)).toEqual([...paid, 'refund', 'payment', 'event', 'delivery', 'request'])
  expect(kinds(other.id)).toEqual([...paid, 'request'])
  expect(kinds(payout.id)).toEqual(['payout', 'request'])
  expect(kinds('none')).toEqual([])
  const [first] = about(payout.id)
  const at = '2026-05-06T12:00:00.000Z'
  expect(first?.message).toEqual({
    kind: 'payout',
    at,
    shop_id: box.shop.id,
    mode: 'test',
    change: 'created',
    status: 'pending',
    previous_status: undefined,
    payout: expect.objectContaining({ id: payout.id, status: 'pending' }),
  })
  expect(about(payout.id)[1]).toEqual({
    id: String(Number(first?.id) + 3),
    message: { kind: 'request', at, request: { object_id: payout.id } },
  })
})

test('the messages about a replay say so', async () => {
  const box = await rig({ transport: async () => ({ status: 200 }) })
  box.endpoint('http://127.0.0.1:1/')
  const { id } = box.pay()
  await box.timeline.idle()
  const event = box.world.find('events', 'by_object', id)[0]
  box.run('replay_event', { event_id: event?.id ?? '' })
  await box.timeline.idle()
  const messages = box.control.messagesAbout(id).map(({ message }) => message as { delivery?: { replay?: true } })
  expect(messages.flatMap(({ delivery }) => (delivery === undefined ? [] : [delivery.replay]))).toEqual([
    undefined,
    undefined,
    true,
    true,
  ])
})

test('an entry that cannot be serialized is reported and left out, and the stream continues', async () => {
  const errors: unknown[] = []
  const wrong = new Error('wrong')
  const presentRequest = (entry: object) => {
    if ('bad' in entry) throw wrong
    return entry
  }
  const hub = await hubWith({ presentRequest, onInternalError: (error: unknown) => void errors.push(error) })
  const before = hub.newest()
  for (const entry of [{ n: 1 }, { bad: true }, { n: 2 }]) hub.addRequest(entry)
  const messages = await sseReader(hub.open(String(before))).take(2)
  expect(messages.map(({ id, data }) => [id, data['request']])).toEqual([
    [String(before + 1), { n: 1 }],
    [String(before + 3), { n: 2 }],
  ])
  expect(errors).toEqual([wrong])
})

test('an entry that cannot be serialized is left out if no function takes the error', async () => {
  const hub = await hubWith({
    presentRequest() {
      throw new Error('wrong')
    },
  })
  hub.addRequest({})
  expect(() => hub.open('0')).not.toThrow()
})

test('a reader without an id gets what follows, in one chunk per turn, and the hub counts what it keeps', async () => {
  const hub = await hubWith()
  expect([hub.newest(), hub.counts()]).toEqual([START * 1000 - 1, { connections: 0, kept: 0 }])
  hub.addRequest({ n: 0 })
  const chunks: string[] = []
  const sink: Sink = { write: (chunk) => chunks.push(String(chunk)) > 0, onDrain() {}, onDisconnect() {}, close() {} }
  const end = hub.attach(sink, undefined)
  hub.addRequest({ n: 1 })
  hub.addRequest({ n: 2 })
  await turns()
  expect(chunks.map((chunk) => chunk.match(/"n":\d/g))).toEqual([null, ['"n":1', '"n":2']])
  hub.addRequest({ n: 3 })
  await turns()
  expect(chunks.slice(2).map((chunk) => chunk.match(/"n":\d/g))).toEqual([['"n":3']])
  expect([hub.newest(), hub.counts()]).toEqual([START * 1000 + 3, { connections: 1, kept: 4 }])
  end()
  expect(hub.counts()).toEqual({ connections: 0, kept: 4 })
})

test('a reader gets the missed messages in pieces of 64 KiB, and none while its sink is full', async () => {
  const hub = await hubWith()
  const before = hub.newest()
  const padding = 'x'.repeat(40_000)
  for (let n = 0; n < 5; n++) hub.addRequest({ n, padding })
  const chunks: number[] = []
  let drain = () => {}
  const sink: Sink = {
    write: (chunk) => chunks.push(chunk.length) !== 2,
    onDrain(fn) {
      drain = fn
    },
    onDisconnect() {},
    close() {},
  }
  hub.attach(sink, String(before))
  const counts = () => chunks.slice(1).map((length) => Math.round(length / 40_000))
  expect(counts()).toEqual([2])
  drain()
  expect(counts()).toEqual([2, 2, 1])
})
