// How `psp listen` takes deliveries from any host and reports what became of each.
import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { parseDuration, rfc3339 } from '../../domain/time.ts'
import type { World } from '../../engine/world.ts'
import { changed, created, gone, ok, oneOf, route, text } from './route.ts'
import { given } from './shops.ts'

const EVENTS = `names of ${WEBHOOK_EVENTS.join(', ')}`
const DURATION = 'a duration such as 5m'
const duration = text(DURATION).transform((value, ctx) => {
  const ms = parseDuration(value)
  if (ms !== undefined) return ms
  ctx.addIssue({ code: 'custom', message: DURATION })
  return z.NEVER
})
const headers = z.array(z.tuple([z.string(), z.string()]), { error: 'a list of [name, value]' })

export const listeners = [
  route({
    method: 'POST',
    path: '/listeners',
    summary: 'Opens a listener, or goes on with the one of this id',
    body: z.object({
      id: text('an id')
        .regex(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, _ and -')
        .optional(),
      shop_id: text('the id of a shop').optional(),
      url: text('where the listener forwards to').max(2000, 'at most 2000 characters'),
      events: z.array(z.enum(WEBHOOK_EVENTS, { error: EVENTS }), { error: EVENTS }).default([]),
      signature: oneOf('v1', 'v2').default('v2'),
      backfill: duration.optional(),
    }),
    refuses: ['bad_request', 'not_found'],
    run({ services, world, body }) {
      const shop_id = body.shop_id ?? firstShop(world)
      const listener = services.engine.execute('open_listener', { ...given(body), shop_id })
      const { id, url, events, signature } = listener
      const secret = world.get('shops', listener.shop_id)?.webhook_secret
      return changed(services, created({ id, secret, shop_id: listener.shop_id, url, events, signature }))
    },
  }),
  route({
    method: 'GET',
    path: '/listeners/:id/stream',
    summary: 'The deliveries of a listener, as server-sent events `delivery`',
    query: z.object({ timeout: duration.optional() }),
    refuses: ['not_found'],
    run({ services, query, param }) {
      const stream = services.listeners.open(param('id'), query.timeout)
      if (stream === undefined)
        throw refuse('not_found', 'There is no such listener: open one with POST /_psp/listeners.')
      return { status: 200, stream }
    },
  }),
  route({
    method: 'POST',
    path: '/listeners/:id/results',
    summary: "Reports a receiver's answer; it counts as the delivery's result",
    body: z.object({
      delivery_id: text('the id of the delivery'),
      attempt: z.number({ error: 'the number of the attempt' }).optional(),
      status: z
        .number({ error: 'an HTTP status' })
        .int('an HTTP status')
        .min(100, 'an HTTP status')
        .max(999)
        .optional(),
      error: text('why no answer came').max(2000, 'at most 2000 characters').optional(),
      ms: z.number({ error: 'milliseconds' }).min(0, 'milliseconds'),
      response_headers: headers.optional(),
      response_body: text('a text').optional(),
      response_body_b64: text('base64').optional(),
      response_truncated: z.boolean({ error: 'true or false' }).optional(),
    }),
    refuses: ['not_found'],
    async run({ services, world, body: { attempt, ...result }, param }) {
      services.listeners.result(param('id'), given(result))
      await services.courier.attempted(result.delivery_id)
      const delivery = world.get('deliveries', result.delivery_id)
      const next = delivery?.next_attempt_at
      return ok({
        status: delivery?.status ?? 'cancelled',
        next_attempt_at: next === undefined ? null : rfc3339(next),
      })
    },
  }),
  route({
    method: 'DELETE',
    path: '/listeners/:id',
    summary: 'Ends a listener; what waits for it is cancelled',
    refuses: ['not_found'],
    run({ services, world, param }) {
      if (world.get('endpoints', param('id'))?.listener !== true)
        throw refuse('not_found', 'There is no such listener.')
      services.engine.execute('delete_endpoint', { endpoint_id: param('id') })
      return changed(services, gone)
    },
  }),
]

function firstShop(world: World): string {
  for (const { id } of world.rows('shops')) return id
  throw refuse('not_found', 'There is no shop to listen to.')
}
