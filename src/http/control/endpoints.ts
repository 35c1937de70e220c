import * as z from 'zod'
import { requireShop } from '../../engine/require-shop.ts'
import { eventNames, flag, given, httpUrl, signature } from './fields.ts'
import { CREATED, listPage, PAGE_QUERY } from './page.ts'
import { showEndpoint, showEndpointWithSecret } from './present.ts'
import { showDelivery } from './present-delivery.ts'
import { created, gone, ok, route } from './route.ts'

const endpointBody = z.strictObject({
  url: httpUrl.meta({ format: 'uri', description: 'Where its webhooks go, http or https.' }),
  events: eventNames.optional().meta({ description: 'Exact names; none or an empty list: all.' }),
  signature: signature.optional().meta({ description: 'Form of the signature. Default: v2.' }),
})

export const newEndpointBody = z.strictObject({
  ...endpointBody.shape,
  own_secret: flag
    .optional()
    .meta({ description: "False: it signs with the shop's `webhook_secret`, as `--endpoint` does. Default: true." }),
})

export const endpointChange = z.strictObject({
  ...endpointBody.partial().shape,
  active: flag.optional().meta({ description: 'Whether it gets anything.' }),
})

export const endpoints = [
  route({
    method: 'GET',
    path: '/shops/:id/endpoints',
    summary: "A shop's webhook endpoints, newest first; listeners are none",
    query: z.strictObject(PAGE_QUERY),
    answers: { 200: 'EndpointPage' },
    refuses: ['not_found', 'bad_request'],
    run({ world, query, param }) {
      const { id } = requireShop(world, param('id'))
      const rows = world.find('endpoints', 'by_shop', id).filter(({ listener }) => listener !== true)
      return ok(listPage(rows.toReversed(), query, showEndpoint, CREATED))
    },
  }),
  route({
    method: 'POST',
    path: '/shops/:id/endpoints',
    summary: 'A new endpoint with a secret of its own, shown once',
    body: newEndpointBody,
    answers: { 201: 'EndpointWithSecret' },
    refuses: ['not_found', 'bad_request'],
    run({ services, body, param }) {
      const endpoint = services.engine.execute('create_endpoint', { shop_id: param('id'), input: given(body) })
      return created(showEndpointWithSecret(endpoint))
    },
  }),
  route({
    method: 'PATCH',
    path: '/endpoints/:id',
    summary: 'Changes an endpoint',
    body: endpointChange,
    answers: { 200: 'Endpoint' },
    refuses: ['not_found', 'bad_request'],
    run({ services, body, param }) {
      const endpoint = services.engine.execute('update_endpoint', { endpoint_id: param('id'), change: given(body) })
      return ok(showEndpoint(endpoint))
    },
  }),
  route({
    method: 'DELETE',
    path: '/endpoints/:id',
    summary: 'Deletes an endpoint; what waits for it is cancelled',
    answers: { 204: 'nothing' },
    refuses: ['not_found'],
    run({ services, param }) {
      services.engine.execute('delete_endpoint', { endpoint_id: param('id') })
      return gone
    },
  }),
  route({
    method: 'POST',
    path: '/endpoints/:id/rotate-secret',
    summary: 'A new secret, shown once; the old one is invalid at once',
    answers: { 200: 'EndpointWithSecret' },
    refuses: ['not_found'],
    run({ services, param }) {
      const endpoint = services.engine.execute('rotate_endpoint_secret', { endpoint_id: param('id') })
      return ok(showEndpointWithSecret(endpoint))
    },
  }),
  route({
    method: 'POST',
    path: '/endpoints/:id/test',
    summary: 'Sends a signed sample payment.succeeded with metadata.sample; answers when the attempt is over',
    waits: true,
    answers: { 201: 'Delivery' },
    refuses: ['not_found'],
    async run({ services, param }) {
      const { id } = services.engine.execute('test_endpoint', { endpoint_id: param('id') })
      return created(showDelivery(services, await services.courier.attempted(id)))
    },
  }),
]
