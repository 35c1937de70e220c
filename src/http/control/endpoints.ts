import * as z from 'zod'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { requireRow } from '../../engine/require-row.ts'
import { httpUrl, signatureVersion } from '../value-schemas.ts'
import { eventNames, flag } from './fields.ts'
import { createdAt, listPage, PAGE_QUERY } from './pagination.ts'
import { showEndpoint, showEndpointWithSecret } from './present.ts'
import { showDelivery } from './present-delivery.ts'
import { created, noContent, ok, route } from './route.ts'

const url = httpUrl.meta({ description: 'The URL to which webhooks are sent, http or https.' })

export const newEndpointBody = z.strictObject({
  url,
  events: eventNames.optional().meta({ description: 'Exact names of events. Absent or empty: all events.' }),
  signature: signatureVersion.optional().meta({ description: 'The version of the signature. Default: v2.' }),
  own_secret: flag.optional().meta({
    description:
      "False: the shop's `webhook_secret` signs the webhooks, as for the endpoints of `psp serve --endpoint`. Default: true.",
  }),
})

export const endpointChange = z.strictObject({
  url: url.optional(),
  events: eventNames.optional().meta({ description: 'Exact names of events. Empty: all events.' }),
  signature: signatureVersion.optional().meta({ description: 'The version of the signature.' }),
  active: flag.optional().meta({
    description:
      'False: the endpoint receives no new events. Setting it to false cancels the deliveries that wait for the endpoint.',
  }),
})

export const endpointRoutes = [
  route({
    name: 'listEndpoints',
    method: 'GET',
    path: '/shops/:id/endpoints',
    summary: 'List the endpoints of a shop',
    description: 'Returns the webhook endpoints of a shop, the newest first, without listeners.',
    query: z.strictObject(PAGE_QUERY),
    responses: { 200: 'EndpointPage' },
    run({ world, query, param }) {
      const { id } = requireRow(world, 'shops', param('id'))
      const rows = world.find('endpoints', 'by_shop', id).filter(({ listener }) => listener !== true)
      return listPage(rows.toReversed(), query, showEndpoint, createdAt)
    },
  }),
  route({
    name: 'createEndpoint',
    method: 'POST',
    path: '/shops/:id/endpoints',
    summary: 'Create an endpoint',
    description: 'Creates a webhook endpoint. If it has its own secret, the secret is shown only in this response.',
    body: newEndpointBody,
    responses: { 201: 'EndpointWithSecret' },
    links: { updateEndpoint: '/id', rotateEndpointSecret: '/id', testEndpoint: '/id', deleteEndpoint: '/id' },
    run({ services, body, param }) {
      const endpoint = services.engine.execute('create_endpoint', { shop_id: param('id'), input: omitUndefined(body) })
      return created(showEndpointWithSecret(endpoint))
    },
  }),
  route({
    name: 'updateEndpoint',
    method: 'PATCH',
    path: '/endpoints/:id',
    summary: 'Update an endpoint',
    description: 'Changes the fields that the body contains.',
    body: endpointChange,
    responses: { 200: 'Endpoint' },
    run({ services, body, param }) {
      const endpoint = services.engine.execute('update_endpoint', {
        endpoint_id: param('id'),
        change: omitUndefined(body),
      })
      return ok(showEndpoint(endpoint))
    },
  }),
  route({
    name: 'deleteEndpoint',
    method: 'DELETE',
    path: '/endpoints/:id',
    summary: 'Delete an endpoint',
    description: 'Deletes an endpoint and cancels the deliveries that wait for it.',
    responses: { 204: 'nothing' },
    run({ services, param }) {
      services.engine.execute('delete_endpoint', { endpoint_id: param('id') })
      return noContent
    },
  }),
  route({
    name: 'rotateEndpointSecret',
    method: 'POST',
    path: '/endpoints/:id/rotate-secret',
    summary: 'Rotate the secret of an endpoint',
    description:
      'Replaces the secret. The new secret is shown only in this response. The old secret is invalid at once.',
    responses: { 200: 'EndpointWithSecret' },
    run({ services, param }) {
      const endpoint = services.engine.execute('rotate_endpoint_secret', { endpoint_id: param('id') })
      return ok(showEndpointWithSecret(endpoint))
    },
  }),
  route({
    name: 'testEndpoint',
    method: 'POST',
    path: '/endpoints/:id/test',
    summary: 'Test an endpoint',
    description:
      'Sends a signed sample of `payment.succeeded` with `metadata.sample`, and responds when the attempt is over.',
    isLongChange: true,
    responses: { 201: 'Delivery' },
    async run({ services, param }) {
      const { id } = services.engine.execute('test_endpoint', { endpoint_id: param('id') })
      return created(showDelivery(services, await services.dispatcher.waitForAttempt(id)))
    },
  }),
]
