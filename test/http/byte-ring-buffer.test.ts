import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteRingBuffer } from '../../src/http/byte-ring-buffer.ts'

test('gives back the newest texts, whole, and never a wrong one', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 200 }), (texts) => {
      const ring = createByteRingBuffer(1024)
      const added = texts.map((text) => ({ text: text.toString(), at: ring.add(text) }))
      let forgotten = false
      for (const { text, at } of added.reverse()) {
        const got = ring.get(at)
        if (got === undefined) forgotten = true
        // Older than a forgotten one: forgotten too. Lone surrogates have no UTF-8.
        else expect([forgotten, got]).toEqual([false, Buffer.from(text).toString()])
      }
    }),
    { seed: 1, numRuns: 300 },
  )
})

test('a text that cannot fit is refused', () => {
  expect(() => createByteRingBuffer(100).add('x'.repeat(40))).toThrow(RangeError)
})

test('a text that comes again at once stands there once', () => {
  const ring = createByteRingBuffer(100, (text) => text.slice(0, 20))
  const first = ring.add('the same answer, and more than is kept')
  expect(ring.add('the same answer, and more than is kept')).toBe(first)
  expect(ring.get(first)).toBe('the same answer, and')
  ring.add('another')
  const later = ring.add('the same answer, and more than is kept')
  expect(later).not.toBe(first)
  expect(ring.get(later)).toBe('the same answer, and')
})
