import type { Exchange } from './app-env.ts'
import type { LoggedRequest } from './request-log.ts'
import type { Services } from './services.ts'

/** Begins the log's entry of a request; `send` completes it. */
export function openEntry(c: Exchange, services: Services): LoggedRequest {
  const { incoming } = c.env ?? {}
  const entry = services.requestLog.begin({
    at: services.systemClock.now(),
    sandbox_at: services.timeline.now(),
    started: services.systemClock.monotonic(),
    method: incoming?.method ?? c.req.method,
    path: incoming?.url ?? pathAndQuery(c.req.url),
  })
  c.set('entry', entry)
  return entry
}

function pathAndQuery(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start < 0 ? '/' : url.slice(start)
}
