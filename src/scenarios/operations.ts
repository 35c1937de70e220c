// The operations of a step, by name. Most are one call of the client to one of the two APIs.

import type { Client } from '../client/client.ts'
import { ApiError } from '../client/errors.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { deliverEvents } from './deliver-events.ts'
import { type Operation, operation, passThrough, toText, unchecked } from './operation.ts'

const REQUEST_FIELDS = ['outcome', 'idempotency_key']
const PAYMENT_FIELDS = [
  'amount',
  'currency',
  'method',
  'order_id',
  'customer_id',
  'return_url',
  'description',
  'webhook_url',
  'metadata',
]
const PAYOUT_FIELDS = ['amount', 'currency', 'method', 'phone', 'bank_id', 'full_name']

export const OPERATIONS: { readonly [name: string]: Operation } = {
  'payments.create': operation(
    [...PAYMENT_FIELDS, ...REQUEST_FIELDS],
    ({ payments }, { outcome, idempotency_key, ...body }) =>
      payments.create(unchecked(body), toRequestOptions(outcome, idempotency_key)),
  ),
  'payments.get': operation(['id'], ({ payments }, { id }) => payments.get(toText(id))),
  'payments.list': passThrough(({ control }, filter) => control.lists.payments(filter)),
  'payments.cancel': operation(['id'], ({ payments }, { id }) => payments.cancel(toText(id))),
  'payments.refund': operation(
    ['id', 'amount', 'reason', ...REQUEST_FIELDS],
    ({ payments }, { id, outcome, idempotency_key, ...body }) =>
      payments.refund(toText(id), body, toRequestOptions(outcome, idempotency_key)),
  ),
  'payments.pay': operation(['id', 'method'], ({ control }, { id, ...action }) =>
    control.act.payment(toText(id), { action: 'pay', ...action }),
  ),
  'payments.decline': operation(['id', 'failure_code'], ({ control }, { id, ...action }) =>
    control.act.payment(toText(id), { action: 'decline', ...action }),
  ),
  'payments.act': passThrough(({ control }, { id, ...action }) => control.act.payment(toText(id), unchecked(action))),
  /** Requests the return route of the buyer's browser (spec 3.4). The result is `{status, location}`. */
  'buyer.return': operation(['id'], async ({ raw }, { id }) => {
    const path = `/pay/${encodeURIComponent(toText(id))}/return`
    const response = await raw.public.open({ method: 'GET', path, headers: { Accept: 'text/html' } })
    return { status: response.status, location: response.headers.get('location') }
  }),
  'refunds.list': passThrough(({ control }, filter) => control.lists.refunds(filter)),
  'refunds.act': passThrough(({ control }, { id, ...action }) => control.act.refund(toText(id), unchecked(action))),
  'refunds.settle': operation(['id', 'status', 'failure_code'], ({ control }, { id, ...action }) =>
    control.act.refund(toText(id), unchecked({ action: 'settle', ...action })),
  ),
  'payouts.create': operation(
    [...PAYOUT_FIELDS, ...REQUEST_FIELDS],
    ({ payouts }, { outcome, idempotency_key, ...body }) =>
      payouts.create(unchecked(body), toRequestOptions(outcome, idempotency_key)),
  ),
  'payouts.get': operation(['id'], ({ payouts }, { id }) => payouts.get(toText(id))),
  'payouts.list': passThrough(({ control }, filter) => control.lists.payouts(filter)),
  'payouts.act': passThrough(({ control }, { id, ...action }) => control.act.payout(toText(id), unchecked(action))),
  'payouts.settle': operation(['id', 'status', 'failure_code'], ({ control }, { id, ...action }) =>
    control.act.payout(toText(id), unchecked({ action: 'settle', ...action })),
  ),
  banks: operation([], (client) => client.banks()),
  'banks.list': operation([], (client) => client.banks()),
  'events.list': passThrough(({ control }, filter) => control.events.list(filter)),
  'events.get': operation(['id'], ({ control }, { id }) => control.events.get(toText(id))),
  'events.replay': passThrough(({ control }, { id, ...body }) => control.events.replay(toText(id), body)),
  /** Sends events in a given order. {@link file://./deliver-events.ts} implements it. */
  deliver: operation(['events', 'copies', 'together'], deliverEvents),
  'deliveries.list': passThrough(({ control }, filter) => control.deliveries.list(filter)),
  'deliveries.get': operation(['id'], ({ control }, { id }) => control.deliveries.get(toText(id))),
  'deliveries.retry': operation(['id'], ({ control }, { id }) => control.deliveries.retry(toText(id))),
  'requests.list': passThrough(({ control }, filter) => control.requests(unchecked(filter))),
  logs: passThrough(({ control }, filter) => control.requests(unchecked(filter))),
  'clock.get': operation([], ({ control }) => control.clock.get()),
  'clock.show': operation([], ({ control }) => control.clock.get()),
  'clock.set': passThrough(({ control }, body) => control.clock.set(unchecked(body))),
  'clock.freeze': operation(['now'], ({ control }, body) => control.clock.set({ mode: 'frozen', ...body })),
  'clock.speed': operation(['speed'], ({ control }, body) => control.clock.set(unchecked({ mode: 'scaled', ...body }))),
  'clock.resume': operation([], ({ control }) => control.clock.set({ mode: 'real' })),
  'clock.advance': passThrough(({ control }, body) => control.clock.advance(unchecked(body))),
  'rules.add': passThrough(({ control }, body) => control.rules.add(unchecked(body))),
  'rules.list': operation([], ({ control }) => control.rules.list()),
  'rules.remove': operation(['id'], ({ control }, { id }) => control.rules.remove(toText(id))),
  'rules.clear': operation([], ({ control }) => control.rules.clear()),
  'faults.add': passThrough(({ control }, body) => control.faults.add(unchecked(body))),
  'faults.list': operation([], ({ control }) => control.faults.list()),
  'faults.remove': operation(['id'], ({ control }, { id }) => control.faults.remove(toText(id))),
  'faults.clear': operation([], ({ control }) => control.faults.clear()),
  'shops.create': passThrough(({ control }, body) => control.shops.create(body)),
  'shops.list': passThrough(({ control }, query) => control.shops.list(query)),
  'shops.get': operation(['id'], ({ control }, { id }) => control.shops.get(toText(id))),
  'shops.update': passThrough(({ control }, { id, ...body }) => control.shops.update(toText(id), body)),
  'shops.rotate_secret': operation(['id', 'secret'], ({ control }, { id, secret }) =>
    rotateSecret(control, toText(id), toText(secret)),
  ),
  'keys.list': passThrough(({ control }, { shop_id, ...query }) => control.keys.list(toText(shop_id), query)),
  'keys.create': operation(['shop_id', 'mode'], ({ control }, { shop_id, mode }) =>
    control.keys.create(toText(shop_id), unchecked({ mode })),
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
  trigger: passThrough(({ control }, body) => control.trigger(unchecked(body))),
  /** Waits for an event with these fields. {@link file://./wait-for-event.ts} implements it. */
  wait: operation(['event', 'where', 'timeout'], () => Promise.reject(new Error('The runner performs the step wait.'))),
}

function toRequestOptions(outcome: unknown, key: unknown) {
  return omitUndefined({
    outcome: outcome === undefined ? undefined : toText(outcome),
    idempotencyKey: key === undefined ? undefined : toText(key),
  })
}

/** Rotates one of the two secrets. Rejects an unknown name, so that the wrong secret is never rotated. */
async function rotateSecret({ shops }: Client['control'], id: string, secret: string) {
  if (secret === 'signing') return await shops.rotateSigningSecret(id)
  if (secret === 'webhook') return await shops.rotateWebhookSecret(id)
  throw new ApiError(400, 'bad_request', `secret: expected signing or webhook, got ${JSON.stringify(secret)}.`)
}
