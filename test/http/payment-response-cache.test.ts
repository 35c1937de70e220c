import { expect, test } from 'vitest'
import { createPaymentResponseCache } from '../../src/http/public/payment-response-cache.ts'
import { assembleSandbox } from '../../src/sandbox.ts'

async function cacheOf(count: number, filler: string) {
  const sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  const { world } = sandbox.engine
  const caller = { shop_id: sandbox.defaultShop().shop_id, mode: 'test' } as const
  for (let n = 0; n < count; n++) {
    const input = { amount: 100, currency: 'RUB', method: 'sbp', metadata: { filler } } as const
    sandbox.engine.execute('create_payment', { caller, input })
  }
  const payments = [...world.rows('payments')]
  const [shop] = [...world.rows('shops')]
  await sandbox.close()
  const cache = createPaymentResponseCache()
  return payments.map((payment) => () => cache(payment, shop as NonNullable<typeof shop>, world.settings))
}

test('a serialized payment is kept until 256 others follow', async () => {
  const [first, ...others] = await cacheOf(257, '')
  const kept = first?.()
  for (const other of others.slice(0, 255)) other()
  expect(first?.()).toBe(kept)
  others[255]?.()
  expect(first?.()).not.toBe(kept)
})

test('large serialized payments are kept up to 16 MiB', async () => {
  const [first, ...others] = await cacheOf(20, 'x'.repeat(1024 * 1024))
  const kept = first?.()
  for (const other of others.slice(0, 14)) other()
  expect(first?.()).toBe(kept)
  for (const other of others.slice(14)) other()
  expect(first?.()).not.toBe(kept)
})
