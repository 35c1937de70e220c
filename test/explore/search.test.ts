// The end of a search whose source of orders fails.
import { expect, test } from 'vitest'
import { OrdersExhaustedError } from '../../src/explore/evaluate-case.ts'
import { endWithoutOrders, type Search } from '../../src/explore/search.ts'

/** Returns what an error changes in a search whose source of orders failed with `orderErrors`. */
function ended(error: unknown, orderErrors: readonly unknown[] = []) {
  const search = { orderErrors: new Set(orderErrors) } as unknown as Search
  endWithoutOrders(search, error)
  return { stopped: search.stopped, failure: search.failure }
}

test('a search whose orders ran out ends without a failure', () => {
  expect(ended(new OrdersExhaustedError('The orders ran out.'))).toEqual({ stopped: 'orders', failure: undefined })
})

test('a search whose source of orders failed ends with its message', () => {
  const error = new Error('The shop responded 500.')
  expect(ended(error, [error])).toEqual({ stopped: 'order failed', failure: 'The shop responded 500.' })
  expect(ended('no order', ['no order'])).toEqual({ stopped: 'order failed', failure: 'no order' })
})

test('a search does not catch another error', () => {
  const error = new Error('The probe failed.')
  expect(() => ended(error, [new Error('The probe failed.')])).toThrow(error)
})
