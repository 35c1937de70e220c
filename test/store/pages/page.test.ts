import { expect, test } from 'vitest'
import { BLOCK_ROWS } from '../../../src/store/pages/block.ts'
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
