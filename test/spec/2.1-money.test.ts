// Spec 2.1 and 4.1: order ids, amounts in USDT and currencies.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Adapter, openSandboxAdapter } from '../contract/adapter.ts'
import { createPayment, get, PAYMENTS } from '../contract/caller.ts'

let adapter: Adapter
beforeEach(async () => {
  adapter = await openSandboxAdapter()
})
afterEach(() => adapter.close())

const made = async (body: object) => (await createPayment(adapter, body)).body.payment

test('an order_id can be used again, even a generated one', async () => {
  const [one, two] = [await made({ order_id: 'A' }), await made({ order_id: 'A' })]
  expect([one.order_id, two.order_id]).toEqual(['A', 'A'])
  expect(one.id).not.toBe(two.id)
  expect((await made({})).order_id).toBe((await made({})).order_id)
})

test.each([
  [100, 0.01],
  [39, 0],
  [40, 0.01],
  [119, 0.01],
  [120, 0.02],
  [150_000, 18.75],
  [Number.MAX_SAFE_INTEGER, 1_125_899_906_842.62],
])('amount_usdt of %i kopeks is %d, rounded half up to two decimal places', async (amount, usdt) => {
  expect((await made({ amount })).amount_usdt).toBe(usdt)
})

test('amount_usdt does not change after creation', async () => {
  const { id } = await made({ amount: 150_000 })
  await adapter.arrange.settings({ usdt_rate: 100 })
  expect((await get(adapter, `${PAYMENTS}/${id}`)).body.amount_usdt).toBe(18.75)
  expect((await made({ amount: 150_000 })).amount_usdt).toBe(15)
})

test.each(['USD', 'EUR', 'JPY', 'KWD'])('the currency %s is accepted and has no rate', async (currency) => {
  expect(await made({ currency })).toMatchObject({ currency, amount_usdt: 0 })
})
