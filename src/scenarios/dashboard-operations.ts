// The operations of a step on objects of the dashboard, and on the whole state.
import type { Client } from '../client/client.ts'
import { ApiError } from '../client/errors.ts'
import { type Operation, operation, passThrough, toText } from './operation.ts'

export const DASHBOARD_OPERATIONS: { readonly [name: string]: Operation } = {
  'shops.create': passThrough(({ control }, body) => control.shops.create(body)),
  'shops.list': passThrough(({ control }, query) => control.shops.list(query)),
  'shops.get': operation(['id'], ({ control }, { id }) => control.shops.get(toText(id))),
  'shops.update': passThrough(({ control }, { id, ...body }) => control.shops.update(toText(id), body)),
  'shops.rotate_secret': operation(['id', 'secret'], ({ control }, { id, secret }) =>
    rotateSecret(control, toText(id), toText(secret)),
  ),
  'keys.list': passThrough(({ control }, { shop_id, ...query }) => control.keys.list(toText(shop_id), query)),
  'keys.create': operation(['shop_id', 'mode'], ({ control }, { shop_id, mode }) =>
    control.keys.create(toText(shop_id), { mode: mode === 'live' ? 'live' : 'test' }),
  ),
  'keys.revoke': operation(['id'], ({ control }, { id }) => control.keys.revoke(toText(id))),
  'endpoints.list': passThrough(({ control }, { shop_id, ...query }) => control.endpoints.list(toText(shop_id), query)),
  'endpoints.create': passThrough(({ control }, { shop_id, ...body }) =>
    control.endpoints.create(toText(shop_id), body),
  ),
  'endpoints.update': passThrough(({ control }, { id, ...body }) => control.endpoints.update(toText(id), body)),
  'endpoints.remove': operation(['id'], ({ control }, { id }) => control.endpoints.remove(toText(id))),
  'endpoints.delete': operation(['id'], ({ control }, { id }) => control.endpoints.remove(toText(id))),
  'endpoints.rotate_secret': operation(['id'], ({ control }, { id }) => control.endpoints.rotateSecret(toText(id))),
  'endpoints.test': operation(['id'], ({ control }, { id }) => control.endpoints.test(toText(id))),
  'settings.get': operation([], ({ control }) => control.settings.get()),
  'settings.origins': operation([], ({ control }) => control.settings.origins()),
  'settings.set': passThrough(({ control }, values) => control.settings.update(values)),
  'store.reset': passThrough(({ control }, body) => control.store.reset(body)),
  'store.snapshot': operation(['name'], ({ control }, { name }) => control.store.snapshot(toText(name))),
  'store.restore': operation(['name'], ({ control }, { name }) => control.store.restore(toText(name))),
  'store.snapshots': operation([], ({ control }) => control.store.snapshots()),
  'store.forget': operation(['name'], ({ control }, { name }) => control.store.removeSnapshot(toText(name))),
  'store.export': operation([], ({ control }) => control.store.export()),
  'store.import': operation(['state'], ({ control }, { state }) => control.store.import(state)),
  health: operation([], ({ control }) => control.health()),
}

/** Rotates one of the two secrets. An unknown name is rejected like by the API, so that no wrong secret is rotated. */
async function rotateSecret({ shops }: Client['control'], id: string, secret: string) {
  if (secret === 'signing') return await shops.rotateSigningSecret(id)
  if (secret === 'webhook') return await shops.rotateWebhookSecret(id)
  throw new ApiError(400, 'bad_request', `secret: expected signing or webhook, got ${JSON.stringify(secret)}.`)
}
