// "Save as a scenario" of a payment: the file brings a new payment to the same status.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { paymentScenario } from '../../src/dashboard/detail/commands.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { runScenario } from '../../src/scenarios/run-scenario.ts'
import { parseScenario } from '../../src/scenarios/scenario.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import type { ListedPayment } from '../../src/view-model/rows/rows.ts'
import { clientOf } from '../client-of.ts'

let sandbox: Sandbox
let client: Client
beforeEach(async () => {
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  client = clientOf(sandbox)
})
afterEach(() => sandbox.close({ grace_ms: 0 }))

const BODY = {
  amount: 9000,
  method: 'sbp',
  order_id: 'M-7',
  description: 'Two tickets',
  metadata: { cart: '7' },
} as const

async function pendingPayment(): Promise<string> {
  const { payment } = await client.payments.create(BODY, { outcome: 'requires_action' })
  return payment.id
}

/** Saves the payment, performs the file, and returns the new payment. */
async function repeat(payment: ListedPayment): Promise<ListedPayment> {
  const scenario = parseScenario(JSON.parse(JSON.stringify(paymentScenario(payment))))
  expect(scenario.name).toBe(`payment-${payment.id.slice(0, 8)}`)
  const report = await runScenario(scenario, client, { systemClock: createSystemClock() })
  expect(report.steps.map(({ missed }) => missed)).toEqual(scenario.steps.map(() => []))
  const repeated = (await client.control.lists.payments()).items.filter(({ id }) => id !== payment.id)
  expect(repeated).toHaveLength(1)
  return repeated[0] as ListedPayment
}

/** Returns the payment as the dashboard lists it. */
async function listed(id: string): Promise<ListedPayment> {
  return (await client.control.lists.payments()).items.find((payment) => payment.id === id) as ListedPayment
}

const DECLINE = { action: 'decline', failure_code: 'insufficient_funds' } as const

test.each<[status: string, act: (id: string) => Promise<unknown>]>([
  ['pending', async () => {}],
  ['succeeded', (id) => client.control.act.payment(id, { action: 'pay' })],
  ['failed', (id) => client.control.act.payment(id, DECLINE)],
  ['expired', (id) => client.control.act.payment(id, { action: 'expire' })],
  ['cancelled', (id) => client.payments.cancel(id)],
])('the scenario of a %s payment creates a payment with the same fields and status', async (status, act) => {
  const id = await pendingPayment()
  await act(id)
  const before = await listed(id)
  const repeated = await repeat(before)
  expect(repeated).toMatchObject({ ...BODY, status, currency: 'RUB' })
  expect(repeated.metadata['failure_code']).toBe(before.metadata['failure_code'])
})

test('the scenario of a refunded payment repeats each refund that succeeded', async () => {
  const id = await pendingPayment()
  await client.control.act.payment(id, { action: 'pay' })
  await client.payments.refund(id, { amount: 2000 })
  await client.control.clock.advance({ until: 'idle' })
  const before = await listed(id)
  const failed = { ...before.refunds[0], amount: 500, status: 'failed' } as (typeof before.refunds)[number]
  const repeated = await repeat({ ...before, refunds: [failed, ...before.refunds] })
  expect(repeated.refunds.map(({ amount }) => amount)).toEqual([2000])
  expect(repeated.status).toBe(before.status)
})

test('the scenario of a processing payment expects no status, because its payment stays pending', async () => {
  const before = await listed(await pendingPayment())
  expect((await repeat({ ...before, status: 'processing' })).status).toBe('pending')
})

test('the scenario of a failed payment without a failure code is declined with do_not_honor', async () => {
  const before = await listed(await pendingPayment())
  const repeated = await repeat({ ...before, status: 'failed' })
  expect(repeated.metadata['failure_code']).toBe('do_not_honor')
})
