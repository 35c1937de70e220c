import { header } from '../app-env.ts'
import { route } from './route.ts'

export const stream = [
  route({
    method: 'GET',
    path: '/stream',
    summary: 'Everything that happens, as server-sent events with ids; Last-Event-ID goes on where a reader stopped',
    answers: { 200: 'stream' },
    run: ({ c, services }) => ({ status: 200, stream: services.control_hub.open(header(c, 'last-event-id')) }),
  }),
]
