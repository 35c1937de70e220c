import * as z from 'zod'
import { matches } from '../../domain/faults.ts'
import { rfc3339 } from '../../domain/time.ts'
import { type LoggedRequest, presentLogged, presentWithoutBodies } from '../request-log.ts'
import { listPage, PAGE_QUERY } from './pagination.ts'
import { route } from './route.ts'

const STATUS = /^[1-5]([xX]{2}|[0-9]{2})$/
const filter = z.string().optional()

export const requestRoutes = [
  route({
    name: 'listRequests',
    method: 'GET',
    path: '/requests',
    summary: 'List requests',
    description: 'Returns the request log of the public API, the newest first. Secrets are masked.',
    query: z.strictObject({
      ...PAGE_QUERY,
      method: filter.meta({ description: '`GET` or `POST`.' }),
      path: filter.meta({ description: 'A part of the path, or a pattern with `*`.' }),
      status: z
        .string()
        .regex(STATUS, 'an HTTP status such as 404, or a class such as 4xx')
        .optional()
        .meta({ description: 'A status, or a class such as `4xx`.' }),
      code: filter.meta({ description: 'The code of the error.' }),
      shop_id: filter.meta({ description: 'Requests of this shop.' }),
      object_id: filter.meta({ description: 'Requests about this payment or payout.' }),
    }),
    responses: { 200: 'LoggedRequestPage' },
    run({ services, query: { limit, cursor, ...filters } }) {
      const wanted = filterOf(filters)
      const entries = services.requestLog.entries().filter(wanted)
      return listPage(entries, { limit, cursor }, showRequest, ({ id }) => id)
    },
  }),
]

function showRequest(entry: LoggedRequest) {
  return show(presentLogged(entry))
}

/** Returns a request without bodies for the stream, which keeps more messages than the log keeps bodies. */
export function showRequestWithoutBodies(entry: LoggedRequest) {
  return show(presentWithoutBodies(entry))
}

function show({ started, at, sandbox_at, request_body, response_body, ...shown }: LoggedRequest) {
  return {
    ...shown,
    at: rfc3339(at),
    sandbox_at: rfc3339(sandbox_at),
    code: shown.code ?? null,
    shop_id: shown.shop_id ?? null,
    decided_by: shown.decided_by ?? null,
    request: { body: request_body ?? null },
    response: { body: response_body ?? null },
  }
}

function filterOf(filters: { readonly [field: string]: string | undefined }): (entry: LoggedRequest) => boolean {
  const { path, status, method, ...exact } = filters
  const pattern = path?.includes('*') ? path : `*${path}*`
  return (entry) =>
    (path === undefined || matches({ path: pattern }, { path: entry.path })) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (status === undefined || sameStatus(status.toLowerCase(), String(entry.status))) &&
    Object.entries(exact).every(
      ([field, value]) => value === undefined || entry[field as 'code' | 'shop_id' | 'object_id'] === value,
    )
}

function sameStatus(wanted: string, status: string): boolean {
  return wanted.endsWith('xx') ? status.charAt(0) === wanted.charAt(0) : status === wanted
}
