import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type StateItem, StateReader } from '../../../src/store/import/state-reader.ts'
import type { StateTextError } from '../../../src/store/import/state-text-error.ts'

function read(text: string | Uint8Array, size = Number.POSITIVE_INFINITY): StateItem[] {
  const bytes = Buffer.from(text as string)
  const reader = new StateReader()
  const items: StateItem[] = []
  for (let at = 0; at < bytes.length; at += size) items.push(...reader.push(bytes.subarray(at, at + size)))
  reader.end()
  return items
}

function errorOf(text: string | Uint8Array, size?: number): StateTextError {
  try {
    read(text, size)
  } catch (error) {
    return error as StateTextError
  }
  throw new Error('no error')
}

/** Assembles the value from its items. */
function assembled(items: readonly StateItem[]): unknown {
  const tables: Record<string, unknown[]> = {}
  const fields: [string, unknown][] = []
  for (const item of items) {
    if (item.kind === 'field') fields.push([item.name, item.value])
    else if (item.kind === 'table') tables[item.name] = []
    else tables[item.table]?.push(item.row)
  }
  return Object.fromEntries([...fields, ['tables', tables]])
}

const row = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true })
const state = fc.record({
  format: fc.jsonValue({ maxDepth: 1 }),
  tables: fc.dictionary(fc.string({ minLength: 1 }), fc.array(row, { maxLength: 4 }), { noNullPrototype: true }),
  after: fc.jsonValue({ maxDepth: 1 }),
})

test('any state is read in pieces of any size, formatted in any way', () => {
  fc.assert(
    fc.property(state, fc.constantFrom(undefined, 1, '\t'), fc.integer({ min: 1, max: 50 }), (value, indent, size) => {
      fc.pre(!('__proto__' in Object.assign(Object.create(null), value.tables)))
      const text = JSON.stringify(value, null, indent)
      expect(assembled(read(text, size))).toEqual(JSON.parse(text))
    }),
    { numRuns: 300 },
  )
})

test('each row has its line', () => {
  const text = '{"a":1,\n"tables":{"x":[\n{"id":1},\n{\n"id":\n2}, {"id":3}\n],"y":[{"id":4}]}\n}\n'
  for (const size of [1, 7, 1000]) {
    const lines = read(text, size).flatMap((item) => (item.kind === 'row' ? [[item.table, item.index, item.line]] : []))
    expect(lines).toEqual([
      ['x', 0, 3],
      ['x', 1, 4],
      ['x', 2, 6],
      ['y', 0, 7],
    ])
  }
})

const GOOD = '{"format":1,\n"tables":{\n"x":[\n{"id":"a"},\n{"id":"b","n":1}\n]}}\n'

describe.each([1, 5, 1000])('a text in pieces of %i bytes', (size) => {
  test.each<[string, string | Uint8Array, number, number | undefined, RegExp]>([
    ['no content', '', 1, 1, /^expected a JSON object, got nothing$/],
    ['a list as the root', '[]', 1, 1, /^expected a JSON object, got an array$/],
    ['a word as the root', 'state', 1, 1, /^not JSON: unexpected "s"$/],
    ['no tables', '{"format":1}', 1, undefined, /^tables: expected an object of tables$/],
    ['tables that are a list', '{\n"tables":[]}', 2, undefined, /^tables: expected an object of tables$/],
    ['a table that is null', '{"tables":{\n"x":null}}', 2, undefined, /^tables\.x: expected a list of rows$/],
    ['a row that is a text', '{"tables":{"x":[{},\n"a"]}}', 2, undefined, /^tables\.x\[1\]: expected an object$/],
    ['a repeated table', '{"tables":{"x":[],\n"x":[]}}', 2, undefined, /^tables\.x: the table exists twice$/],
    ['repeated tables', '{"tables":{},\n"tables":{}}', 2, undefined, /^tables: the field exists twice$/],
    ['a missing value', GOOD.replace('"n":1', '"n":'), 5, 15, /^not JSON: Unexpected token/],
    ['a missing comma', GOOD.replace('},', '}'), 5, 1, /^not JSON: unexpected "\{"$/],
    ['a comma too many', GOOD.replace('1}\n', '1},\n'), 6, 1, /^not JSON: unexpected "\]"$/],
    ['an incomplete row', GOOD.slice(0, GOOD.indexOf('"n"')), 5, 1, /^not JSON: the text ends too early$/],
    ['an incomplete string', GOOD.replace('"b","n":1}', '"b'), 5, 9, /^not JSON: a string .* end of its line$/],
    ['text after the end', `${GOOD}x`, 7, 1, /^not JSON: unexpected "x"$/],
    ['a deep row', GOOD.replace('1}', `${'['.repeat(70)}1}`), 5, 78, /^nested more than 64 levels deep/],
    ['a byte order mark', `\ufeff${GOOD}`, 1, 1, /^it begins with a byte order mark/],
    ['UTF-16 characters', Buffer.from(`\ufeff${GOOD}`, 'utf16le'), 1, 1, /^it is UTF-16/],
    ['UTF-16 characters without a mark', Buffer.from(GOOD, 'utf16le'), 1, 1, /^it is UTF-16/],
    ['Latin-1 bytes', Buffer.from(GOOD.replace('"b"', '"ü"'), 'latin1'), 5, 8, /bytes that are not UTF-8/],
  ])('is rejected with line and column if it has %s', (_, text, line, column, why) => {
    const error = errorOf(text, size)
    expect({ name: error.name, message: error.message, line: error.line, column: error.column }).toEqual({
      name: 'StateTextError',
      message: expect.stringMatching(why),
      line,
      column,
    })
  })
})

test('a row that is longer than the limit is rejected before it fills the memory', () => {
  const reader = new StateReader(3 * 1024 * 1024)
  const push = (text: string | Buffer) => [...reader.push(Buffer.from(text as string))]
  push('{"tables":{"x":[{"id":"')
  const piece = Buffer.alloc(1024 * 1024, 'x')
  for (let n = 0; n < 2; n++) push(piece)
  expect(() => push(piece)).toThrow(/^a value is longer than 3 MiB/)
})
