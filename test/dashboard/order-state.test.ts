import { expect, it } from 'vitest'
import { orderStateText } from '../../src/dashboard/views/order-state.ts'

it.each([
  [undefined, 'order_waiting'],
  [{ event: 'payment.succeeded', data: { status: 'succeeded' } }, 'order_paid'],
  [{ event: 'payment.refunded', data: { status: 'refunded' } }, 'order_refunded'],
  [{ event: 'payment.refunded', data: { status: 'succeeded' } }, 'order_paid'],
  [{ event: 'payment.expired', data: { status: 'expired' } }, 'order_unpaid'],
] as const)('after the event %j the order of the test shop has the state %s', (event, state) => {
  expect(orderStateText(event)).toBe(state)
})
