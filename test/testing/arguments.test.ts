// Arguments in the wrong order or of the wrong kind, which JavaScript has no compiler to find.
import { afterEach, expect, it } from 'vitest'
import type { TestSandbox } from '../../src/testing/index.ts'
import { closeAll, start } from './places.ts'

afterEach(closeAll)

// biome-ignore lint/suspicious/noExplicitAny: as a program without types calls it
type Untyped = any

it.each<[what: string, call: (psp: Untyped) => unknown, words: string]>([
  [
    'faults.add in the order of the command line',
    (psp) => psp.faults.add('webhook', 'duplicate:1'),
    `faults.add takes one object: faults.add({ target: 'webhook', fault: 'duplicate:1' }), but got the string "webhook".`,
  ],
  [
    'faults.add with the match behind',
    (psp) => psp.faults.add({ target: 'webhook', fault: 'drop' }, { event: 'payment.failed' }),
    'faults.add takes one object',
  ],
  ['faults.add with nothing', (psp) => psp.faults.add(), 'faults.add takes one object: faults.add({ target: '],
  [
    'rules.add with a plan',
    (psp) => psp.rules.add('failed'),
    "rules.add takes one object: rules.add({ plan: 'failed' })",
  ],
  ['rules.add with a list', (psp) => psp.rules.add(['failed']), 'rules.add takes one object: rules.add({ plan: '],
  ['payments.create with an amount', (psp) => psp.payments.create(100), 'payments.create takes an object'],
  [
    'payments.create with a key',
    (psp) => psp.payments.create({ amount: 1 }, 'key'),
    'payments.create: the options must be an object',
  ],
  [
    'payments.create with the name of the header',
    (psp) => psp.payments.create({ amount: 1 }, { idempotency_key: 'key' }),
    'idempotency_key: payments.create has no such option. It has idempotencyKey, outcome, signal.',
  ],
  ['payments.refund with an amount', (psp) => psp.payments.refund('id', 50), 'payments.refund takes an object'],
  [
    'payments.refund with a whole payment',
    (psp) => psp.payments.refund({ id: 'x' }),
    'expected an id as a string, got an object',
  ],
  ['payments.get with nothing', (psp) => psp.payments.get(), 'expected an id as a string, got undefined'],
  ['payments.get with an empty text', (psp) => psp.payments.get(''), 'expected an id as a string, got ""'],
  [
    'payments.pay with a whole payment',
    (psp) => psp.payments.pay({ id: 'x' }),
    'expected an id as a string, got an object',
  ],
  ['payments.list with an order', (psp) => psp.payments.list('A-1'), 'payments.list takes an object'],
  ['payouts.create with an amount', (psp) => psp.payouts.create(100), 'payouts.create takes an object'],
  ['payouts.list with an order', (psp) => psp.payouts.list('A-1'), 'payouts.list takes an object'],
  ['refunds.list with an id', (psp) => psp.refunds.list('A-1'), 'refunds.list takes an object'],
  ['events.list with a name', (psp) => psp.events.list('payment.failed'), 'events.list takes an object'],
  ['events.replay with a url', (psp) => psp.events.replay('evt_1', 'http://x'), 'events.replay takes an object'],
  ['deliveries.list with a status', (psp) => psp.deliveries.list('exhausted'), 'deliveries.list takes an object'],
  [
    'endpoints.add with events',
    (psp) => psp.endpoints.add('3000', ['payment.failed']),
    'endpoints.add takes an object',
  ],
  ['shops.create with a name', (psp) => psp.shops.create('mine'), 'shops.create takes an object'],
  ['shops.update with a name', (psp) => psp.shops.update('id', 'mine'), 'shops.update takes an object'],
  ['receiver.of with a name', (psp) => psp.receiver.of('payment.failed'), 'receiver.of takes an object'],
  [
    'receiver.respond with a number of times',
    (psp) => psp.receiver.respond(500, 2),
    'receiver.respond takes an object',
  ],
  [
    'waitFor with an object alone',
    (psp) => psp.waitFor({ order_id: 'A-1' }),
    'waitFor takes the name of an event first',
  ],
  ['waitFor with an order', (psp) => psp.waitFor('payment.failed', 'A-1'), 'waitFor takes an object'],
  ['waitFor with a time', (psp) => psp.waitFor('payment.failed', {}, 100), 'waitFor: the options must be an object'],
])('%s is rejected with the correct form', async (_, call, words) => {
  const psp: TestSandbox = await start({ clock: 'frozen' })
  const error = await Promise.resolve()
    .then(() => call(psp))
    .then(
      (value) => value,
      (thrown: unknown) => thrown,
    )
  expect(error).toBeInstanceOf(TypeError)
  expect((error as TypeError).message).toContain(words)
  expect(await psp.faults.list()).toEqual([])
  expect(await psp.payments.list()).toEqual([])
})

it('setPayUrl takes the same forms of a base URL as psp elsewhere', async () => {
  const psp = await start({ clock: 'frozen' })
  psp.setPayUrl(' "https://pay.example/shop/" ')
  expect((await psp.payments.create({ amount: 100 })).payment_url).toMatch(/^https:\/\/pay\.example\/shop\/pay\//)
  expect(() => psp.setPayUrl('pay.example')).toThrow('setPayUrl: "pay.example" does not begin with http:// or https://')
})

it('psp.client rejects a text in place of an object', async () => {
  const { client } = await start({ clock: 'frozen' })
  const untyped = client as Untyped
  for (const call of [
    () => untyped.control.faults.add('webhook', 'duplicate:1'),
    () => untyped.control.settings.update('delays.bank'),
    () => untyped.control.events.list('payment.failed'),
    () => untyped.control.endpoints.create('id', 'http://x'),
    () => untyped.control.act.payment('id', 'pay'),
    () => untyped.control.rules.remove({ id: 'x' }),
  ]) {
    await expect(Promise.resolve().then(call)).rejects.toThrow(TypeError)
  }
})
