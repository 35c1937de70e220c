import type { AppContext } from './app-env.ts'
import type { LoggedRequest } from './request-log.ts'
import type { Services } from './services.ts'

/** Begins the log's entry of a request; `send` completes it. */
export function openEntry(c: AppContext, services: Services): LoggedRequest {
  const entry: LoggedRequest = {
    id: services.requestLog.nextId(),
    at: services.wall.now(),
    started: services.wall.monotonic(),
    method: c.req.method,
    path: pathAndQuery(c),
    warnings: [],
  }
  c.set('entry', entry)
  return entry
}

function pathAndQuery(c: AppContext): string {
  const { url } = c.req
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start < 0 ? c.req.path : url.slice(start)
}
