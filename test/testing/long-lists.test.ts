// Lists of a handle are complete, however many rows they have.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox, type TestSandbox } from '../../src/testing/index.ts'

const MANY = 1003

let psp: TestSandbox

beforeAll(async () => {
  psp = await startSandbox({ clock: 'frozen', listen: false })
  await psp.payments
    .create({ amount: 99, order_id: 'first', method: 'sbp' })
    .then(({ payment }) => psp.payments.pay(payment.id))
  for (let i = 0; i < MANY; i++) {
    const { payment } = await psp.payments.create({ amount: 100 + i, order_id: `o-${i}`, method: 'sbp' })
    await psp.payments.decline(payment.id)
  }
})
afterAll(() => psp.close())

test('payments, events and deliveries are listed beyond the thousandth row', async () => {
  const payments = await psp.payments.list()
  expect(payments).toHaveLength(MANY + 1)
  expect(new Set(payments.map(({ id }) => id)).size).toBe(MANY + 1)
  expect(payments.at(-1)).toMatchObject({ order_id: 'first' })
  expect(await psp.payments.list({ status: 'failed' })).toHaveLength(MANY)
  expect(await psp.payments.list({ limit: 1001 })).toHaveLength(1001)
  expect(await psp.events.list()).toHaveLength(MANY + 1)
  await psp.idle()
  expect(await psp.deliveries.list()).toHaveLength(MANY + 1)
})

test('waitFor finds an event that happened before a thousand others', async () => {
  const event = await psp.waitFor('payment.succeeded', { order_id: 'first' })
  expect(event.data.amount).toBe(99)
})
