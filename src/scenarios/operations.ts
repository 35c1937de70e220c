// What a step can do: the operations of both APIs by name, each a call of the client.
import { DASHBOARD_OPERATIONS } from './dashboard-operations.ts'
import { asWritten, checked, type Operation, op, text } from './operation.ts'

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
  'refunds.act': checked(({ control }, { id, ...act }) => control.act.refund(text(id), asWritten(act))),
  'refunds.settle': op(['id', 'status', 'failure_code'], ({ control }, { id, ...act }) =>
    control.act.refund(text(id), asWritten({ action: 'settle', ...act })),
  ),
  'payouts.create': op([...PAYOUT, ...REQUEST], ({ payouts }, { outcome, idempotency_key, ...body }) =>
    payouts.create(asWritten(body), beside(outcome, idempotency_key)),
  ),
  'payouts.get': op(['id'], ({ payouts }, { id }) => payouts.get(text(id))),
  'payouts.list': checked(({ control }, filter) => control.lists.payouts(filter)),
  'payouts.act': checked(({ control }, { id, ...act }) => control.act.payout(text(id), asWritten(act))),
  'payouts.settle': op(['id', 'status', 'failure_code'], ({ control }, { id, ...act }) =>
    control.act.payout(text(id), asWritten({ action: 'settle', ...act })),
  ),
  banks: op([], (client) => client.banks()),
  'banks.list': op([], (client) => client.banks()),
  'events.list': checked(({ control }, filter) => control.events.list(filter)),
  'events.get': op(['id'], ({ control }, { id }) => control.events.get(text(id))),
  'events.replay': checked(({ control }, { id, ...body }) => control.events.replay(text(id), body)),
  'deliveries.list': checked(({ control }, filter) => control.deliveries.list(filter)),
  'deliveries.get': op(['id'], ({ control }, { id }) => control.deliveries.get(text(id))),
  'deliveries.retry': op(['id'], ({ control }, { id }) => control.deliveries.retry(text(id))),
  'requests.list': checked(({ control }, filter) => control.requests(asWritten(filter))),
  logs: checked(({ control }, filter) => control.requests(asWritten(filter))),
  'clock.get': op([], ({ control }) => control.clock.get()),
  'clock.show': op([], ({ control }) => control.clock.get()),
  'clock.set': checked(({ control }, body) => control.clock.set(asWritten(body))),
  'clock.freeze': op(['now'], ({ control }, body) => control.clock.set({ mode: 'frozen', ...body })),
  'clock.speed': op(['speed'], ({ control }, body) => control.clock.set(asWritten({ mode: 'scaled', ...body }))),
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
  ...DASHBOARD_OPERATIONS,
  trigger: checked(({ control }, body) => control.trigger(asWritten(body))),
  /** Until an event with these fields has happened; see {@link file://./wait.ts}. */
  wait: op(['event', 'where', 'timeout'], () => Promise.reject(new Error('wait is done by the runner'))),
}

function beside(outcome: unknown, key: unknown) {
  return {
    ...(outcome === undefined ? {} : { outcome: text(outcome) }),
    ...(key === undefined ? {} : { idempotencyKey: text(key) }),
  }
}
