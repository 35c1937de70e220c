import { expect, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'

type Call = (client: Client) => Promise<unknown>

test.each<[call: Call, message: string]>([
  [
    (c) => c.payments.create('1' as never),
    'payments.create takes an object, such as { amount: 150000 }, but got the string "1".',
  ],
  [
    (c) => c.payments.create([] as never),
    'payments.create takes an object, such as { amount: 150000 }, but got a list.',
  ],
  [
    (c) => c.payments.create(null as never),
    'payments.create takes an object, such as { amount: 150000 }, but got null.',
  ],
  [
    (c) => c.payments.create({ amount: 1 }, 'k' as never),
    'payments.create: the options must be an object with the fields idempotencyKey, outcome, signal, but got the string "k".',
  ],
  [
    (c) => c.payments.create({ amount: 1 }, { key: 'k' } as never),
    'key: payments.create has no such option. It has idempotencyKey, outcome, signal.',
  ],
  [
    (c) => c.payments.refund('a', 100 as never),
    'payments.refund takes an object after the id, such as { amount: 100 }, but got 100.',
  ],
  [
    (c) => c.payments.refund('a', {}, { key: 'k' } as never),
    'key: payments.refund has no such option. It has idempotencyKey, outcome, signal.',
  ],
  [
    (c) => c.payouts.create('' as never),
    'payouts.create takes an object, such as { amount: 150000, phone: …, bank_id: … }, but got "".',
  ],
  [
    (c) => c.payouts.create({} as never, { key: 'k' } as never),
    'key: payouts.create has no such option. It has idempotencyKey, outcome, signal.',
  ],
  [(c) => c.payments.get('' as never), 'expected an id as a string, got "".'],
  [(c) => c.payments.get(undefined as never), 'expected an id as a string, got undefined.'],
  [(c) => c.payments.get({ id: 'a' } as never), 'expected an id as a string, got an object. Pass its id.'],
  [(c) => c.payments.get({ id: 7 } as never), 'expected an id as a string, got an object.'],
  [(c) => c.control.shops.create(7 as never), 'shops.create takes an object, but got 7.'],
  [(c) => c.control.shops.update('a', 7 as never), 'shops.update takes an object, but got 7.'],
  [
    (c) => c.control.keys.create('a', 'test' as never),
    'keys.create takes an object after the id, such as { mode: \'test\' }, but got the string "test".',
  ],
  [
    (c) => c.control.endpoints.create('a', 'u' as never),
    'endpoints.create takes an object after the id of the shop, such as { url: … }, but got the string "u".',
  ],
  [(c) => c.control.endpoints.update('a', 7 as never), 'endpoints.update takes an object, but got 7.'],
  [
    (c) => c.control.settings.update('a' as never),
    "settings.update takes an object, such as { 'delays.bank': '2s' }, but got the string \"a\".",
  ],
  [
    (c) => c.control.events.replay('a', 'u' as never),
    'events.replay takes an object after the id, such as { url: \'http://localhost:3000\' }, but got the string "u".',
  ],
  [
    (c) => c.control.events.list('x'.repeat(81) as never),
    `events.list takes an object with filters, such as { limit: 10 }, but got the string "${'x'.repeat(79)}…".`,
  ],
  [
    (c) => c.control.keys.list('a', 'b' as never),
    'keys.list takes an object with filters, such as { limit: 10 }, but got the string "b".',
  ],
  [
    (c) => c.control.endpoints.list('a', 'b' as never),
    'endpoints.list takes an object with filters, such as { limit: 10 }, but got the string "b".',
  ],
  ...(['payment', 'payout', 'refund'] as const).map(
    (kind) =>
      [
        (c: Client) => c.control.act[kind]('a', 'expire' as never),
        `act.${kind} takes an object after the id, such as { action: 'expire' }, but got the string "expire".`,
      ] as [Call, string],
  ),
  [
    (c) => c.control.clock.set('frozen' as never),
    'clock.set takes an object, such as { mode: \'frozen\' }, but got the string "frozen".',
  ],
  [
    (c) => c.control.clock.advance('20m' as never),
    'clock.advance takes an object, such as { by: \'20m\' }, but got the string "20m".',
  ],
  [
    (c) => c.control.store.reset('all' as never),
    'store.reset takes an object, such as { all: true }, but got the string "all".',
  ],
  [(c) => c.control.store.import('{}'), 'store.import takes an export, but got the string "{}".'],
  [
    (c) => c.control.trigger('payment.failed' as never),
    'trigger takes an object, such as { event: \'payment.failed\' }, but got the string "payment.failed".',
  ],
  [
    (c) => c.control.rules.add('failed:insufficient_funds' as never),
    'rules.add takes one object: rules.add({ plan: \'failed:insufficient_funds\' }), but got the string "failed:insufficient_funds".',
  ],
  [(c) => c.control.rules.add(7 as never), "rules.add takes one object: rules.add({ plan: 'failed' }), but got 7."],
  [
    (c) => (c.control.rules.add as (...args: unknown[]) => Promise<unknown>)({ plan: 'failed' }, 2),
    "rules.add takes one object: rules.add({ plan: 'failed' }), but got 2 arguments.",
  ],
  [
    (c) => (c.control.faults.add as (...args: unknown[]) => Promise<unknown>)('api', 'error_500', 'x'),
    "faults.add takes one object: faults.add({ target: 'api', fault: 'error_500' }), but got the string \"api\".",
  ],
  [
    (c) => c.control.faults.add('api' as never),
    "faults.add takes one object: faults.add({ target: 'webhook', fault: 'drop' }), but got the string \"api\".",
  ],
])('a call with a wrong argument throws a TypeError before anything is sent: %s', async (call, message) => {
  const client = createClient({ baseUrl: '7770', fetch: () => Promise.reject(new Error('sent')) })
  const error = await Promise.resolve()
    .then(() => call(client))
    .catch((thrown) => thrown)
  expect(error).toEqual(new TypeError(message))
})
