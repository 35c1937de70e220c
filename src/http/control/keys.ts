import * as z from 'zod'
import { requireShop } from '../../engine/require-shop.ts'
import { oneOf } from './fields.ts'
import { CREATED, listPage, PAGE_QUERY } from './page.ts'
import { showKey } from './present.ts'
import { created, gone, ok, route } from './route.ts'

export const keys = [
  route({
    method: 'GET',
    path: '/shops/:id/keys',
    summary: "A shop's keys, newest first; only their public part is known",
    query: z.strictObject(PAGE_QUERY),
    answers: { 200: 'KeyPage' },
    refuses: ['not_found', 'bad_request'],
    run({ world, query, param }) {
      const { id } = requireShop(world, param('id'))
      return ok(listPage(world.find('keys', 'by_shop', id).toReversed(), query, showKey, CREATED))
    },
  }),
  route({
    method: 'POST',
    path: '/shops/:id/keys',
    summary: 'A new key, shown once: only a hash of it is stored',
    body: z.strictObject({ mode: oneOf('test', 'live').default('test') }),
    bodyOptional: true,
    answers: { 201: 'KeyCreated' },
    refuses: ['not_found', 'bad_request'],
    run({ services, body, param }) {
      const { key, api_key } = services.engine.execute('create_key', { shop_id: param('id'), mode: body.mode })
      const { id, mode, created_at } = showKey(key)
      return created({ id, api_key, mode, created_at })
    },
  }),
  route({
    method: 'DELETE',
    path: '/keys/:id',
    summary: 'Revokes a key; its event stream is closed',
    answers: { 204: 'nothing' },
    refuses: ['not_found'],
    run({ services, param }) {
      services.engine.execute('revoke_key', { key_id: param('id') })
      return gone
    },
  }),
]
