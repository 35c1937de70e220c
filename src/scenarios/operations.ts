// What a step can do: the operations of both APIs by name, each a call of the client.
import type { Client } from '../client/client.ts'

export type Fields = { readonly [name: string]: unknown }

/** Called with the fields of the step's `with`; the server checks them. */
export type Operation = (client: Client, fields: Fields) => Promise<unknown>

export const OPERATIONS: { readonly [name: string]: Operation } = {
  'payments.create': ({ payments }, { outcome, idempotency_key, ...body }) =>
    payments.create(body as never, beside(outcome, idempotency_key)),
  'payments.get': ({ payments }, { id }) => payments.get(text(id)),
  'payments.list': ({ control }, filter) => control.lists.payments(filter),
  'payments.cancel': ({ payments }, { id }) => payments.cancel(text(id)),
  'payments.refund': ({ payments }, { id, outcome, idempotency_key, ...body }) =>
    payments.refund(text(id), body, beside(outcome, idempotency_key)),
  'payments.pay': ({ control }, { id, ...act }) => control.act.payment(text(id), { action: 'pay', ...act }),
  'payments.decline': ({ control }, { id, ...act }) => control.act.payment(text(id), { action: 'decline', ...act }),
  'payments.act': ({ control }, { id, ...act }) => control.act.payment(text(id), act as never),

  'refunds.list': ({ control }, filter) => control.lists.refunds(filter),
  'refunds.settle': ({ control }, { id, ...act }) =>
    control.act.refund(text(id), { action: 'settle', ...act } as never),

  'payouts.create': ({ payouts }, { outcome, idempotency_key, ...body }) =>
    payouts.create(body as never, beside(outcome, idempotency_key)),
  'payouts.get': ({ payouts }, { id }) => payouts.get(text(id)),
  'payouts.list': ({ control }, filter) => control.lists.payouts(filter),
  'payouts.settle': ({ control }, { id, ...act }) =>
    control.act.payout(text(id), { action: 'settle', ...act } as never),

  banks: (client) => client.banks(),

  'events.list': ({ control }, filter) => control.events.list(filter),
  'events.get': ({ control }, { id }) => control.events.get(text(id)),
  'events.replay': ({ control }, { id, ...body }) => control.events.replay(text(id), body),
  'deliveries.list': ({ control }, filter) => control.deliveries.list(filter),
  'deliveries.get': ({ control }, { id }) => control.deliveries.get(text(id)),
  'deliveries.retry': ({ control }, { id }) => control.deliveries.retry(text(id)),
  'requests.list': ({ control }, filter) => control.requests(filter as never),

  'clock.get': ({ control }) => control.clock.get(),
  'clock.set': ({ control }, body) => control.clock.set(body as never),
  'clock.freeze': ({ control }, body) => control.clock.set({ mode: 'frozen', ...body }),
  'clock.resume': ({ control }) => control.clock.set({ mode: 'real' }),
  'clock.advance': ({ control }, body) => control.clock.advance(body as never),

  'rules.add': ({ control }, body) => control.rules.add(body as never),
  'rules.list': ({ control }) => control.rules.list(),
  'rules.remove': ({ control }, { id }) => control.rules.remove(text(id)),
  'rules.clear': ({ control }) => control.rules.clear(),
  'faults.add': ({ control }, body) => control.faults.add(body as never),
  'faults.list': ({ control }) => control.faults.list(),
  'faults.remove': ({ control }, { id }) => control.faults.remove(text(id)),
  'faults.clear': ({ control }) => control.faults.clear(),

  'shops.create': ({ control }, body) => control.shops.create(body),
  'shops.get': ({ control }, { id }) => control.shops.get(text(id)),
  'shops.update': ({ control }, { id, ...body }) => control.shops.update(text(id), body),
  'keys.create': ({ control }, { shop_id, mode }) =>
    control.keys.create(text(shop_id), { mode: mode === 'live' ? 'live' : 'test' }),
  'keys.revoke': ({ control }, { id }) => control.keys.revoke(text(id)),
  'endpoints.create': ({ control }, { shop_id, ...body }) => control.endpoints.create(text(shop_id), body),
  'endpoints.update': ({ control }, { id, ...body }) => control.endpoints.update(text(id), body),
  'endpoints.remove': ({ control }, { id }) => control.endpoints.remove(text(id)),
  'endpoints.test': ({ control }, { id }) => control.endpoints.test(text(id)),
  'settings.get': ({ control }) => control.settings.get(),
  'settings.set': ({ control }, values) => control.settings.update(values),
  'store.reset': ({ control }, body) => control.store.reset(body),
  'store.snapshot': ({ control }, { name }) => control.store.snapshot(text(name)),
  'store.restore': ({ control }, { name }) => control.store.restore(text(name)),
  trigger: ({ control }, body) => control.trigger(body as never),
  /** Until an event with these fields has happened; see {@link file://./wait.ts}. */
  wait: () => Promise.reject(new Error('wait is done by the runner')),
}

function beside(outcome: unknown, key: unknown) {
  return {
    ...(outcome === undefined ? {} : { outcome: text(outcome) }),
    ...(key === undefined ? {} : { idempotencyKey: text(key) }),
  }
}

function text(value: unknown): string {
  return value === undefined ? '' : String(value)
}
