import { expect, test } from 'vitest'
import { openSandbox } from './fixtures.ts'

test('a request that a plan rejects is logged with the source of the plan', async () => {
  const api = await openSandbox()
  const authorization = `Bearer ${api.sandbox.defaultShop().api_key}`
  const planned = { authorization, 'x-psp-simulate': 'error:aml_blocked' }
  expect((await api.call('POST', '/v1/public/payments', { amount: 100 }, planned)).status).toBe(403)
  const { items } = (await api.get('/requests')).body
  expect([items[0].status, items[0].decided_by]).toEqual([403, 'header'])
})
