// The routes about the server itself: its health, its counts, its stream and its OpenAPI document.
import * as z from 'zod'
import { parseDuration, rfc3339 } from '../../domain/time.ts'
import { API_VERSION } from '../../domain/version.ts'
import { TABLE_NAMES } from '../../engine/tables.ts'
import type { World } from '../../engine/world.ts'
import { header } from '../app-env.ts'
import type { Services } from '../services.ts'
import { text } from './fields.ts'
import { type ControlResponse, type ControlRoute, ok, route } from './route.ts'

export const healthRoutes = [
  route({
    name: 'getHealth',
    method: 'GET',
    path: '/health',
    summary: 'Get the health of the server',
    description:
      'Shows liveness and readiness. The status is 200 after the store is open and the seed is loaded, and 503 while changes cannot be stored. The response contains only `status` if the token is missing, or if the control API is off.',
    responses: { 200: 'Health', 503: 'Health' },
    anonymous: ({ services }) => healthResponse(services, {}),
    run: ({ services, role }) => healthResponse(services, { ...details(services), access: role }),
  }),
]

function healthResponse({ store }: Services, rest: object): ControlResponse {
  const failing = store.readOnlyReason() !== undefined
  return { status: failing ? 503 : 200, body: { status: failing ? 'failing' : 'ok', ...rest } }
}

function details({ version, pspCommand = 'psp', timeline, control, controlHub, streams, store }: Services) {
  const refusal = store.readOnlyReason()
  return {
    store: refusal === undefined ? 'ok' : 'refuses_changes',
    version,
    command: pspCommand,
    api_version: API_VERSION,
    now: rfc3339(timeline.now()),
    clock: timeline.clock().mode,
    ...(timeline.offset() >= 1000 ? { clock_ahead_ms: timeline.offset() } : {}),
    last_event_id: String(controlHub.newest()),
    event_streams: streams.counts(),
    ...(control.loopback ? control.owner : {}),
    ...(refusal === undefined ? {} : { reason: refusal.message }),
  }
}

export const countRoutes = [
  route({
    name: 'countObjects',
    method: 'GET',
    path: '/counts',
    summary: 'Count the stored objects',
    description: 'Returns how many rows each table of the state has.',
    responses: { 200: 'ObjectCounts' },
    run: ({ world }) => ok(countRows(world)),
  }),
]

export function countRows(world: Pick<World, 'size'>): { readonly [table: string]: number } {
  return Object.fromEntries(TABLE_NAMES.map((name) => [name, world.size(name)]))
}

const INTERVAL = 'a duration such as 250ms or 1s, of at most 10s'
/** The limit is part of the pattern, so that the document of the control API contains it. */
const INTERVAL_PATTERN = /^([0-9]{1,4}ms|10000ms|[0-9]s|10s)$/

export const streamRoutes = [
  route({
    name: 'streamMessages',
    method: 'GET',
    path: '/stream',
    summary: 'Open the stream of all messages',
    description:
      'Sends a message with an id for each change. With `Last-Event-ID`, the stream continues after that message.',
    query: z.strictObject({
      interval: text(INTERVAL)
        .regex(INTERVAL_PATTERN, INTERVAL)
        .transform((value) => Number(parseDuration(value)))
        .optional()
        .meta({
          description:
            'For clients that read many messages. After each message, the server collects messages for this long, at most 10 s, and sends several as one message `batch`. The id of a batch is the id of its last message. Default: each message is sent at once.',
        }),
    }),
    responses: { 200: 'stream' },
    message: 'StreamedMessage',
    run: ({ c, services, query }) => ({
      status: 200,
      stream: services.controlHub.open(header(c, 'last-event-id'), query.interval),
    }),
  }),
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
    run: ({ services, query }) => ok({ items: services.controlHub.messagesAbout(query.object_id) }),
  }),
]

/** @param routes a function, because the list contains the route that is created here */
export function openapiRoutes(routes: () => readonly ControlRoute[]) {
  return [
    route({
      name: 'getOpenApi',
      method: 'GET',
      path: '/openapi.json',
      summary: 'Get this document',
      description: 'Returns the OpenAPI document of the control API.',
      responses: { 200: 'OpenApiDocument' },
      async run() {
        // Loaded on demand, because no other request needs its schemas.
        const { controlDocument } = await import('./document.ts')
        return ok(controlDocument(routes()))
      },
    }),
  ]
}
