import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineBuffer } from '../../../src/store/journal/line-buffer.ts'

const lineOf = (text: string) => `${text},"crc":${crc32(Buffer.from(text))}}\n`

test('the bytes are those of the lines with their checksums, at any length and with any characters', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 50, size: 'max' }),
    fc.integer({ min: 0, max: 70_000 }).map((length) => 'Ж'.repeat(length)),
    fc.integer({ min: 0, max: 70_000 }).map((length) => 'x'.repeat(length)),
  )
  fc.assert(
    fc.property(fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 8 }), (calls) => {
      const buffer = createLineBuffer()
      for (const texts of calls) {
        const before = buffer.length
        const added = buffer.add(texts)
        expect(added).toBe(Buffer.byteLength(texts.map(lineOf).join('')))
        expect(buffer.length).toBe(before + added)
      }
      expect(Buffer.from(buffer.bytes).toString()).toBe(calls.flat().map(lineOf).join(''))
    }),
    { numRuns: 50 },
  )
})

test('a cleared buffer is empty, and a large one releases its memory', () => {
  const buffer = createLineBuffer()
  buffer.add(['first'])
  const memory = buffer.bytes.buffer
  buffer.clear()
  expect([buffer.length, buffer.bytes.length]).toEqual([0, 0])
  expect(buffer.bytes.buffer).toBe(memory)
  buffer.add(['x'.repeat(100_000)])
  expect(buffer.bytes.buffer.byteLength).toBeGreaterThan(300_000)
  buffer.clear()
  expect(buffer.bytes.buffer.byteLength).toBe(64 * 1024)
  buffer.add(['second'])
  expect(Buffer.from(buffer.bytes).toString()).toBe(lineOf('second'))
})

test('a buffer grows to twice its size if a line does not fit', () => {
  const buffer = createLineBuffer()
  buffer.add(['x'.repeat(20_000)])
  expect(buffer.bytes.buffer.byteLength).toBe(64 * 1024)
  buffer.add(['y'.repeat(16_000)])
  expect(buffer.bytes.buffer.byteLength).toBe(128 * 1024)
})
