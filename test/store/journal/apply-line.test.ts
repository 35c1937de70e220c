// A line is applied unless its page already contains it, which a crash during a checkpoint may cause.
import { expect, test } from 'vitest'
import { applyLine, PageFullError, type RowsInTwoPages } from '../../../src/store/journal/apply-line.ts'
import { createMemory, type Memory } from '../../../src/store/memory/memory.ts'
import { PAGE_ROWS } from '../../../src/store/pages/page.ts'

const rule = (n: number, row: { readonly id: string; readonly [field: string]: unknown }) => ({
  table: 'rules' as const,
  n,
  row,
})
const place = { file: 'x', line: 1 }

function replay(memory: Memory, line: object, inTwoPages: RowsInTwoPages = new Map()): RowsInTwoPages {
  applyLine(memory, inTwoPages, { seq: 5, at: 1, command: 'x', ...line })
  return inTwoPages
}

/**
 * Returns a memory with pages of rules.
 * @param pages the last line of each page, and the ids of its rows
 */
function memoryOf(...pages: readonly (readonly [seq: number, ...ids: readonly string[]])[]): Memory {
  const memory = createMemory()
  for (const [number, [seq, ...ids]] of pages.entries()) {
    memory.table('rules').addPage(number, seq)
    for (const [slot, id] of ids.entries()) memory.table('rules').insert(number * PAGE_ROWS + slot, { id })
  }
  return memory
}

const places = (memory: Memory) =>
  [...memory.table('rules').rows('oldest')].map(({ id }) => [id, memory.table('rules').ordinal(id)])

test.each([
  [4, true],
  [5, false],
  [6, false],
])('line 5 of the journal is applied to a page that contains the lines up to %i: %j', (seq, isApplied) => {
  const memory = memoryOf([seq, 'a', 'b'])
  replay(memory, { deletes: [{ table: 'rules', n: 0, id: 'a' }], puts: [rule(2, { id: 'c' })] })
  expect(places(memory)).toEqual(
    isApplied
      ? [
          ['b', 1],
          ['c', 2],
        ]
      : [
          ['a', 0],
          ['b', 1],
        ],
  )
})

test('a row that the line changes keeps its place', () => {
  const memory = memoryOf([0, 'a', 'b'])
  replay(memory, { puts: [rule(7, { id: 'a', plan: 'failed' })] })
  expect(places(memory)).toEqual([
    ['a', 0],
    ['b', 1],
  ])
  expect(memory.table('rules').get('a')).toEqual({ id: 'a', plan: 'failed' })
})

test('a row in another page moves to the page of the line, unless that other page is newer', () => {
  const moved = memoryOf([0, 'a'], [0, 'b'])
  replay(moved, { puts: [rule(PAGE_ROWS + 1, { id: 'a' })] })
  expect(places(moved)).toEqual([
    ['b', PAGE_ROWS],
    ['a', PAGE_ROWS + 1],
  ])
  const newer = memoryOf([0, 'b'], [5, 'a'])
  replay(newer, { puts: [rule(1, { id: 'a', plan: 'older' })] })
  expect(newer.table('rules').get('a')).toEqual({ id: 'a' })
  expect(places(newer)).toEqual([
    ['b', 0],
    ['a', PAGE_ROWS],
  ])
})

test('a row whose place is taken gets the next free one of its page', () => {
  const memory = memoryOf([0, 'by hand', 'also by hand'])
  replay(memory, { puts: [rule(0, { id: 'a' }), rule(2, { id: 'b' })] })
  expect(places(memory)).toEqual([
    ['by hand', 0],
    ['also by hand', 1],
    ['a', 2],
    ['b', 3],
  ])
})

test('a row without a free place in its page is an error, which names the page and the limit', () => {
  const memory = memoryOf([0], [0, ...Array.from({ length: PAGE_ROWS }, (_, n) => `r${n}`)])
  const error = new PageFullError('page 1 of rules has too many rows: the limit is 1024')
  expect(() => replay(memory, { puts: [rule(PAGE_ROWS + 3, { id: 'a' })] })).toThrow(error)
  expect(error.name).toBe('PageFullError')
  expect(memory.table('rules').size).toBe(PAGE_ROWS)
})

test('a deletion removes the row only from the page of the line, and explains a row that is in two pages', () => {
  const memory = memoryOf([0, 'a'], [0, 'b'])
  const inTwoPages: RowsInTwoPages = new Map([
    ['rules a', place],
    ['rules b', place],
  ])
  const remove = (n: number, id: string) => replay(memory, { deletes: [{ table: 'rules', n, id }] }, inTwoPages)
  remove(PAGE_ROWS, 'a')
  expect(places(memory)).toEqual([
    ['a', 0],
    ['b', PAGE_ROWS],
  ])
  expect([...inTwoPages.keys()]).toEqual(['rules b'])
  remove(PAGE_ROWS + 9, 'b')
  expect(places(memory)).toEqual([['a', 0]])
  expect([...inTwoPages.keys()]).toEqual(['rules b'])
  remove(0, 'unknown')
  expect(places(memory)).toEqual([['a', 0]])
})

test('a cleared table loses its older pages, and its rows in two pages are explained', () => {
  const memory = memoryOf([4, 'a'], [5, 'b'])
  const inTwoPages = replay(
    memory,
    { clear: ['rules', 'faults'], puts: [rule(0, { id: 'c' })] },
    new Map([
      ['rules a', place],
      ['rules_like a', place],
      ['faults a', place],
      ['payments a', place],
    ]),
  )
  expect(places(memory)).toEqual([
    ['c', 0],
    ['b', PAGE_ROWS],
  ])
  expect([...inTwoPages.keys()]).toEqual(['rules_like a', 'payments a'])
})
