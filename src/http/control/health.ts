import { rfc3339 } from '../../domain/time.ts'
import { ok, route } from './route.ts'

/** The date label of the interface (spec 9). */
export const API_VERSION = '2026-05-06'

export const health = [
  route({
    method: 'GET',
    path: '/health',
    summary: 'Liveness and readiness: it answers once the store is open and the seed is in',
    run: ({ services }) =>
      ok({
        status: 'ok',
        version: services.version,
        api_version: API_VERSION,
        now: rfc3339(services.timeline.now()),
        clock: services.timeline.clock().mode,
      }),
  }),
]
