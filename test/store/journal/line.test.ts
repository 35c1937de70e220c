import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { decodeLine, encodeCommit } from '../../../src/store/journal/line.ts'
import { createMemory } from '../../../src/store/memory/memory.ts'
import { commitOf, formatLineEnd, put } from '../fixtures.ts'

const rule = (n: number) => put('rules', { id: `r${n}` })
const removed = (n: number) => ({ table: 'rules' as const, id: `r${n}` })

/** Returns the lines of a commit after one that created `r0` to `r<count - 1>`. */
function linesOf(commit: ReturnType<typeof commitOf>, count = 0, maxLength?: number): string[] {
  const memory = createMemory()
  if (count > 0) memory.apply(commitOf({ puts: Array.from({ length: count }, (_, n) => rule(n)) }))
  return encodeCommit(7, 5, 'a "b"', commit, memory.apply(commit), maxLength)
}

test('a commit is one line with only the parts that it has', () => {
  expect(linesOf(commitOf({}))).toEqual(['{"seq":7,"at":5,"command":"a \\"b\\""'])
  expect(linesOf(commitOf({ puts: [rule(3)] }), 2)).toEqual([
    '{"seq":7,"at":5,"command":"a \\"b\\"","puts":[{"table":"rules","n":2,"row":{"id":"r3"}}]',
  ])
  expect(linesOf(commitOf({ clear: ['rules', 'faults'], deletes: [removed(9)] }), 1)).toEqual([
    '{"seq":7,"at":5,"command":"a \\"b\\"","clear":["rules","faults"]',
  ])
  expect(linesOf(commitOf({ deletes: [removed(1), removed(0)] }), 2)).toEqual([
    '{"seq":7,"at":5,"command":"a \\"b\\"","deletes":[{"table":"rules","n":1,"id":"r1"},{"table":"rules","n":0,"id":"r0"}]',
  ])
})

test('a commit that replaces the state names the directory of its pages instead of the cleared tables', () => {
  const { clear, puts } = commitOf({ clear: ['rules'], puts: [rule(1)] })
  const change = createMemory().apply(commitOf({ clear: ['rules'], puts: [rule(1)] }))
  const encode = (folder: string | undefined) =>
    encodeCommit(1, 2, 'x', { clear, puts, prepared: { folder } as never }, change)
  const puts1 = '"puts":[{"table":"rules","n":0,"row":{"id":"r1"}}]'
  expect(encode('pages-000000000001')).toEqual([`{"seq":1,"at":2,"command":"x","adopt":"pages-000000000001",${puts1}`])
  expect(encode(undefined)).toEqual([`{"seq":1,"at":2,"command":"x","adopt":"",${puts1}`])
})

test.each([8, 9])('a commit of 8 deletions and %i rows has the same content in one line and in several', (puts) => {
  const commit = commitOf({
    deletes: Array.from({ length: 8 }, (_, n) => removed(n)),
    puts: Array.from({ length: puts }, (_, n) => rule(n + 8)),
  })
  const [whole = '', ...none] = linesOf(commit, 8)
  expect(none).toEqual([])
  const parts = linesOf(commit, 8, 200).map((line) => JSON.parse(`${line}}`))
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.map(({ seq, at, command, more }) => [seq, at, command, more])).toEqual(
    parts.map((_, i) => [7 + i, 5, 'a "b"', i === parts.length - 1 ? undefined : true]),
  )
  const { deletes, puts: rows } = JSON.parse(`${whole}}`)
  expect(parts.flatMap((part) => part.deletes ?? [])).toEqual(deletes)
  expect(parts.flatMap((part) => part.puts ?? [])).toEqual(rows)
})

test('a line has at most the given length, unless one row is longer', () => {
  const puts = Array.from({ length: 20 }, (_, n) => rule(n + 10))
  const lines = linesOf(commitOf({ clear: ['faults'], puts }), 0, 150)
  const more = ',"more":true'
  const lengths = lines.map((line) => line.replace(`]${more}`, '').length)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(150)
  // Another row would not have fitted in any line but the last.
  expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThan(150 - '{"table":"rules","n":19,"row":{"id":"r29"}},'.length)
  expect(lines[0]).toContain('"clear":["faults"],"puts":[{')
  expect(linesOf(commitOf({ puts }), 0, 10)).toHaveLength(20)
})

