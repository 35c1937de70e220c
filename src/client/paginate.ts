// Collects all rows of a list that has pages.

import type { Page, PageQuery } from './control-types.ts'

/** The largest number of rows of a page. */
const PAGE = 1000

/**
 * Yields rows, and requests the next page when it is needed.
 * @param query filters; `limit` is the maximum number of rows in total
 * @param pageSize fewer rows keep the event loop responsive while a page is written and parsed
 */
export async function* rowsOf<Row, Query extends object>(
  list: (query: NoInfer<Query> & PageQuery) => Promise<Page<Row>>,
  query: Query & PageQuery = {} as Query,
  pageSize = PAGE,
): AsyncGenerator<Row> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let { cursor } = query
  do {
    // A `limit` of NaN stays NaN here, so the server rejects it.
    const { items, next_cursor } = await list({ ...query, cursor, limit: Math.min(pageSize, left) })
    yield* items
    left -= items.length
    cursor = next_cursor ?? undefined
  } while (cursor !== undefined && left > 0)
}

/** Returns every row, in the order of the list. */
export async function paginate<Row, Query extends object>(
  list: (query: NoInfer<Query> & PageQuery) => Promise<Page<Row>>,
  query?: Query & PageQuery,
  pageSize?: number,
): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of rowsOf(list, query, pageSize)) rows.push(row)
  return rows
}
