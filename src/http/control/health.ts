import { rfc3339 } from '../../domain/time.ts'
import { API_VERSION } from '../openapi/api-version.ts'
import type { Services } from '../services.ts'
import { type ControlResponse, route } from './route.ts'

export const health = [
  route({
    name: 'getHealth',
    method: 'GET',
    path: '/health',
    summary: 'Get the health of the server',
    description:
      'Shows liveness and readiness. The status is 200 after the store is open and the seed is loaded, and 503 while changes cannot be stored. The response contains only `status` if the token is missing, or if the control API is off.',
    responses: { 200: 'Health', 503: 'Health' },
    anonymous: ({ services }) => healthResponse(services, {}),
    run: ({ services }) => healthResponse(services, details(services)),
  }),
]

function healthResponse({ store }: Services, rest: object): ControlResponse {
  const failing = store.readOnlyReason() !== undefined
  return { status: failing ? 503 : 200, body: { status: failing ? 'failing' : 'ok', ...rest } }
}

function details({ version, timeline, control, controlHub: control_hub, streams, store }: Services) {
  const refusal = store.readOnlyReason()
  return {
    store: refusal === undefined ? 'ok' : 'refuses_changes',
    version,
    api_version: API_VERSION,
    now: rfc3339(timeline.now()),
    clock: timeline.clock().mode,
    ...(timeline.offset() >= 1000 ? { clock_ahead_ms: timeline.offset() } : {}),
    last_event_id: String(control_hub.newest()),
    event_streams: streams.counts(),
    ...(control.loopback ? control.owner : {}),
    ...(refusal === undefined ? {} : { reason: refusal.message }),
  }
}
