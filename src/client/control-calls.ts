// Calls of the control API. Paths are relative to `/_psp/`.
import { filterOf } from './call-arguments.ts'
import type { Page, PageQuery } from './control-types.ts'
import { type HttpClient, LIST, type ResponseShape } from './http-client.ts'

export type ControlCalls = ReturnType<typeof controlCalls>

export function controlCalls(http: HttpClient) {
  return {
    get: <T>(path: string, responseShape?: ResponseShape, signal?: AbortSignal) =>
      http.json<T>({ method: 'GET', path: `/_psp/${path}`, responseShape, signal }),
    /** @param name the name of the list for errors; default: the path */
    list: <Row>(path: string, query: PageQuery | undefined, name = path) =>
      listPage<Row>(http, `/_psp/${path}`, name, query),
    post: <T>(path: string, body?: unknown, responseShape?: ResponseShape) =>
      http.json<T>({ method: 'POST', path: `/_psp/${path}`, body, responseShape }),
    put: <T>(path: string, body?: unknown) => http.json<T>({ method: 'PUT', path: `/_psp/${path}`, body }),
    patch: <T>(path: string, body: unknown, responseShape?: ResponseShape) =>
      http.json<T>({ method: 'PATCH', path: `/_psp/${path}`, body, responseShape }),
    remove: (path: string) => http.json<void>({ method: 'DELETE', path: `/_psp/${path}` }),
  }
}

/** The number of rows if the caller gives no limit. */
const DEFAULT_LIMIT = 100

/**
 * Returns up to `limit` rows of a list. The server ends a page early if its rows are large, so this may send several
 * requests.
 * @param list the name of the list for errors: `payments`
 */
async function listPage<Row>(
  { json }: HttpClient,
  path: string,
  list: string,
  query: PageQuery | undefined,
): Promise<Page<Row>> {
  const given = filterOf(list, query)
  const limit = query?.limit ?? DEFAULT_LIMIT
  const page = await json<Page<Row>>({ method: 'GET', path, query: given, responseShape: LIST })
  const items = [...page.items]
  let { next_cursor } = page
  while (next_cursor !== null && items.length < limit) {
    const rest = { ...given, cursor: next_cursor, limit: limit - items.length }
    const more = await json<Page<Row>>({ method: 'GET', path, query: rest, responseShape: LIST })
    for (const row of more.items) items.push(row)
    // A server that repeats its cursor would never end the list.
    if (more.next_cursor === next_cursor) break
    next_cursor = more.next_cursor
  }
  return { items, next_cursor }
}
