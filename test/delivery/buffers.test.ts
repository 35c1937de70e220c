// The queues of a stream and of the dispatcher, compared with plain lists.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ControlEntry } from '../../src/delivery/control-messages.ts'
import { Fifo } from '../../src/delivery/fifo.ts'
import { createRingBuffer } from '../../src/delivery/ring-buffer.ts'

test('a queue returns its items in order, at any length', () => {
  const steps = fc.array(fc.oneof(fc.integer({ min: 1, max: 1500 }), fc.integer({ min: -1500, max: -1 })), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(steps, fc.boolean(), (counts, clears) => {
      const queue = new Fifo<number>()
      let list: number[] = []
      let last = 0
      for (const count of counts) {
        for (let n = 0; n < count; n++) {
          queue.push(++last)
          list.push(last)
        }
        for (let n = 0; n > count; n--) expect(queue.shift()).toBe(list.shift())
        if (clears && count === -1500) {
          queue.clear()
          list = []
        }
        expect([queue.size, [...queue]]).toEqual([list.length, list])
      }
    }),
    { numRuns: 60 },
  )
})

const entries = (rows: number) => ({ rows, bytes: Number.POSITIVE_INFINITY })
const entry = (n: number) => ({ kind: 'request', at: 0, request: { n } }) as unknown as ControlEntry

test('a ring buffer keeps the newest entries with consecutive ids', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 1, max: 5 }), fc.nat(12), (first, kept, count) => {
      const buffer = createRingBuffer(first, entries(kept))
      for (let n = 0; n < count; n++) buffer.add(entry(first + n))
      const [oldest, next] = [first + Math.max(0, count - kept), first + count]
      expect([buffer.oldest(), buffer.next()]).toEqual([oldest, next])
      for (let id = oldest; id < next; id++) expect(buffer.at(id)).toEqual(entry(id))
    }),
  )
})

test.each([
  [undefined, 107],
  ['', 107],
  ['x', 107],
  ['1.5', 107],
  ['105', 106],
  ['106', 107],
  ['99', 100],
  ['-1', 0],
  // Everything that is stored: the reader did not receive anything yet.
  ['0', 100],
  // An id of another run.
  ['107', 99],
  ['9999', 99],
])(
  'in a ring buffer of seven entries from id 100, a reader with the last id %j continues at %i',
  (lastEventId, position) => {
    const buffer = createRingBuffer(100, entries(10))
    for (let n = 0; n < 7; n++) buffer.add(entry(n))
    expect(buffer.after(lastEventId)).toBe(position)
  },
)

test('a reader with an id of another run continues before the oldest stored entry', () => {
  const buffer = createRingBuffer(1, entries(2))
  expect(buffer.after('1')).toBe(0)
  for (let n = 0; n < 7; n++) buffer.add(entry(n))
  expect([buffer.oldest(), buffer.after('8'), buffer.after('7')]).toEqual([6, 0, 8])
})
