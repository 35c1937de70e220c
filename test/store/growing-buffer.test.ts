import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GrowingBuffer } from '../../src/store/growing-buffer.ts'

const KIB = 1024

test('the bytes are those of the parts in order, at any length and with any characters', () => {
  const part = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 50, size: 'max' }),
    fc.integer({ min: 0, max: 70_000 }).map((length) => 'Ж'.repeat(length)),
    fc.uint8Array({ maxLength: 50, size: 'max' }),
    fc.integer({ min: 0, max: 70_000 }).map((length) => Buffer.alloc(length, 'x')),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
      const buffer = new GrowingBuffer(64 * KIB)
      let expected = Buffer.alloc(0)
      for (const each of parts) {
        buffer.append(each)
        expected = Buffer.concat([expected, Buffer.from(each as string)])
        expect(buffer.length).toBe(expected.length)
      }
      expect(buffer.bytes.equals(expected)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('a cleared buffer is empty, and a large one releases its memory', () => {
  const buffer = new GrowingBuffer(64 * KIB)
  buffer.append('first')
  const memory = buffer.bytes.buffer
  buffer.clear()
  expect([buffer.length, buffer.bytes.length]).toEqual([0, 0])
  expect(buffer.bytes.buffer).toBe(memory)
  buffer.append('x'.repeat(100_000))
  expect(buffer.bytes.buffer.byteLength).toBe(300_000)
  buffer.clear(300_000)
  expect(buffer.bytes.buffer.byteLength).toBe(300_000)
  buffer.clear(299_999)
  expect(buffer.bytes.buffer.byteLength).toBe(64 * KIB)
  buffer.append('second')
  expect(buffer.bytes.toString()).toBe('second')
})

test('a buffer grows to twice its size if a part does not fit', () => {
  const buffer = new GrowingBuffer(64 * KIB)
  buffer.append('x'.repeat(20_000))
  expect(buffer.bytes.buffer.byteLength).toBe(64 * KIB)
  buffer.append('y'.repeat(16_000))
  expect(buffer.bytes.buffer.byteLength).toBe(128 * KIB)
})
