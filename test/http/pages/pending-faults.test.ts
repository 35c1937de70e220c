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

test('the panel lists the faults that apply to a payment, newest first, until they are used up', async () => {
  const { sandbox, pay, post } = await openSandbox()
  const { engine } = sandbox
  const payment = engine.world.get('payments', await pay(OWN))
  if (payment === undefined) throw new Error('no payment')
  const listed = () => pendingFaults(engine.world, payment).map(({ target, fault }) => `${target} ${fault}`)
  expect(listed()).toEqual([])
  await post('/faults', { target: 'redirect', fault: 'delay:3s', times: 1 })
  await post('/faults', { target: 'api', fault: 'status:503' })
  await post('/faults', { target: 'stream', fault: 'stall' })
  await post('/faults', { target: 'webhook', fault: 'drop' })
  expect(listed()).toEqual(['webhook drop', 'redirect delay:3s'])
  engine.execute('consume_faults', { target: 'redirect', facts: {} })
  expect(listed()).toEqual(['webhook drop'])
})
