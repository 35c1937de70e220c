import { rfc3339 } from '../../domain/time.ts'
import { API_VERSION } from '../openapi/api-version.ts'
import { ok, route } from './route.ts'

export const health = [
  route({
    method: 'GET',
    path: '/health',
    summary: 'Liveness and readiness: it answers once the store is open and the seed is in',
    answers: { 200: 'Health' },
    run: ({ services: { version, timeline, control, control_hub } }) =>
      ok({
        status: 'ok',
        version,
        api_version: API_VERSION,
        now: rfc3339(timeline.now()),
        clock: timeline.clock().mode,
        last_event_id: String(control_hub.newest()),
        ...(control.loopback ? control.holder : {}),
      }),
  }),
]
