import * as z from 'zod'
import { quoteText } from '../../domain/characters.ts'
import { MAX_EDITED_BODY } from '../../domain/delivery.ts'
import { refuse } from '../../domain/errors.ts'
import { presentEvent, WEBHOOK_EVENTS } from '../../domain/events.ts'
import { matches } from '../../domain/faults.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { globPattern, SINCE_PATTERN } from '../../domain/text-patterns.ts'
import { parseDuration, parseInstant } from '../../domain/time.ts'
import { requireRow } from '../../engine/require-row.ts'
import { httpUrl } from '../value-schemas.ts'
import { flag, text } from './fields.ts'
import { idPrefix, matchesFilters, PAGE_QUERY, tablePage } from './pagination.ts'
import { showDelivery } from './present-delivery.ts'
import { created, ok, route } from './route.ts'

const EDITED = `a string of 1 to ${MAX_EDITED_BODY} characters without lone surrogates`
const editedBody = text(EDITED)
  .min(1, EDITED)
  .max(MAX_EDITED_BODY, EDITED)
  .refine((body) => !/\p{Surrogate}/u.test(body), EDITED)

const NOT_BOTH = 'endpoint_id or url, not both'

export const eventRoutes = [
  route({
    name: 'listEvents',
    method: 'GET',
    path: '/events',
    summary: 'List webhook events',
    description: 'Returns webhook events, the newest first.',
    query: z.strictObject({
      ...PAGE_QUERY,
      event: z
        .string()
        .optional()
        .meta({
          pattern: globPattern(WEBHOOK_EVENTS),
          description: 'A name, in which `*` matches any text: `payment.*`.',
        }),
      object_id: z.string().optional().meta({ description: 'Events about this payment or payout.' }),
      shop_id: z.string().optional().meta({ description: 'Events of this shop.' }),
      id: idPrefix(/^evt_[0-9A-Za-z_-]{0,60}$/),
      since: z
        .string()
        .optional()
        .meta({ pattern: SINCE_PATTERN, description: 'A time, or a duration before now such as `10m`.' }),
    }),
    responses: { 200: 'WebhookEventPage' },
    async run(call) {
      const { limit, cursor, since, event, ...filters } = call.query
      const from = sinceTime(since, call.services.timeline.now())
      const name = eventPattern(event)
      const wanted = matchesFilters(filters)
      return tablePage(
        call,
        'events',
        { limit, cursor },
        (row) => row.created_at >= from && matches(name, { event: row.event }) && wanted(row),
        presentEvent,
        filters.object_id === undefined
          ? undefined
          : call.world.find('events', 'by_object', filters.object_id).toReversed(),
      )
    },
  }),
  route({
    name: 'getEvent',
    method: 'GET',
    path: '/events/:id',
    summary: 'Get a webhook event',
    description: 'Returns a webhook event with the object at the time of the event.',
    responses: { 200: 'WebhookEvent' },
    run: ({ world, param }) => ok(presentEvent(requireRow(world, 'events', param('id')))),
  }),
  route({
    name: 'replayEvent',
    method: 'POST',
    path: '/events/:id/replay',
    summary: 'Replay a webhook event',
    description:
      'Sends an event again with the same id and body, and a new signature. The event itself never changes. Responds when the attempts are over.',
    body: z
      .strictObject({
        endpoint_id: text('the id of an endpoint of the shop').optional().meta({
          description: 'Sends the event to this endpoint only. Default: to all endpoints that subscribe to the event.',
        }),
        url: httpUrl
          .optional()
          .meta({ description: 'Sends the event to this URL, signed like a webhook to a `webhook_url`.' }),
        body: editedBody.optional().meta({
          description: 'Sends this text instead of the body of the event. The deliveries are marked `edited`.',
        }),
        same_timestamp: flag
          .optional()
          .meta({ description: 'True: signs with the time at which the event was first signed.' }),
      })
      .refine(({ endpoint_id, url }) => endpoint_id === undefined || url === undefined, NOT_BOTH)
      .meta({ dependentSchemas: { endpoint_id: { properties: { url: { not: {} } } } } }),
    bodyOptional: true,
    isLongChange: true,
    responses: { 201: 'DeliveryList' },
    errors: ['not_allowed'],
    async run({ services, body, param }) {
      const made = services.engine.execute('replay_event', { event_id: param('id'), ...omitUndefined(body) })
      const over = await Promise.all(made.map(({ id }) => services.dispatcher.waitForAttempt(id)))
      return created({ items: over.map((delivery) => showDelivery(services, delivery)) })
    },
  }),
]

function sinceTime(text: string | undefined, now: number): number {
  if (text === undefined) return Number.NEGATIVE_INFINITY
  const back = parseDuration(text)
  const time = back === undefined ? parseInstant(text) : now - back
  if (time !== undefined) return time
  const shown = quoteText(text)
  throw refuse(
    'bad_request',
    `since: expected a time such as 2026-05-06T12:00:00Z or a duration such as 10m of at most 36500d, got ${shown}.`,
  )
}

function eventPattern(event: string | undefined): { readonly event?: string } {
  if (event === undefined) return {}
  if (WEBHOOK_EVENTS.some((name) => matches({ event }, { event: name }))) return { event }
  const shown = quoteText(event)
  throw refuse(
    'bad_request',
    `event: there is no ${shown}. Events are ${WEBHOOK_EVENTS.join(', ')}; * matches any text.`,
  )
}
