import { afterAll, describe, expect } from 'vitest'
import { sandboxTest } from '../../src/vitest/index.ts'

const test = sandboxTest({ listen: false, clock: 'frozen', receiver: false })
const shops = new Set<string>()
const sandboxes = new Set<unknown>()

describe.concurrent('each test has a separate shop on one sandbox', () => {
  test.for([1, 2, 3])('test number %i sees only its shop', async (n, { psp, sandbox, expect: see }) => {
    shops.add(psp.shopId)
    sandboxes.add(sandbox)
    const { payment } = await psp.payments.create({ amount: n, order_id: 'the same everywhere' })
    await psp.payments.pay(payment.id)
    await psp.waitFor('payment.succeeded', { order_id: 'the same everywhere' })
    see((await psp.payments.list()).map(({ amount }) => amount)).toEqual([n])
    see(psp.receiver.webhooks.map(({ message }) => message?.data.amount)).toEqual([n])
    see((await psp.events.list()).length).toBe(1)
  })
})

afterAll(() => {
  expect([shops.size, sandboxes.size]).toEqual([3, 1])
})
