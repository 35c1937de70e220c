// What a step can do: the operations of both APIs by name, each a call of the client.
import type { Client } from '../client/client.ts'

export type Fields = { readonly [name: string]: unknown }

export interface Operation {
  /** Names that `with` may hold; `undefined` where the server refuses unknown ones itself. */
  readonly fields: readonly string[] | undefined
  call(client: Client, fields: Fields): Promise<unknown>
}

const REQUEST = ['outcome', 'idempotency_key']
const PAYMENT = [
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
const PAYOUT = ['amount', 'currency', 'method', 'phone', 'bank_id', 'full_name']

export const OPERATIONS: { readonly [name: string]: Operation } = {
  'payments.create': op([...PAYMENT, ...REQUEST], ({ payments }, { outcome, idempotency_key, ...body }) =>
    payments.create(asWritten(body), beside(outcome, idempotency_key)),
  ),
  'payments.get': op(['id'], ({ payments }, { id }) => payments.get(text(id))),
  'payments.list': checked(({ control }, filter) => control.lists.payments(filter)),
  'payments.cancel': op(['id'], ({ payments }, { id }) => payments.cancel(text(id))),
  'payments.refund': op(
    ['id', 'amount', 'reason', ...REQUEST],
    ({ payments }, { id, outcome, idempotency_key, ...body }) =>
      payments.refund(text(id), body, beside(outcome, idempotency_key)),
  ),
  'payments.pay': op(['id', 'method'], ({ control }, { id, ...act }) =>
    control.act.payment(text(id), { action: 'pay', ...act }),
  ),
  'payments.decline': op(['id', 'failure_code'], ({ control }, { id, ...act }) =>
    control.act.payment(text(id), { action: 'decline', ...act }),
  ),
  'payments.act': checked(({ control }, { id, ...act }) => control.act.payment(text(id), asWritten(act))),
  /** The buyer's browser on its way back to the shop (spec 3.4): `{status, location}`. */
  'buyer.return': op(['id'], async ({ raw }, { id }) => {
    const path = `/pay/${encodeURIComponent(text(id))}/return`
    const reply = await raw.public.open({ method: 'GET', path, headers: { Accept: 'text/html' } })
    return { status: reply.status, location: reply.headers.get('location') }
  }),
  'refunds.list': checked(({ control }, filter) => control.lists.refunds(filter)),
  'refunds.settle': op(['id', 'status', 'failure_code'], ({ control }, { id, ...act }) =>
    control.act.refund(text(id), asWritten({ action: 'settle', ...act })),
  ),
  'payouts.create': op([...PAYOUT, ...REQUEST], ({ payouts }, { outcome, idempotency_key, ...body }) =>
    payouts.create(asWritten(body), beside(outcome, idempotency_key)),
  ),
  'payouts.get': op(['id'], ({ payouts }, { id }) => payouts.get(text(id))),
  'payouts.list': checked(({ control }, filter) => control.lists.payouts(filter)),
  'payouts.settle': op(['id', 'status', 'failure_code'], ({ control }, { id, ...act }) =>
    control.act.payout(text(id), asWritten({ action: 'settle', ...act })),
  ),
  banks: op([], (client) => client.banks()),
  'events.list': checked(({ control }, filter) => control.events.list(filter)),
  'events.get': op(['id'], ({ control }, { id }) => control.events.get(text(id))),
  'events.replay': checked(({ control }, { id, ...body }) => control.events.replay(text(id), body)),
  'deliveries.list': checked(({ control }, filter) => control.deliveries.list(filter)),
  'deliveries.get': op(['id'], ({ control }, { id }) => control.deliveries.get(text(id))),
  'deliveries.retry': op(['id'], ({ control }, { id }) => control.deliveries.retry(text(id))),
  'requests.list': checked(({ control }, filter) => control.requests(asWritten(filter))),
  'clock.get': op([], ({ control }) => control.clock.get()),
  'clock.set': checked(({ control }, body) => control.clock.set(asWritten(body))),
  'clock.freeze': op(['now'], ({ control }, body) => control.clock.set({ mode: 'frozen', ...body })),
  'clock.resume': op([], ({ control }) => control.clock.set({ mode: 'real' })),
  'clock.advance': checked(({ control }, body) => control.clock.advance(asWritten(body))),
  'rules.add': checked(({ control }, body) => control.rules.add(asWritten(body))),
  'rules.list': op([], ({ control }) => control.rules.list()),
  'rules.remove': op(['id'], ({ control }, { id }) => control.rules.remove(text(id))),
  'rules.clear': op([], ({ control }) => control.rules.clear()),
  'faults.add': checked(({ control }, body) => control.faults.add(asWritten(body))),
  'faults.list': op([], ({ control }) => control.faults.list()),
  'faults.remove': op(['id'], ({ control }, { id }) => control.faults.remove(text(id))),
  'faults.clear': op([], ({ control }) => control.faults.clear()),
  'shops.create': checked(({ control }, body) => control.shops.create(body)),
  'shops.get': op(['id'], ({ control }, { id }) => control.shops.get(text(id))),
  'shops.update': checked(({ control }, { id, ...body }) => control.shops.update(text(id), body)),
  'keys.create': op(['shop_id', 'mode'], ({ control }, { shop_id, mode }) =>
    control.keys.create(text(shop_id), { mode: mode === 'live' ? 'live' : 'test' }),
  ),
  'keys.revoke': op(['id'], ({ control }, { id }) => control.keys.revoke(text(id))),
  'endpoints.create': checked(({ control }, { shop_id, ...body }) => control.endpoints.create(text(shop_id), body)),
  'endpoints.update': checked(({ control }, { id, ...body }) => control.endpoints.update(text(id), body)),
  'endpoints.remove': op(['id'], ({ control }, { id }) => control.endpoints.remove(text(id))),
  'endpoints.test': op(['id'], ({ control }, { id }) => control.endpoints.test(text(id))),
  'settings.get': op([], ({ control }) => control.settings.get()),
  'settings.set': checked(({ control }, values) => control.settings.update(values)),
  'store.reset': checked(({ control }, body) => control.store.reset(body)),
  'store.snapshot': op(['name'], ({ control }, { name }) => control.store.snapshot(text(name))),
  'store.restore': op(['name'], ({ control }, { name }) => control.store.restore(text(name))),
  trigger: checked(({ control }, body) => control.trigger(asWritten(body))),
  /** Until an event with these fields has happened; see {@link file://./wait.ts}. */
  wait: op(['event', 'where', 'timeout'], () => Promise.reject(new Error('wait is done by the runner'))),
}

function op(fields: readonly string[], call: Operation['call']): Operation {
  return { fields, call }
}

/** The server checks the names. */
function checked(call: Operation['call']): Operation {
  return { fields: undefined, call }
}

/** A story's fields go out as they were written: the server checks them, and says which one it cannot take. */
function asWritten<T>(fields: Fields): T {
  return fields as T
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
