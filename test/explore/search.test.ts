// The end of a search: its source of orders fails, or it is interrupted.
import { expect, test } from 'vitest'
import { OrdersExhaustedError } from '../../src/explore/evaluate-case.ts'
import type { Finding } from '../../src/explore/finding.ts'
import { addFinding, endWithoutOrders, progressOf, type Search } from '../../src/explore/search.ts'
import { CORRECT_HANDLERS } from './handlers/correct.ts'
import { exploreHandler } from './handlers/explore-handler.ts'
import { createNamed } from './handlers/handler.ts'

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

/** A step may send several messages at the same time, so with some seeds the interruption comes in the middle of such a step. */
test.each([1, 8, 9, 12, 26])(
  'a search with seed %d that is interrupted counts each message that it has sent, and sends no more',
  async (seed) => {
    const interruption = new AbortController()
    const handler = createNamed(CORRECT_HANDLERS, 'merges')
    let received = 0
    const { deliveries, end } = await exploreHandler(
      {
        ...handler,
        async handle(event) {
          if (++received === 40) interruption.abort()
          return await handler.handle(event)
        },
      },
      { seed, concurrency: 1, signal: interruption.signal },
    )
    expect({ deliveries, end }).toEqual({ deliveries: 40, end: 'interrupted' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(received).toBe(40)
  },
)

test('the progress of a search has its counts, and the whole milliseconds since its start', () => {
  const options = { ports: { systemClock: { monotonic: () => 1500.6 } } }
  const counts = { stories: 2, sent: 9, situations: new Set(['payout']), findings: [{}, {}, {}], began: 1000 }
  expect(progressOf({ options, ...counts } as unknown as Search)).toEqual({
    stories: 2,
    messages: 9,
    situations: 1,
    findings: 3,
    ms: 501,
  })
})

test('each finding is reported, and the search keeps how many messages the first one took', () => {
  const reported: unknown[] = []
  const search = {
    options: { onFinding: (finding: unknown) => reported.push(finding) },
    findings: [],
    sent: 7,
    firstFindingAfter: undefined,
    isClosed: false,
  } as unknown as Search
  const [first, second, late] = [{ id: 'money' }, { id: 'truth' }, { id: 'isolation' }] as unknown as Finding[]
  addFinding(search, first as Finding)
  search.sent = 20
  addFinding(search, second as Finding)
  search.isClosed = true
  addFinding(search, late as Finding)
  expect([search.findings, reported, search.firstFindingAfter]).toEqual([[first, second], [first, second], 7])
})
