import { header } from '../app-env.ts'
import { route } from './route.ts'

export const stream = [
  route({
    name: 'streamMessages',
    method: 'GET',
    path: '/stream',
    summary: 'Open the stream of all messages',
    description: 'Sends a message with an id for each change. `Last-Event-ID` continues after that message.',
    responses: { 200: 'stream' },
    message: 'ControlMessage',
    run: ({ c, services }) => ({ status: 200, stream: services.controlHub.open(header(c, 'last-event-id')) }),
  }),
]
