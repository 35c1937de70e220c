import type { Exchange } from './app-env.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'
import type { Services } from './services.ts'

/** Creates the log entry of a request. `log` in `respond.ts` completes the entry. */
export function openEntry(c: Exchange, services: Services): LoggedRequest {
  const entry = services.requestLog.begin(startOf(c, services))
  c.set('entry', entry)
  return entry
}

/** Returns an entry that is never added to the log, for a dry run. */
export function unloggedEntry(c: Exchange, services: Services): LoggedRequest {
  return { ...startOf(c, services), id: 0, warnings: [] }
}

function startOf(c: Exchange, services: Services): Parameters<RequestLog['begin']>[0] {
  const { incoming } = c.env ?? {}
  return {
    at: services.systemClock.now(),
    sandbox_at: services.timeline.now(),
    started: services.systemClock.monotonic(),
    method: incoming?.method ?? c.req.method,
    path: incoming?.url ?? pathAndQuery(c.req.url),
  }
}

function pathAndQuery(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start < 0 ? '/' : url.slice(start)
}
