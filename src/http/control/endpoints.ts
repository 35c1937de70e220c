import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { PAGE_QUERY, page } from './page.ts'
import { showDelivery, showEndpoint } from './present.ts'
import { changed, created, gone, ok, route } from './route.ts'
import { endpointBody, given, withSecret } from './shops.ts'

export const endpoints = [
  route({
    method: 'GET',
    path: '/shops/:id/endpoints',
    summary: "A shop's webhook endpoints, newest first",
    query: z.object(PAGE_QUERY),
    run({ world, query, param }) {
      const rows = [...world.find('endpoints', 'by_shop', param('id').toLowerCase())].reverse()
      return ok(page(rows, query, ({ listener }) => listener !== true, showEndpoint))
    },
  }),
  route({
    method: 'POST',
    path: '/shops/:id/endpoints',
    summary: 'A new endpoint with a secret of its own, shown once',
    body: endpointBody,
    refuses: ['not_found', 'bad_request'],
    run({ services, body, param }) {
      const input = given(body)
      const endpoint = services.engine.execute('create_endpoint', { shop_id: param('id'), input })
      return changed(services, created(withSecret(endpoint)))
    },
  }),
  route({
    method: 'PATCH',
    path: '/endpoints/:id',
    summary: 'Changes an endpoint',
    body: endpointBody.partial().extend({ active: z.boolean({ error: 'true or false' }).optional() }),
    refuses: ['not_found', 'bad_request'],
    run({ services, body, param }) {
      const change = given(body)
      const endpoint = services.engine.execute('update_endpoint', { endpoint_id: param('id'), change })
      return changed(services, ok(showEndpoint(endpoint)))
    },
  }),
  route({
    method: 'DELETE',
    path: '/endpoints/:id',
    summary: 'Deletes an endpoint; what waits for it is cancelled',
    refuses: ['not_found'],
    run({ services, param }) {
      services.engine.execute('delete_endpoint', { endpoint_id: param('id') })
      return changed(services, gone)
    },
  }),
  route({
    method: 'POST',
    path: '/endpoints/:id/rotate-secret',
    summary: 'A new secret, shown once; the old one is invalid at once',
    refuses: ['not_found'],
    run({ services, param }) {
      const endpoint = services.engine.execute('rotate_endpoint_secret', { endpoint_id: param('id') })
      return changed(services, ok(withSecret(endpoint)))
    },
  }),
  route({
    method: 'POST',
    path: '/endpoints/:id/test',
    summary: 'Sends a signed sample payment.succeeded, and answers when the attempt is over',
    refuses: ['not_found'],
    async run({ services, world, param }) {
      const { id } = services.engine.execute('test_endpoint', { endpoint_id: param('id') })
      await services.courier.attempted(id)
      const delivery = world.get('deliveries', id)
      if (delivery === undefined) throw refuse('not_found', 'The delivery went away with a reset.')
      return created(showDelivery(services, delivery))
    },
  }),
]
