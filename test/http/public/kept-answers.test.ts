import { expect, test } from 'vitest'
import { openSandboxAdapter } from '../../contract/adapter.ts'
import { createPayment, get, PAYMENTS, post } from '../../contract/caller.ts'

test('a payment that is read again is shown as it is now', async () => {
  const adapter = await openSandboxAdapter()
  const { id } = (await createPayment(adapter, { method: 'sbp' })).body.payment
  const read = async () => (await get(adapter, `${PAYMENTS}/${id}`)).body
  const first = await read()
  expect(await read()).toEqual(first)

  await adapter.arrange.settings({ naming: 'shop' })
  const renamed = await read()
  expect(renamed).toHaveProperty('shop_id', first.shop_id)
  expect(renamed).not.toHaveProperty('terminal_id')

  await post(adapter, `${PAYMENTS}/${id}/cancel`, {})
  expect((await read()).status).toBe('cancelled')
  await adapter.close()
})
