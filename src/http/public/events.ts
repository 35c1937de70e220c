// Spec 4.8 and 6.2: GET /v1/public/events.
import { STREAM_HEADERS } from '../respond.ts'
import { operation } from './operation.ts'

export const events = operation({
  name: 'events',
  method: 'GET',
  path: '/events',
  streams: true,
  errors: ['stream_busy'],
  run({ services, key, method }) {
    // A HEAD request has no body and must not replace the only stream of the key.
    if (method === 'HEAD') return { status: 200, body: null, headers: STREAM_HEADERS }
    const stream = services.streams.open({ key_id: key.id, shop_id: key.shop_id, mode: key.mode })
    return { status: 200, body: null, headers: STREAM_HEADERS, stream }
  },
})
