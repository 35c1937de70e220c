import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeLine } from '../../../src/store/journal/line.ts'
import { createRawLineDecoder } from '../../../src/store/journal/raw-line.ts'
import { formatLineEnd } from '../fixtures.ts'

const text = fc.oneof(fc.string(), fc.constantFrom('}', '{"', '"}},{"table":"', ',"puts":[', '\\', '\\"', 'Ж', '😀'))
const row = fc.record(
  {
    id: text,
    note: text,
    n: fc.double(),
    metadata: fc.dictionary(text, text),
    tries: fc.array(fc.dictionary(text, text)),
  },
  { requiredKeys: ['id'] },
)
const place = { table: fc.constantFrom('payments', 'timers', 'state'), n: fc.nat() }
const line = fc.record(
  {
    seq: fc.nat(),
    at: fc.nat(),
    command: fc.constantFrom('create_payment', 'run_timer'),
    clear: fc.array(fc.constantFrom('payments', 'rules')),
    deletes: fc.array(fc.record({ ...place, id: text })),
    puts: fc.array(fc.record({ ...place, row })),
    more: fc.constant(true as const),
  },
  { requiredKeys: ['seq', 'at', 'command'] },
)

test('`createRawLineDecoder` returns the fields of a line as a parser does, and the text of its rows', () => {
  fc.assert(
    fc.property(line, (value) => {
      const sliced = sliceLine(sealed(JSON.stringify(value).slice(0, -1)))
      const { puts, ...head } = JSON.parse(JSON.stringify(value))
      expect(sliced).toMatchObject(head)
      expect(typeof sliced === 'string' ? sliced : sliced.puts).toEqual(
        value.puts?.map(({ table, n, row }) => ({
          table,
          n,
          id: row.id,
          text: Buffer.from(JSON.stringify(row)).toString('latin1'),
        })),
      )
    }),
    { numRuns: 1000 },
  )
})

test.each([
  ['a row without an id', '{"seq":1,"at":1,"command":"x","puts":[{"table":"payments","n":0,"row":{"a":1}}]'],
  ['an unknown table', '{"seq":1,"at":1,"command":"x","puts":[{"table":"cats","n":0,"row":{"id":"a"}}]'],
  ['no ordinal', '{"seq":1,"at":1,"command":"x","puts":[{"table":"payments","row":{"id":"a"}}]'],
  ['an incomplete row', '{"seq":1,"at":1,"command":"x","puts":[{"table":"payments","n":0,"row":{"id":"a"'],
  ['no number', '{"at":1,"command":"x","puts":[{"table":"payments","n":0,"row":{"id":"a"}}]'],
])('`createRawLineDecoder` rejects a line with %s like the decoder', (_, inside) => {
  const error = sliceLine(sealed(inside))
  expect(error).toEqual(expect.any(String))
  expect(error).toBe(decodeLine(sealed(inside)))
})

test('`createRawLineDecoder` rejects a line with a changed byte', () => {
  const bytes = sealed('{"seq":1,"at":1,"command":"x","puts":[{"table":"payments","n":0,"row":{"id":"a"}}]')
  bytes[70] = 98
  expect(sliceLine(bytes)).toMatch(/checksum/)
})

test('`createRawLineDecoder` keeps the text of the rows as it is in the file, because it does not parse them', () => {
  const texts = [
    '{"id":"a","n":1.0,"deep":{"list":[{"x":{}}]}}',
    '{"id":"b","quote":"\\"}{","path":"c:\\\\","n":1.50}',
    '{"id":"","table":{"table":"x"},"text":"Ж\\u0416"}',
  ]
  const puts = texts.map((row, n) => `{"table":"rules","n":${n},"row":${row}}`)
  const sliced = sliceLine(sealed(`{"seq":1,"at":1,"command":"x","puts":[${puts.join(',')}]`))
  expect(typeof sliced === 'string' ? sliced : sliced.puts?.map(({ text }) => text)).toEqual(
    texts.map((text) => Buffer.from(text).toString('latin1')),
  )
})

test.each([
  ['text after a row', '{"seq":1,"at":1,"command":"x","puts":[{"table":"rules","n":0,"row":{"id":"a"}x]'],
  ['text after the rows', '{"seq":1,"at":1,"command":"x","puts":[{"table":"rules","n":0,"row":{"id":"a"}}]x'],
  ['a row without its last brace', '{"seq":1,"at":1,"command":"x","puts":[{"table":"rules","n":0,"row":{"id":"a"}]'],
  ['an unfinished string', '{"seq":1,"at":1,"command":"x","puts":[{"table":"rules","n":0,"row":{"id":"a","b":"}}]'],
  ['an unfinished list', '{"seq":1,"at":1,"command":"x","puts":[{"table":"rules","n":0,"row":{"id":"a"}}'],
  ['an invalid head', '{"seq":1,,"puts":[{"table":"rules","n":0,"row":{"id":"a"}}]'],
  ['an unknown field', '{"seq":1,"other":1,"puts":[{"table":"rules","n":0,"row":{"id":"a"}}]'],
])('`createRawLineDecoder` rejects a line with %s and a valid checksum like the decoder', (_, inside) => {
  const error = sliceLine(sealed(inside))
  expect(error).toEqual(expect.any(String))
  expect(error).toBe(decodeLine(sealed(inside)))
})

/** Slices a line that has other lines before and after it. */
function sliceLine(line: Buffer) {
  const before = Buffer.from('Ж\n')
  return createRawLineDecoder(Buffer.concat([before, line, before]))(before.length, before.length + line.length)
}

function sealed(inside: string): Buffer {
  return Buffer.from(inside + formatLineEnd(crc32(Buffer.from(inside)))).subarray(0, -1)
}
