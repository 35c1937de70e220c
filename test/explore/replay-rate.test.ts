// A case that depends on timing is sent ten times, and its finding says how many of them failed.
import { expect, test } from 'vitest'
import type { Case } from '../../src/explore/evaluate-case.ts'
import { replayFinding } from '../../src/explore/replay-finding.ts'
import { CORRECT_HANDLERS } from './handlers/correct.ts'
import { portsOf } from './handlers/explore-handler.ts'
import { createNamed, type Handler } from './handlers/handler.ts'

const CASE: Case = {
  story: {
    amounts: { main: 1000, unrelated: 1000 },
    steps: [
      { do: 'create', payment: 'p1', order: 'main' },
      { do: 'create', payment: 'p2', order: 'main' },
      { do: 'expire', payment: 'p1' },
      { do: 'pay', payment: 'p2' },
    ],
  },
  schedule: [
    [
      { event: 'pay p2', copies: 1 },
      { event: 'expire p1', copies: 1 },
    ],
  ],
  resendsAll: false,
}

/** Shows a wrong state of these orders, by the number of earlier ones with a paid and an expired payment. */
function failingAt(wrong: readonly number[]): Handler {
  const correct = createNamed(CORRECT_HANDLERS, 'merges by payment')
  const kinds = new Map<string, Set<string>>()
  const contested: string[] = []
  return {
    ...correct,
    async handle(event) {
      const order = event.data.order_id ?? ''
      const seen = kinds.get(order) ?? new Set()
      kinds.set(order, seen.add(event.event))
      if (seen.has('payment.succeeded') && seen.has('payment.expired') && !contested.includes(order))
        contested.push(order)
      return correct.handle(event)
    },
    order(id) {
      const state = correct.order(id)
      return wrong.includes(contested.indexOf(id)) ? { ...(state as object), status: 'closed' } : state
    },
  }
}

test.each([
  [[0, 3], 2],
  [[0], 1],
  [[9], 1],
])('the rate counts all ten tries if the orders %j are wrong', async (wrong, failed) => {
  const { finding, times } = await replayFinding(CASE, portsOf(failingAt(wrong)))
  expect([finding?.rate, times]).toEqual([{ failed, of: 10 }, 10])
})

test('a replay without a failing try has no finding', async () => {
  const { finding, times } = await replayFinding(CASE, portsOf(failingAt([])))
  expect([finding, times]).toEqual([undefined, 10])
})
