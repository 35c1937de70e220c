import { rfc3339 } from '../../domain/time.ts'
import { API_VERSION } from '../openapi/api-version.ts'
import { ok, route } from './route.ts'

export const health = [
  route({
    method: 'GET',
    path: '/health',
    summary:
      'Liveness and readiness: it answers once the store is open and the seed is in, with 503 while the data folder takes no changes',
    answers: { 200: 'Health', 503: 'Health' },
    run: ({ services: { version, timeline, control, control_hub, streams, store } }) => {
      const refusal = store.refusal()
      const health = {
        status: refusal === undefined ? 'ok' : 'failing',
        store: refusal === undefined ? 'ok' : 'refuses_changes',
        version,
        api_version: API_VERSION,
        now: rfc3339(timeline.now()),
        clock: timeline.clock().mode,
        ...(timeline.ahead() >= 1000 ? { clock_ahead_ms: timeline.ahead() } : {}),
        last_event_id: String(control_hub.newest()),
        event_streams: streams.counts(),
        ...(control.loopback ? control.holder : {}),
      }
      if (refusal === undefined) return ok(health)
      return { status: 503, body: { ...health, reason: refusal.message } }
    },
  }),
]
