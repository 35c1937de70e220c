// The fields of the step `deliver`, one below and one above each limit, with a client that only counts.
import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { ApiError } from '../../src/client/errors.ts'
import { deliverEvents } from '../../src/scenarios/deliver-events.ts'

/** Lists the events `e2` and `e1`, the newest first. Nothing waits, so each copy is a replay. */
function counting(held: readonly object[] = []) {
  const calls: string[] = []
  const control = {
    events: {
      async list(query: { event: string; object_id?: string }) {
        calls.push(JSON.stringify(query))
        return { items: query.event === 'payment.failed' ? [{ id: 'e1' }] : [{ id: 'e2' }, { id: 'e1' }] }
      },
      async replay(id: string) {
        calls.push(`replay ${id}`)
        return { items: [{ id: `copy of ${id}` }] }
      },
    },
    deliveries: {
      list: async () => ({ items: held }),
      async retry(id: string) {
        const count = calls.push(`retry ${id}`)
        return { id, attempts: id === 'at once' ? [1] : Array.from({ length: count - 1 }) }
      },
    },
  }
  return { calls, client: { control } as unknown as Client }
}

const refusal = async (fields: object) => {
  const { client } = counting()
  const { status, code, message } = (await deliverEvents(client, { ...fields }).catch((error) => error)) as ApiError
  return [status, code, message]
}

test.each([-1, 1.5, '0', null])('the position %j of an event is refused', async (at) => {
  expect(await refusal({ events: [{ event: 'payment.succeeded', at }] })).toEqual([
    400,
    'bad_request',
    'events: expected at as an integer from 0.',
  ])
})

test.each([1, null, {}])('the object id %j of an event is refused', async (object_id) => {
  expect(await refusal({ events: [{ event: 'payment.succeeded', object_id }] })).toEqual([
    400,
    'bad_request',
    'events: expected object_id as a string.',
  ])
})

test.each([1, 100])('%i copies are sent', async (copies) => {
  const { client, calls } = counting()
  const { items } = await deliverEvents(client, { events: ['e7'], copies })
  expect([items.length, new Set(calls)]).toEqual([copies, new Set(['replay e7'])])
})

test.each([0, 101, 1.5, '2'])('%j copies are refused', async (copies) => {
  expect(await refusal({ events: ['e1'], copies })).toEqual([
    400,
    'bad_request',
    'copies: expected an integer from 1 to 100.',
  ])
})

test.each([[[]], ['e1'], [['']], [[null]], [[{ object_id: 'p1' }]], [undefined]])(
  'the events %j are refused',
  async (events) => {
    expect(await refusal({ events })).toEqual([
      400,
      'bad_request',
      'events: expected a list of event ids, or of objects such as {"event": "payment.succeeded", "object_id": "<id>"}.',
    ])
  },
)

test('the field together is true or false', async () => {
  expect(await refusal({ events: ['e1'], together: 'yes' })).toEqual([
    400,
    'bad_request',
    'together: expected true or false.',
  ])
})

test('an event is found by its place, from the oldest one with number 0', async () => {
  const { client, calls } = counting()
  const event = 'payment.refunded'
  await deliverEvents(client, { events: [{ event }, { event, object_id: 'p1', at: 1 }] })
  expect(calls).toEqual([
    '{"event":"payment.refunded","limit":1000}',
    '{"event":"payment.refunded","object_id":"p1","limit":1000}',
    'replay e1',
    'replay e2',
  ])
})

test.each([
  [
    { event: 'payment.failed', object_id: 'p1', at: 1 },
    'There is 1 event payment.failed about p1, so none is number 1. Numbers begin at 0.',
  ],
  [
    { event: 'payment.refunded', at: 2 },
    'There are 2 events payment.refunded, so none is number 2. Numbers begin at 0.',
  ],
])('an event that does not exist is not found: %j', async (event, message) => {
  expect(await refusal({ events: [event] })).toEqual([404, 'not_found', message])
})

test('the first copy releases what is held, and retries again if the retry was held, too', async () => {
  const { client, calls } = counting([
    { id: 'at once', attempts: [] },
    { id: 'held', attempts: [1] },
  ])
  const { items } = await deliverEvents(client, { events: ['e1'], copies: 2 })
  expect(calls).toEqual(['retry at once', 'retry held', 'retry held', 'replay e1'])
  expect(items).toHaveLength(3)
})