test('a commit that is exactly as long as a line may be is one line', () => {
  const commit = commitOf({ puts: [rule(1), rule(2)] })
  const [whole = ''] = linesOf(commit)
  expect(linesOf(commit, 0, whole.length)).toEqual([whole])
  // The punctuation around a row does not count.
  expect(linesOf(commit, 0, whole.length - 2)).toHaveLength(1)
  expect(linesOf(commit, 0, whole.length - 3)).toHaveLength(2)
})

test.each([
  ['an empty line', '', 'not a line of the journal (no checksum at its end)'],
  ['a checksum that is not at the end', ',"crc":1 and more text', 'not a line of the journal (no checksum at its end)'],
  ['another checksum', '{"seq":1,"crc":1}', 'the checksum does not match: the line was changed or damaged'],
])('%s has a message', (_, line, message) => {
  expect(decodeLine(Buffer.from(line))).toBe(message)
})

test('a line with a valid checksum that is not JSON has the message of the parser', () => {
  expect(decodeLine(sealed('{"seq":1,,'))).toMatch(/JSON/)
})

const NOT_OURS = 'psp did not write this line'
const place = { table: 'rules', n: 1 }
test.each([
  ['a list', []],
  ['no number', {}],
  ['a number that is a text', { seq: '1' }],
  ['a number with a fraction', { seq: 1.5 }],
  ['an unknown field', { seq: 1, other: 1 }],
  ['cleared tables that are no list', { seq: 1, clear: {} }],
  ['an unknown cleared table', { seq: 1, clear: ['rules', 'cats'] }],
  ['deletions that are no list', { seq: 1, deletes: {} }],
  ['a deletion without a table', { seq: 1, deletes: [{ n: 1, id: 'a' }] }],
  ['a deletion of an unknown table', { seq: 1, deletes: [place, { table: 'cats', n: 1 }] }],
  ['a deletion without an ordinal', { seq: 1, deletes: [{ table: 'rules', id: 'a' }] }],
  ['a deletion that is null', { seq: 1, deletes: [null] }],
  ['rows that are no list', { seq: 1, puts: {} }],
  ['a row without an id', { seq: 1, puts: [{ ...place, row: {} }] }],
  ['no row', { seq: 1, puts: [place] }],
  ['a row with an ordinal that is a text', { seq: 1, puts: [{ table: 'rules', n: '1', row: { id: 'a' } }] }],
  ['a row of an unknown table', { seq: 1, puts: [{ table: 'cats', n: 1, row: { id: 'a' } }] }],
  ['a valid row before an invalid one', { seq: 1, puts: [{ ...place, row: { id: 'a' } }, place] }],
])('a line with %s is not accepted', (_, value) => {
  const text = JSON.stringify(value)
  const line = text === '[]' ? Buffer.from('') : sealed(text === '{}' ? '{"at":1' : text.slice(0, -1))
  expect(decodeLine(line)).toBe(text === '[]' ? 'not a line of the journal (no checksum at its end)' : NOT_OURS)
})

test('a line with every field is returned with its checksum', () => {
  const value = {
    seq: 4,
    at: 5,
    command: 'x',
    more: true,
    adopt: 'pages-1',
    clear: ['rules'],
    deletes: [{ ...place, id: 'a' }],
    puts: [{ ...place, row: { id: 'Ж' } }],
  }
  const text = JSON.stringify(value).slice(0, -1)
  expect(decodeLine(sealed(text))).toEqual({ ...value, crc: crc32(Buffer.from(text)) })
})

function sealed(inside: string): Buffer {
  return Buffer.from(inside + formatLineEnd(crc32(Buffer.from(inside)))).subarray(0, -1)
}
