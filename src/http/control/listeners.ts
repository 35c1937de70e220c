// How `psp listen` takes deliveries from any host and reports what became of each.
import * as z from 'zod'
import type { Delivery } from '../../domain/delivery.ts'
import { refuse } from '../../domain/errors.ts'
import { atMost } from '../../domain/text-length.ts'
import { rfc3339 } from '../../domain/time.ts'
import { hasUserInfo, WITHOUT_USER_INFO } from '../../domain/user-info.ts'
import type { World } from '../../engine/world.ts'
import { signatureVersion } from '../named-values.ts'
import type { Services } from '../services.ts'
import { duration, eventNames, flag, omitUndefined, text } from './fields.ts'
import { firstShopId } from './first-shop.ts'
import { deliveryStatus } from './present-delivery.ts'
import { created, noContent, ok, route } from './route.ts'

/** Above what fits into the largest response head that psp reads. */
const MAX_HEADERS = 17_000

export const listenerBody = z.strictObject({
  id: text('an id')
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'up to 64 letters, digits, _ and -')
    .optional()
    .meta({ description: 'Of an earlier run, to go on with it.' }),
  shop_id: text('the id of a shop').optional().meta({ description: 'Default: the shop that was there first.' }),
  url: text('where the listener forwards to')
    .min(1, 'at least one character')
    .refine(atMost(2000), 'at most 2000 characters')
    .refine((url) => /^\P{Cc}*$/u.test(url), 'no control characters')
    .meta({ maxLength: 2000, pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$' })
    .refine((url) => !hasUserInfo(url), WITHOUT_USER_INFO)
    .meta({ description: 'Where it forwards to; shown, not called.' }),
  events: eventNames.default([]).meta({ description: 'Exact names; an empty list: all.' }),
  signature: signatureVersion.default('v2'),
  backfill: duration.optional().meta({ description: 'Also events of the last `10m` that it has not had.' }),
})

export const resultBody = z.strictObject({
  delivery_id: text('the id of the delivery').meta({ description: 'Which delivery.' }),
  attempt: z
    .int({ error: 'the number of the attempt' })
    .min(1, 'the number of the attempt')
    .optional()
    .meta({ description: 'Which attempt.' }),
  generation: z
    .int({ error: 'the generation of the delivery' })
    .min(0, 'the generation of the delivery')
    .optional()
    .meta({ description: 'As in the delivery. A result of an earlier state is not taken.' }),
  status: z
    .int({ error: 'an HTTP status' })
    .min(100, 'an HTTP status')
    .max(999, 'an HTTP status')
    .optional()
    .meta({ description: "Of the receiver's answer; absent: none came." }),
  error: text('why there is no whole answer')
    .refine(atMost(2000), 'at most 2000 characters')
    .meta({ maxLength: 2000 })
    .optional()
    .meta({ description: 'Why there is no whole answer.' }),
  ms: z.number({ error: 'milliseconds' }).min(0, 'milliseconds').meta({ description: 'How long it took, in ms.' }),
  response_headers: z
    .array(z.tuple([text('a name'), text('a value')]), { error: 'a list of [name, value]' })
    .max(MAX_HEADERS, `at most ${MAX_HEADERS} headers`)
    .optional()
    .meta({ description: "The receiver's, as `[name, value]`." }),
  response_body: text('a text').optional().meta({ description: "The receiver's words." }),
  response_body_b64: text('base64').optional().meta({ description: 'Instead, where they are not UTF-8.' }),
  response_truncated: flag.optional().meta({ description: 'They are cut.' }),
  response_note: text('a text')
    .refine(atMost(2000), 'at most 2000 characters')
    .meta({ maxLength: 2000 })
    .optional()
    .meta({ description: 'Why the body is reported as received, such as an encoding that could not be undone.' }),
})

export const listeners = [
  route({
    name: 'openListener',
    method: 'POST',
    path: '/listeners',
    summary: 'Open a listener',
    description: 'Opens a listener, or continues the one with this id.',
    body: listenerBody,
    responses: { 201: 'Listener' },
    links: { streamDeliveries: '/id', closeListener: '/id' },
    errors: ['bad_request', 'not_found', 'not_allowed'],
    run({ services, world, body }) {
      const { shop_id = firstShopId(world), ...wanted } = body
      const listener = services.engine.execute('open_listener', { ...omitUndefined(wanted), shop_id })
      const { id, url, events, signature } = listener
      const secret = listener.secret ?? world.get('shops', listener.shop_id)?.webhook_secret
      const connected = services.listeners.connected(id)
      return created({ id, secret, shop_id: listener.shop_id, url, events, signature, connected })
    },
  }),
  route({
    name: 'streamDeliveries',
    method: 'GET',
    path: '/listeners/:id/stream',
    summary: 'Open the stream of a listener',
    description:
      'Sends the deliveries of a listener. A second connection replaces the first, which gets a last event `replaced`. After a reset, restore or import comes an event `reset`: drop what was not forwarded yet.',
    query: z.strictObject({
      timeout: duration.optional().meta({ description: 'How long the listener gives its receivers.' }),
    }),
    responses: { 200: 'stream' },
    message: 'ListenerMessage',
    errors: ['bad_request', 'not_found'],
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
    description: 'Reports the response of a receiver. It becomes the result of the attempt.',
    body: resultBody,
    waits: true,
    responses: { 200: 'AttemptResult' },
    errors: ['bad_request', 'not_found'],
    async run({ services, world, body, param }) {
      requireListener(world, param('id'))
      services.listeners.result(param('id'), omitUndefined(body))
      const delivery = await afterAttempt(services, body.delivery_id, body.attempt)
      const next = delivery?.next_attempt_at
      return ok({
        status: delivery === undefined ? 'cancelled' : deliveryStatus(services, delivery),
        next_attempt_at: next === undefined ? null : rfc3339(next),
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
    errors: ['not_found'],
    run({ services, world, param }) {
      requireListener(world, param('id'))
      services.engine.execute('delete_endpoint', { endpoint_id: param('id') })
      return noContent
    },
  }),
]

/** A result of a further copy (fault `duplicate`) comes when the attempt is recorded already: nothing to wait for. */
async function afterAttempt(
  { dispatcher, engine: { world } }: Services,
  id: string,
  attempt: number | undefined,
): Promise<Delivery | undefined> {
  const delivery = world.get('deliveries', id)
  const recorded = attempt !== undefined && attempt <= (delivery?.attempts.length ?? 0)
  return delivery !== undefined && !recorded && dispatcher.inFlight(id) ? dispatcher.attempted(id) : delivery
}

function requireListener(world: World, id: string): void {
  if (world.get('endpoints', id)?.listener !== true) throw unknownListenerError(id)
}

function unknownListenerError(id: string) {
  return refuse('not_found', `There is no listener ${id.slice(0, 64)}. POST /_psp/listeners opens one.`)
}
