// Lists come in pages; this is all of one.
import type { Page, PageQuery } from './control-types.ts'

/** Rows of the largest page. */
const PAGE = 1000

/** Row by row, asking for the next page when it is needed. @param query filters; `limit`: of all rows, however many */
export async function* rowsOf<Row, Query extends object>(
  list: (query: NoInfer<Query> & PageQuery) => Promise<Page<Row>>,
  query: Query & PageQuery = {} as Query,
): AsyncGenerator<Row> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let { cursor } = query
  do {
    // A limit that is none is the server's to refuse.
    const { items, next_cursor } = await list({ ...query, cursor, limit: Math.min(PAGE, left) })
    yield* items
    left -= items.length
    cursor = next_cursor ?? undefined
  } while (cursor !== undefined && left > 0)
}

/** Every row, in the order of the list. */
export async function paginate<Row, Query extends object>(
  list: (query: NoInfer<Query> & PageQuery) => Promise<Page<Row>>,
  query?: Query & PageQuery,
): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of rowsOf(list, query)) rows.push(row)
  return rows
}
