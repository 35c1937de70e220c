import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCleanJson } from '../../src/domain/clean-json.ts'
import { eventIdentityOf } from '../../src/domain/imported-event.ts'
import { EventCollector } from '../../src/recordings/collect-events.ts'
import { createMasking } from '../../src/recordings/masking.ts'

const KEY = Buffer.alloc(32, 7)

/** Collects the bodies of each file, all received at the same time unless an entry names one. */
function collect(
  files: readonly (readonly (string | { readonly body: string; readonly at: number })[])[],
  { keepsPersonalData = false, key = KEY } = {},
) {
  const collector = new EventCollector({
    key,
    masking: createMasking({ key, keepsPersonalData }),
    check: () => ({ signature: 'missing' }),
    now: 0,
    onInvalid(error) {
      throw error
    },
  })
  for (const [number, messages] of files.entries()) {
    collector.beginFile()
    for (const [at, message] of messages.entries()) {
      const given = typeof message === 'string' ? { body: message, at: 1000 } : message
      collector.add(
        { place: `line ${at + 1}`, headers: [], about: '', at: given.at, body: Buffer.from(given.body) },
        `${number}.log`,
      )
    }
  }
  return collector.collected
}

const idsOf = (...args: Parameters<typeof collect>) => collect(...args).events.map(({ id }) => id)

test('a collection without events is empty', () => {
  expect(collect([])).toEqual({ events: [], masked: 0, repeated: 0, skews: [] })
})

const eventOf = (id: string, data: unknown = { amount: 100 }) =>
  JSON.stringify({ id, event: 'payment.succeeded', created_at: '2026-05-06T12:00:00Z', data })

describe('the id of an imported event', () => {
  test.each([
    ['other event ids', eventOf('WH-1ABC'), eventOf('WH-2DEF')],
    ['other customers', eventOf('evt_1', { customer: 'cus_9s6XKz' }), eventOf('evt_1', { customer: 'cus_NffrFe' })],
    ['other orders', eventOf('evt_1', { note: 'zakaz-17' }), eventOf('evt_1', { note: 'zakaz-18' })],
    ['other long numbers', ...twoLongNumbers()],
  ])(
    'events with equal times and %s are different events, in one file, in several files and in two imports',
    (_, a, b) => {
      for (const keepsPersonalData of [false, true]) {
        const ids = new Set(idsOf([[a, b]], { keepsPersonalData }))
        expect(ids.size).toBe(2)
        expect(new Set(idsOf([[a], [b]], { keepsPersonalData }))).toEqual(ids)
        expect(new Set([...idsOf([[a]]), ...idsOf([[b]])])).toEqual(ids)
      }
    },
  )

  test('an event has the same id in files with other times, white space and escapes', () => {
    const event = eventOf('evt_1', { note: 'Заказ / 1', amount: 100 })
    const spaced = JSON.stringify(JSON.parse(event), null, 2)
    const escaped = event.replace('З', '\\u0417').replace('/', '\\/')
    const { events, repeated } = collect([[event], [{ body: spaced, at: 2000 }], [{ body: escaped, at: 3000 }]])
    expect([events.length, repeated]).toEqual([1, 2])
  })

  test('an event that one file contains twice has two ids, which are the same in the next import', () => {
    const event = eventOf('evt_1')
    const ids = idsOf([[event, { body: event, at: 5000 }]])
    expect(new Set(ids).size).toBe(2)
    expect(idsOf([[event, { body: event, at: 5000 }, event]]).slice(0, 2)).toEqual(ids)
  })

  test('the id cannot be found by trying bodies without the key of the pseudonyms', () => {
    expect(idsOf([[eventOf('evt_1')]])).not.toEqual(idsOf([[eventOf('evt_1')]], { key: Buffer.alloc(32, 8) }))
  })
})

/** `JSON.parse` reads both numbers as the same one. */
function twoLongNumbers(): [string, string] {
  const text = eventOf('evt_1', { number: 0 })
  return [text.replace(':0}', ':12345678901234567890}'), text.replace(':0}', ':12345678901234567891}')]
}

test.each(['zakaz', 'ORDER', 'delivery.ivanov', 'lk-ivan', 'AB-12.ivan'])(
  'an event whose id or name is the unknown word %s is still an event after its personal data was replaced',
  (word) => {
    const body = JSON.stringify({ id: word, event: word, data: { id: word, order_id: 'A-1' } })
    const [event] = collect([[body]]).events
    const identity = eventIdentityOf(event?.body ?? '')
    expect(identity).toMatchObject({
      event_id: expect.any(String),
      event: expect.any(String),
      object_id: expect.any(String),
    })
    expect(identity?.event_id).not.toContain('ivan')
    // A recording contains a masked body, which is imported later.
    expect(createMasking({ key: KEY }).json(event?.body ?? '')).toBe(event?.body)
  },
)

test('every amount that the masking keeps can be imported, also if its digits are those of a card number', () => {
  const numbers = [
    '4111111111111111',
    '-4111111111111111',
    '4111111111111111.00',
    '"4111111111111111"',
    '378282246310005',
  ]
  for (const field of [
    'total',
    'price',
    'balance',
    'fee',
    'net',
    'gross',
    'sum',
    'rate',
    'amount',
    'total_amount',
    'tax',
  ])
    for (const number of numbers)
      for (const keepsPersonalData of [false, true])
        for (const data of [`{"${field}":${number}}`, `{"fee":{"${field}":[${number},{"value":${number}}]}}`]) {
          const [event] = collect([[eventOf('evt_1').replace('{"amount":100}', data)]], { keepsPersonalData }).events
          expect(isCleanJson(event?.body ?? '')).toBe(true)
        }
})

test('any event can be imported after it was masked', () => {
  const digits = fc.stringMatching(/^[1-9][0-9]{11,18}$/)
  const value = fc.oneof(
    digits,
    digits.map(Number),
    digits.map((text) => `https://a.example/?amount=${text}`),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(
      value,
      fc.constantFrom('x', 'total', 'phone', 'return_url', 'id'),
      fc.boolean(),
      (each, name, keeps) => {
        const [event] = collect([[eventOf('evt_1', { [name]: each })]], { keepsPersonalData: keeps }).events
        expect(isCleanJson(event?.body ?? '')).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})

test('an event that cannot be masked is reported with its line', () => {
  const errors: string[] = []
  const collector = new EventCollector({
    key: KEY,
    masking: { ...createMasking({ key: KEY }), json: (text) => text },
    check: () => ({ signature: 'missing' }),
    now: 0,
    onInvalid: ({ message }) => errors.push(message),
  })
  const body = Buffer.from(eventOf('evt_1', { note: '4111111111111111' }))
  collector.add({ place: 'line 7', headers: [], about: '', body }, 'a.log')
  expect(errors).toEqual(['a.log line 7 contains a secret or a card number that cannot be masked.'])
  expect(collector.collected.events).toEqual([])
})

test('the name of an event is shown as it was masked', () => {
  const [event] = collect([[JSON.stringify({ id: 'evt_1', event: 'payment.khvorostukhina', data: {} })]]).events
  expect(event?.event).toMatch(/^x_[a-z]{10}$/)
})
