// What a step can do with what the dashboard holds, and with the whole state.
import type { Client } from '../client/client.ts'
import { ApiError } from '../client/errors.ts'
import { checked, type Operation, op, text } from './operation.ts'

export const DASHBOARD_OPERATIONS: { readonly [name: string]: Operation } = {
  'shops.create': checked(({ control }, body) => control.shops.create(body)),
  'shops.list': checked(({ control }, query) => control.shops.list(query)),
  'shops.get': op(['id'], ({ control }, { id }) => control.shops.get(text(id))),
  'shops.update': checked(({ control }, { id, ...body }) => control.shops.update(text(id), body)),
  'shops.rotate_secret': op(['id', 'secret'], ({ control }, { id, secret }) =>
    rotated(control, text(id), text(secret)),
  ),
  'keys.list': checked(({ control }, { shop_id, ...query }) => control.keys.list(text(shop_id), query)),
  'keys.create': op(['shop_id', 'mode'], ({ control }, { shop_id, mode }) =>
    control.keys.create(text(shop_id), { mode: mode === 'live' ? 'live' : 'test' }),
  ),
  'keys.revoke': op(['id'], ({ control }, { id }) => control.keys.revoke(text(id))),
  'endpoints.list': checked(({ control }, { shop_id, ...query }) => control.endpoints.list(text(shop_id), query)),
  'endpoints.create': checked(({ control }, { shop_id, ...body }) => control.endpoints.create(text(shop_id), body)),
  'endpoints.update': checked(({ control }, { id, ...body }) => control.endpoints.update(text(id), body)),
  'endpoints.remove': op(['id'], ({ control }, { id }) => control.endpoints.remove(text(id))),
  'endpoints.delete': op(['id'], ({ control }, { id }) => control.endpoints.remove(text(id))),
  'endpoints.rotate_secret': op(['id'], ({ control }, { id }) => control.endpoints.rotateSecret(text(id))),
  'endpoints.test': op(['id'], ({ control }, { id }) => control.endpoints.test(text(id))),
  'settings.get': op([], ({ control }) => control.settings.get()),
  'settings.origins': op([], ({ control }) => control.settings.origins()),
  'settings.set': checked(({ control }, values) => control.settings.update(values)),
  'store.reset': checked(({ control }, body) => control.store.reset(body)),
  'store.snapshot': op(['name'], ({ control }, { name }) => control.store.snapshot(text(name))),
  'store.restore': op(['name'], ({ control }, { name }) => control.store.restore(text(name))),
  'store.snapshots': op([], ({ control }) => control.store.snapshots()),
  'store.forget': op(['name'], ({ control }, { name }) => control.store.removeSnapshot(text(name))),
  'store.export': op([], ({ control }) => control.store.export()),
  'store.import': op(['state'], ({ control }, { state }) => control.store.import(state)),
  health: op([], ({ control }) => control.health()),
}

/** Refused as the API would: a step that rotates the other secret than meant would go on. */
async function rotated({ shops }: Client['control'], id: string, secret: string) {
  if (secret === 'signing') return await shops.rotateSigningSecret(id)
  if (secret === 'webhook') return await shops.rotateWebhookSecret(id)
  throw new ApiError(400, 'bad_request', `secret: expected signing or webhook, got ${JSON.stringify(secret)}.`)
}
