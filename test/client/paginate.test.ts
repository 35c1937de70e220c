import { expect, test } from 'vitest'
import type { PageQuery } from '../../src/client/control-types.ts'
import { paginate, rowsOf } from '../../src/client/paginate.ts'

const ROWS = Array.from({ length: 2500 }, (_, i) => ({ id: i }))

/** A list with pages, whose cursor is the position after the last row. */
function paged(asked: (PageQuery & { shop_id?: string })[] = []) {
  return async (query: PageQuery & { shop_id?: string }) => {
    asked.push(query)
    const from = Number(query.cursor ?? 0)
    const to = from + (query.limit ?? 100)
    return { items: ROWS.slice(from, to), next_cursor: to < ROWS.length ? String(to) : null }
  }
}

test('every row is returned, page by page, with the same filters', async () => {
  const asked: (PageQuery & { shop_id?: string })[] = []
  expect(await paginate(paged(asked), { shop_id: 's' })).toEqual(ROWS)
  expect(asked).toMatchObject([
    { shop_id: 's', limit: 1000 },
    { shop_id: 's', limit: 1000, cursor: '1000' },
    { shop_id: 's', limit: 1000, cursor: '2000' },
  ])
})

test('a limit counts rows across pages, starting at the cursor', async () => {
  expect(await paginate(paged(), { limit: 1001 })).toEqual(ROWS.slice(0, 1001))
  expect(await paginate(paged(), { limit: 2, cursor: '7' })).toEqual(ROWS.slice(7, 9))
})

test('an invalid limit is sent unchanged, so that the server rejects it', async () => {
  const asked: PageQuery[] = []
  await paginate(paged(asked), { limit: 0 })
  expect(asked).toMatchObject([{ limit: 0 }])
})

test('a page is requested only when it is needed', async () => {
  const asked: PageQuery[] = []
  for await (const { id } of rowsOf(paged(asked))) if (id === 999) break
  expect(asked).toHaveLength(1)
})
