import { expect, test } from 'vitest'
import type { Difference } from '../../src/recordings/compare/difference.ts'
import { DifferenceTally } from '../../src/recordings/compare/difference-tally.ts'

function difference(entry: number, method: string): Difference {
  const values = { recorded: `${entry}m after created_at`, sandbox: '20m after created_at' }
  return { kind: 'value', operation: 'POST', at: 'processing_until', ...values, entry, detail: { method } }
}

test('equal differences are counted, and only a part of them is kept, with examples of each method', () => {
  const tally = new DifferenceTally()
  for (let entry = 1; entry <= 1000; entry++) tally.add(difference(entry, 'sbp'))
  tally.add(difference(1001, 'cards'))
  expect(tally.size).toBe(1001)
  expect(tally.groups).toEqual([{ ...difference(1, 'sbp'), count: 1001 }])
  expect(tally.examples).toHaveLength(101)
  expect(tally.examples.at(-1)).toEqual(difference(1001, 'cards'))
})

test('a tally knows the groups that another one does not have', () => {
  const [one, other] = [new DifferenceTally(), new DifferenceTally()]
  one.add(difference(1, 'sbp'))
  one.add({ ...difference(2, 'sbp'), at: 'expires_at' })
  other.add(difference(3, 'cards'))
  expect(one.groupsMissingIn(other).map(({ at }) => at)).toEqual(['expires_at'])
  expect(other.groupsMissingIn(one)).toEqual([])
})
