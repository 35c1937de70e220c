import { expect, test } from 'vitest'
import { pendingFaults } from '../../../src/http/pages/panel-faults.ts'
import { openSandbox } from '../fixtures.ts'

const OWN = { method: 'sbp', order_id: 'A-1', metadata: { cart: '77' } }
const OTHER = { order_id: 'B-2' }

test.each<[match: object, own: number, other: number]>([
  [{ order_id: 'A-1' }, 1, 0],
  [{ order_id: '*', event: 'payment.failed' }, 1, 1],
  [{ 'metadata.cart': '77' }, 1, 0],
  [{ 'metadata.none': '*' }, 0, 0],
  [{ customer_id: '*' }, 0, 0],
  [{ amount: 100, status: 'failed' }, 1, 1],
  // The buyer of the other payment has not chosen a method yet.
  [{ payment_method: 'cards' }, 0, 1],
])('the panel lists a webhook fault with the match %j if it may apply to the payment', async (match, own, other) => {
  const { sandbox, pay, post } = await openSandbox()
  const ids = [await pay(OWN), await pay(OTHER)]
  await post('/faults', { target: 'webhook', fault: 'drop', match })
  const { world } = sandbox.engine
  const shown = ids.map((id) => {
    const payment = world.get('payments', id)
    return payment === undefined ? undefined : pendingFaults(world, payment).length
  })
  expect(shown).toEqual([own, other])
})
