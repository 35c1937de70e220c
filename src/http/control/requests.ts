import * as z from 'zod'
import { rfc3339 } from '../../domain/time.ts'
import { type LoggedRequest, renderLogged } from '../request-log.ts'
import { PAGE_QUERY, page } from './page.ts'
import { ok, route } from './route.ts'

const filter = z.string().optional()

export const requests = [
  route({
    method: 'GET',
    path: '/requests',
    summary: 'The request log, newest first; secrets are masked',
    query: z.object({ ...PAGE_QUERY, method: filter, path: filter, status: filter, code: filter, shop_id: filter }),
    run({ services, query: { limit, cursor, ...filters } }) {
      return ok(page(services.requestLog.entries(), { limit, cursor }, (entry) => wanted(entry, filters), showRequest))
    },
  }),
]

/** `status` may be a class such as 4xx; `path` is a part of the path. */
function wanted(entry: LoggedRequest, filters: { readonly [field: string]: string | undefined }): boolean {
  const { method, path, status, code, shop_id } = filters
  if (method !== undefined && entry.method !== method.toUpperCase()) return false
  if (path !== undefined && !entry.path.includes(path)) return false
  if (code !== undefined && entry.code !== code) return false
  if (shop_id !== undefined && entry.shop_id !== shop_id) return false
  if (status === undefined) return true
  return /^[1-5]xx$/.test(status) ? String(entry.status).startsWith(status.charAt(0)) : String(entry.status) === status
}

/** An entry as it is shown; times on the wall clock. */
export function showRequest(entry: LoggedRequest) {
  const { started, at, request_body, response_body, decided_by, code, shop_id, ...rest } = renderLogged(entry)
  return {
    ...rest,
    at: rfc3339(at),
    code: code ?? null,
    shop_id: shop_id ?? null,
    decided_by: decided_by ?? null,
    request: { body: request_body ?? '' },
    response: { body: response_body ?? '' },
  }
}
