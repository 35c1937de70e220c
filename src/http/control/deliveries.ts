import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import type { Services } from '../services.ts'
import { equal, PAGE_QUERY, page } from './page.ts'
import { showDelivery } from './present.ts'
import { ok, route } from './route.ts'

const filter = z.string().optional()

export const deliveries = [
  route({
    method: 'GET',
    path: '/deliveries',
    summary: 'Deliveries with every attempt, newest first',
    query: z.object({
      ...PAGE_QUERY,
      event_id: filter,
      object_id: filter,
      shop_id: filter,
      endpoint_id: filter,
      status: filter,
    }),
    run({ services, world, query: { limit, cursor, status, ...filters } }) {
      const statusOf = (row: { id: string; status: string }) =>
        row.status === 'waiting' && services.courier.inFlight(row.id) ? 'sending' : row.status
      return ok(
        page(
          world.rows('deliveries', 'newest'),
          { limit, cursor },
          (row) => equal(row, filters) && (status === undefined || statusOf(row) === status),
          (row) => showDelivery(services, row),
        ),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/deliveries/:id',
    summary: 'One delivery',
    refuses: ['not_found'],
    run: ({ services, param }) => ok(shown(services, param('id'))),
  }),
  route({
    method: 'POST',
    path: '/deliveries/:id/retry',
    summary: 'One more attempt now; answers when it is over',
    refuses: ['not_found', 'not_allowed'],
    async run({ services, param }) {
      const { id } = services.engine.execute('retry_delivery', { delivery_id: param('id') })
      await services.courier.attempted(id)
      return ok(shown(services, id))
    },
  }),
]

function shown(services: Services, id: string) {
  const delivery = services.engine.world.get('deliveries', id)
  if (delivery === undefined) throw refuse('not_found', `There is no delivery ${id.slice(0, 64)}.`)
  return showDelivery(services, delivery)
}
