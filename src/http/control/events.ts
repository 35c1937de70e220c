import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { parseDuration, parseInstant } from '../../domain/time.ts'
import { equal, PAGE_QUERY, page } from './page.ts'
import { showDelivery, showEvent } from './present.ts'
import { created, ok, route, text } from './route.ts'
import { given } from './shops.ts'

const filter = z.string().optional()

export const events = [
  route({
    method: 'GET',
    path: '/events',
    summary: 'Webhook events, newest first; `since` is a time or a duration back from now',
    query: z.object({ ...PAGE_QUERY, event: filter, object_id: filter, shop_id: filter, since: filter }),
    refuses: ['bad_request'],
    run({ services, world, query: { limit, cursor, since, ...filters } }) {
      const from = since === undefined ? undefined : sinceTime(since, services.timeline.now())
      const wanted = (row: { created_at: number }) =>
        (from === undefined || row.created_at >= from) && equal(row, filters)
      return ok(page(world.rows('events', 'newest'), { limit, cursor }, wanted, showEvent))
    },
  }),
  route({
    method: 'GET',
    path: '/events/:id',
    summary: 'One webhook event',
    refuses: ['not_found'],
    run({ world, param }) {
      const event = world.get('events', param('id'))
      if (event === undefined) throw refuse('not_found', `There is no event ${param('id').slice(0, 64)}.`)
      return ok(showEvent(event))
    },
  }),
  route({
    method: 'POST',
    path: '/events/:id/replay',
    summary: 'Sends an event again: same id and body bytes, fresh signature; answers when the attempts are over',
    body: z.object({
      endpoint_id: text('the id of an endpoint').optional(),
      url: text('an http or https url').refine(isHttp, 'an http or https url').optional(),
      same_timestamp: z.boolean({ error: 'true or false' }).optional(),
    }),
    bodyOptional: true,
    refuses: ['not_found', 'not_allowed', 'bad_request'],
    async run({ services, body, param }) {
      const made = services.engine.execute('replay_event', { event_id: param('id'), ...given(body) })
      const done = await Promise.all(made.map(({ id }) => services.courier.attempted(id)))
      return created({ items: done.flatMap((row) => (row === undefined ? [] : [showDelivery(services, row)])) })
    },
  }),
]

function sinceTime(text: string, now: number): number {
  const back = parseDuration(text)
  const time = back === undefined ? parseInstant(text) : now - back
  if (time !== undefined) return time
  throw refuse(
    'bad_request',
    `since: expected a time or a duration such as 10m, got ${JSON.stringify(text.slice(0, 60))}.`,
  )
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
