// The stored messages of the stream as a list, for a timeline of an object.
import * as z from 'zod'
import { ok, route } from './route.ts'

export const messages = [
  route({
    name: 'listMessages',
    method: 'GET',
    path: '/messages',
    summary: 'List the stored messages about an object',
    description:
      'Returns the messages of GET /_psp/stream about a payment or payout, the oldest first. The server stores the newest 10,000 messages about all objects.',
    query: z.strictObject({
      object_id: z.string().meta({ description: 'Id of the payment or payout.' }),
    }),
    responses: { 200: 'MessageList' },
    errors: ['bad_request'],
    run: ({ services, query }) => ok({ items: services.controlHub.messagesAbout(query.object_id) }),
  }),
]
