import * as z from 'zod'
import { requireRow } from '../../engine/require-row.ts'
import { mode } from '../value-schemas.ts'
import { createdAt, listPage, PAGE_QUERY } from './pagination.ts'
import { showKey } from './present.ts'
import { created, noContent, route } from './route.ts'

export const keyRoutes = [
  route({
    name: 'listKeys',
    method: 'GET',
    path: '/shops/:id/keys',
    summary: 'List the keys of a shop',
    description: 'Returns the keys of a shop, the newest first. Only the public part of each key is shown.',
    query: z.strictObject(PAGE_QUERY),
    responses: { 200: 'ApiKeyPage' },
    run({ world, query, param }) {
      const { id } = requireRow(world, 'shops', param('id'))
      return listPage(world.find('keys', 'by_shop', id).toReversed(), query, showKey, createdAt)
    },
  }),
  route({
    name: 'createKey',
    method: 'POST',
    path: '/shops/:id/keys',
    summary: 'Create a key',
    description:
      'Creates a key. The whole key is shown only in this response, because the server stores only its hash and its public part.',
    body: z.strictObject({ mode: mode.default('test') }),
    bodyOptional: true,
    responses: { 201: 'CreatedKey' },
    run({ services, body, param }) {
      const { key, api_key } = services.engine.execute('create_key', { shop_id: param('id'), mode: body.mode })
      const { id, mode, created_at } = showKey(key)
      return created({ id, api_key, mode, created_at })
    },
  }),
  route({
    name: 'revokeKey',
    method: 'DELETE',
    path: '/keys/:id',
    summary: 'Revoke a key',
    description: 'Revokes a key and closes its event stream.',
    responses: { 204: 'nothing' },
    run({ services, param }) {
      services.engine.execute('revoke_key', { key_id: param('id') })
      return noContent
    },
  }),
]
