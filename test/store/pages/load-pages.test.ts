// A start reads the pages of all tables. A crash during a checkpoint may leave pages that state.json does not list, and rows in
// two pages.
import { expect, test } from 'vitest'
import { StoreDamagedError } from '../../../src/store/errors.ts'
import { layoutOf } from '../../../src/store/folder/layout.ts'
import type { StateFile } from '../../../src/store/folder/state-file.ts'
import { createMemory } from '../../../src/store/memory/memory.ts'
import { loadPages } from '../../../src/store/pages/load-pages.ts'
import { encodePage, readPage } from '../../../src/store/pages/page-text.ts'

interface TestPage {
  readonly seq: number
  readonly rows: readonly object[]
}

/** Returns the bytes of a page that psp wrote. */
function pageOf({ seq, rows }: TestPage): Buffer {
  return encodePage(seq, Buffer.from(`${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]}\n`))
}

/** Loads pages of the table of rules. The first page has the number 0. */
function load(pages: readonly TestPage[], state: Partial<StateFile> = {}) {
  const files = new Map(pages.map((page, n) => [`/data/pages/rules/00000${n}.json`, pageOf(page)]))
  const port = {
    list: (folder: string) => (folder.endsWith('/rules') ? pages.map((_, n) => `00000${n}.json`) : []),
    read: (file: string) => files.get(file),
  }
  const memory = createMemory()
  const loaded = loadPages(port as never, layoutOf('/data'), memory, {
    format: 3,
    seq: 0,
    counters: {},
    pages: {},
    ...state,
  })
  return { loaded, rows: [...memory.rows('rules')] }
}

const rule = (id: string, more: object = {}) => ({ id, ...more })

test('a row in two pages is read from the page with the later journal line, whichever comes first', () => {
  const [old, changed] = [rule('a', { plan: 'failed' }), rule('a', { plan: 'pending' })]
  const later = load([
    { seq: 5, rows: [old, rule('b')] },
    { seq: 6, rows: [changed] },
  ])
  expect(later.rows).toEqual([rule('b'), changed])
  expect([...later.loaded.inTwoPages]).toEqual([['rules a', { file: '/data/pages/rules/000001.json', line: 2 }]])
  const earlier = load([
    { seq: 6, rows: [changed] },
    { seq: 5, rows: [old, rule('b')] },
  ])
  expect(earlier.rows).toEqual([changed, rule('b')])
})

test('a row in two pages with the same journal line is damage', () => {
  const pages = [
    { seq: 5, rows: [rule('a')] },
    { seq: 5, rows: [rule('b'), rule('a')] },
  ]
  expect(() => load(pages)).toThrow(
    new StoreDamagedError('/data/pages/rules/000001.json', 3, 'the row a is in the pages twice'),
  )
})

test('pages that state.json does not list, and empty pages, are left to the next checkpoint', () => {
  const pages = [
    { seq: 3, rows: [rule('a')] },
    { seq: 9, rows: [rule('b')] },
    { seq: 3, rows: [] },
  ]
  const { loaded, rows } = load(pages, { seq: 3, pages: { rules: '0@3, 2@3, 4@3' } })
  expect(rows).toEqual([rule('a'), rule('b')])
  expect(loaded.unlistedOrEmpty).toEqual([
    { table: 'rules', number: 1 },
    { table: 'rules', number: 2 },
  ])
  expect([...loaded.missing]).toEqual([['rules', [4]]])
  expect(loaded.newest).toEqual({ seq: 9, file: '/data/pages/rules/000001.json' })
})

test.each([
  ['null', 2],
  ['5', 2],
  ['{"name":"a"}', 2],
])('a page that was edited by hand cannot have the row %s', (row, line) => {
  expect(() => readPage('/p.json', Buffer.from(`{"seq":1,"rows":[\n${row}\n]}\n`))).toThrow(
    new StoreDamagedError('/p.json', line, 'expected a row with an id'),
  )
})
