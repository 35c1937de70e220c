// Routes for `psp listen`, which receives deliveries on any machine and reports their results.
import * as z from 'zod'
import { atMost } from '../../domain/characters.ts'
import type { Delivery } from '../../domain/delivery.ts'
import { refuse } from '../../domain/errors.ts'
import { hasUserInfo, WITHOUT_USER_INFO } from '../../domain/http-url.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import type { Endpoint } from '../../domain/shop.ts'
import { rfc3339 } from '../../domain/time.ts'
import type { World } from '../../engine/world.ts'
import type { Services } from '../services.ts'
import { signatureVersion } from '../value-schemas.ts'
import { duration, eventNames, flag, text } from './fields.ts'
import { PAGE_QUERY, tablePage } from './pagination.ts'
import { timeOrNull } from './present.ts'
import { deliveryStatus } from './present-delivery.ts'
import { created, noContent, ok, route } from './route.ts'
import { firstShopId } from './shops.ts'

/** More headers than fit in the largest response head that psp reads. */
const MAX_HEADERS = 17_000

export const listenerBody = z.strictObject({
  id: text('an id')
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'up to 64 letters, digits, _ and -')
    .optional()
    .meta({ description: 'The id of an earlier listener, to continue it.' }),
  shop_id: text('the id of a shop').optional().meta({ description: 'Default: the oldest shop.' }),
  url: text('the address to which the listener forwards')
    .min(1, 'at least one character')
    .refine(atMost(2000), 'at most 2000 characters')
    .refine((url) => /^\P{Cc}*$/u.test(url), 'no control characters')
    .meta({ maxLength: 2000, pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$' })
    .refine((url) => !hasUserInfo(url), WITHOUT_USER_INFO)
    .meta({
      description: 'The address to which the listener forwards. The server shows this address and never calls it.',
    }),
  events: eventNames.default([]).meta({ description: 'Exact names of events. Empty: all events.' }),
  signature: signatureVersion.default('v2'),
  backfill: duration.optional().meta({
    description: 'Also sends the events of a period before now, such as `10m`, that the listener has not received.',
  }),
})

export const resultBody = z.strictObject({
  delivery_id: text('the id of the delivery').meta({ description: 'The id of the delivery.' }),
  attempt: z
    .int({ error: 'the number of the attempt' })
    .min(1, 'the number of the attempt')
    .optional()
    .meta({ description: 'The number of the attempt.' }),
  generation: z
    .int({ error: 'the generation of the delivery' })
    .min(0, 'the generation of the delivery')
    .optional()
    .meta({
      description: 'The `generation` of the delivery. A result for an earlier state of the sandbox is ignored.',
    }),
  status: z
    .int({ error: 'an HTTP status' })
    .min(100, 'an HTTP status')
    .max(999, 'an HTTP status')
    .optional()
    .meta({ description: "The HTTP status of the receiver's response. Absent: there was no response." }),
  error: text('why there is no complete response')
    .refine(atMost(2000), 'at most 2000 characters')
    .meta({ maxLength: 2000 })
    .optional()
    .meta({ description: 'Why there is no complete response.' }),
  ms: z
    .number({ error: 'milliseconds' })
    .min(0, 'milliseconds')
    .meta({ description: 'How long the response took, in ms.' }),
  response_headers: z
    .array(z.tuple([text('a name'), text('a value')]), { error: 'a list of [name, value]' })
    .max(MAX_HEADERS, `at most ${MAX_HEADERS} headers`)
    .optional()
    .meta({ description: 'The headers of the response, as `[name, value]`.' }),
  response_body: text('a string').optional().meta({ description: 'The body of the response, if it is UTF-8.' }),
  response_body_b64: text('base64').optional().meta({ description: 'The body in base64, if it is not UTF-8.' }),
  response_truncated: flag.optional().meta({ description: 'True: the body is shortened.' }),
  response_note: text('a string')
    .refine(atMost(2000), 'at most 2000 characters')
    .meta({ maxLength: 2000 })
    .optional()
    .meta({ description: 'Why the body could not be decoded, or is missing.' }),
})

export const listenerRoutes = [
  route({
    name: 'listListeners',
    method: 'GET',
    path: '/listeners',
    summary: 'List listeners',
    description:
      'Returns the listeners, such as `psp listen`, the newest first. Listeners that are not connected are included.',
    query: z.strictObject(PAGE_QUERY),
    responses: { 200: 'ListenerPage' },
    run: (call) =>
      tablePage(
        call,
        'endpoints',
        call.query,
        ({ listener }) => listener === true,
        (row) => showListener(call.services, row),
      ),
  }),
  route({
    name: 'openListener',
    method: 'POST',
    path: '/listeners',
    summary: 'Open a listener',
    description: 'Opens a listener, or continues the listener with this id.',
    body: listenerBody,
    responses: { 201: 'Listener' },
    links: { streamDeliveries: '/id', closeListener: '/id' },
    errors: ['not_allowed'],
    run({ services, world, body }) {
      const { shop_id = firstShopId(world), ...wanted } = body
      const listener = services.engine.execute('open_listener', { ...omitUndefined(wanted), shop_id })
      const { id, url, events, signature } = listener
      const secret = listener.secret ?? world.get('shops', listener.shop_id)?.webhook_secret
      const connected = services.listeners.isConnected(id)
      return created({ id, secret, shop_id: listener.shop_id, url, events, signature, connected })
    },
  }),
  route({
    name: 'streamDeliveries',
    method: 'GET',
    path: '/listeners/:id/stream',
    summary: 'Open the stream of a listener',
    description:
      'Sends the deliveries of a listener. A second connection replaces the first, which gets a last event `replaced`. After a reset, restore or import, the stream sends an event `reset`: the client must then drop the deliveries that it has not forwarded yet.',
    query: z.strictObject({
      timeout: duration.optional().meta({ description: 'How long the receivers of the listener may take to respond.' }),
    }),
    responses: { 200: 'stream' },
    message: 'ListenerMessage',
    ownerOnly: true,
    run({ services, query, param }) {
      const stream = services.listeners.open(param('id'), query.timeout)
      if (stream === undefined) throw unknownListenerError(param('id'))
      return { status: 200, stream }
    },
  }),
  route({
    name: 'reportResult',
    method: 'POST',
    path: '/listeners/:id/results',
    summary: 'Report the result of a delivery',
    description: 'Reports the response of a receiver. The response becomes the result of the attempt.',
    body: resultBody,
    isLongChange: true,
    responses: { 200: 'AttemptResult' },
    async run({ services, world, body, param }) {
      requireListener(world, param('id'))
      services.listeners.reportResult(param('id'), omitUndefined(body))
      const delivery = await afterAttempt(services, body.delivery_id, body.attempt)
      return ok({
        status: delivery === undefined ? 'cancelled' : deliveryStatus(services, delivery),
        next_attempt_at: timeOrNull(delivery?.next_attempt_at),
      })
    },
  }),
  route({
    name: 'closeListener',
    method: 'DELETE',
    path: '/listeners/:id',
    summary: 'Close a listener',
    description: 'Closes a listener and cancels the deliveries that wait for it.',
    responses: { 204: 'nothing' },
    run({ services, world, param }) {
      requireListener(world, param('id'))
      services.engine.execute('delete_endpoint', { endpoint_id: param('id') })
      return noContent
    },
  }),
]

function showListener({ listeners: hub }: Services, { id, shop_id, url, events, signature, created_at }: Endpoint) {
  const { connected_at, forwarded_at } = hub.activity(id)
  return {
    ...{ id, shop_id, url, events, signature, created_at: rfc3339(created_at) },
    connected_at: timeOrNull(connected_at),
    forwarded_at: timeOrNull(forwarded_at),
  }
}

/** Waits until the attempt is recorded. It already is if the result is that of a copy (fault `duplicate`). */
async function afterAttempt(
  { dispatcher, engine: { world } }: Services,
  id: string,
  attempt: number | undefined,
): Promise<Delivery | undefined> {
  const delivery = world.get('deliveries', id)
  const recorded = attempt !== undefined && attempt <= (delivery?.attempts.length ?? 0)
  return delivery !== undefined && !recorded && dispatcher.isInFlight(id) ? dispatcher.waitForAttempt(id) : delivery
}

function requireListener(world: World, id: string): void {
  if (world.get('endpoints', id)?.listener !== true) throw unknownListenerError(id)
}

function unknownListenerError(id: string) {
  return refuse('not_found', `There is no listener ${id.slice(0, 64)}. Open one with POST /_psp/listeners.`)
}
