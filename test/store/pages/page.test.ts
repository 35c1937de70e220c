import { expect, test } from 'vitest'
import { BLOCK_ROWS, Block } from '../../../src/store/pages/block.ts'
import { Compressor } from '../../../src/store/pages/compressor.ts'
import { pageNumbers } from '../../../src/store/pages/load-pages.ts'
import { Page } from '../../../src/store/pages/page.ts'

test('a page is read whose first rows are all in a later page', () => {
  const row = { id: 'pay-64' }
  const text = Buffer.from(`${JSON.stringify(row)}\n]}\n`)
  const page = new Page(new Compressor({ recentRows: 0, deflate: true }))
  page.startLoading(text)
  page.setLine(BLOCK_ROWS, 0, text.length)
  page.finishLoading()
  expect([page.row(BLOCK_ROWS), page.row(0), page.live, page.length]).toEqual([row, undefined, 1, BLOCK_ROWS + 1])
})

test('pages are read in the order of their numbers, whatever the order of the directory is', () => {
  const list = () => ['000010.json', '000002.json', '000000.json', '000002.json.tmp', '000001.json']
  expect(pageNumbers({ list } as never, '/data/pages/payments')).toEqual([0, 1, 2, 10])
})

test('a change of a copy of a page changes only the copy, and keeps its other rows', () => {
  const page = new Page(undefined)
  for (const slot of [0, 1, 2]) page.set(slot, { id: `pay-${slot}` })
  const copy = page.copy({})
  const changed = { id: 'pay-1', amount: 5 }
  copy.set(1, changed)
  copy.clear(2)
  const rowsOf = (one: Page) => [0, 1, 2].map((slot) => one.row(slot))
  expect(rowsOf(copy)).toEqual([{ id: 'pay-0' }, changed, undefined])
  expect(rowsOf(page)).toEqual([{ id: 'pay-0' }, { id: 'pay-1' }, { id: 'pay-2' }])
  expect([copy.live, copy.length, page.live, page.length]).toEqual([2, 3, 3, 3])
})

test('a page is full at 1,024 rows, or at 4 MiB', () => {
  const page = new Page(undefined)
  for (let slot = 0; slot < 1023; slot++) page.set(slot, { id: `pay-${slot}` })
  expect(page.isFull).toBe(false)
  page.set(1023, { id: 'last' })
  expect(page.isFull).toBe(true)
  const large = new Page(undefined)
  large.set(0, { id: 'large', body: 'x'.repeat(4 * 1024 * 1024) } as never)
  expect(large.isFull).toBe(true)
})

test('a slot without a row has no row, no line and no hash', () => {
  const block = new Block()
  block.set(1, { id: 'pay-1' })
  const inflate = () => Buffer.alloc(0)
  for (const slot of [0, 2]) {
    expect([block.row(slot, inflate), block.line(slot, inflate), block.hash(slot, 'id', inflate)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  }
})
