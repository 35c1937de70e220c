// Reads lists that have pages.

import { filterOf } from './call-arguments.ts'
import type { Page, PageQuery } from './control-types.ts'
import { type HttpClient, LIST } from './http-client.ts'

/** The largest number of rows of a page. */
const PAGE = 1000

/** Yields rows, and requests the next page when it is needed. @param query filters; `limit` is the total number of rows */
export async function* rowsOf<Row, Query extends object>(
  list: (query: NoInfer<Query> & PageQuery) => Promise<Page<Row>>,
  query: Query & PageQuery = {} as Query,
): AsyncGenerator<Row> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let { cursor } = query
  do {
    // The server rejects a limit that is not a number.
    const { items, next_cursor } = await list({ ...query, cursor, limit: Math.min(PAGE, left) })
    yield* items
    left -= items.length
    cursor = next_cursor ?? undefined
  } while (cursor !== undefined && left > 0)
}

/** Returns every row, in the order of the list. */
export async function paginate<Row, Query extends object>(
  list: (query: NoInfer<Query> & PageQuery) => Promise<Page<Row>>,
  query?: Query & PageQuery,
): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of rowsOf(list, query)) rows.push(row)
  return rows
}

/** The number of rows if the caller gives no limit. */
const DEFAULT_LIMIT = 100

/**
 * Returns up to `limit` rows of a list. The server ends a page early if its rows are large, so this may send several requests.
 * @param list the name of the list for errors: `payments`
 */
export async function listPage<Row>(
  { json }: HttpClient,
  path: string,
  list: string,
  query: PageQuery | undefined,
): Promise<Page<Row>> {
  const given = filterOf(list, query)
  const limit = query?.limit ?? DEFAULT_LIMIT
  const page = await json<Page<Row>>({ method: 'GET', path, query: given, answers: LIST })
  const items = [...page.items]
  let { next_cursor } = page
  while (next_cursor !== null && items.length < limit) {
    const rest = { ...given, cursor: next_cursor, limit: limit - items.length }
    const more = await json<Page<Row>>({ method: 'GET', path, query: rest, answers: LIST })
    for (const row of more.items) items.push(row)
    if (more.next_cursor === next_cursor) break
    next_cursor = more.next_cursor
  }
  return { items, next_cursor }
}
