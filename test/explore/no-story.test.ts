import { describe, expect, test } from 'vitest'
import type { ExploreReport } from '../../src/explore/explore-options.ts'
import { noStoryError } from '../../src/explore/no-story.ts'
import { EMPTY_REPORT } from './empty-report.ts'

const REPORT: ExploreReport = { ...EMPTY_REPORT, deliveries: 3 }
const NAMES = { time: '--explore', deliveries: '--deliveries', probes: 'the probes', orders: '--order-cmd' }
const errorOf = (change: Partial<ExploreReport>) => noStoryError({ ...REPORT, ...change }, 1000, NAMES)
const spentOn = (kind: keyof ExploreReport['spent']) => ({ spent: { ...REPORT.spent, [kind]: 1 } })

describe('a search that ended before a story was finished', () => {
  test.each<[Partial<ExploreReport>, string]>([
    [spentOn('handler'), 'Most of the time was spent on the handler. Raise --explore, or make the handler faster.'],
    [spentOn('probes'), 'Most of the time was spent on the probes, perhaps because effects are late. Raise --explore.'],
    [spentOn('orders'), 'Most of the time was spent on --order-cmd. Raise --explore, or make --order-cmd faster.'],
    [spentOn('other'), 'Raise --explore.'],
    [
      { ...spentOn('other'), silent: ['balance'] },
      'balance did not change after the first payment. If effects are late, raise --explore. Otherwise check that the handler stores what it receives.',
    ],
  ])('by its time, with %j, does not blame anything else', (change, hint) => {
    expect(errorOf(change)).toEqual({ message: 'No story was finished in 1s.', hint })
  })

  test.each(['deliveries', 'orders', 'handler stopped', 'handler hangs'] as const)('by %s is an error', (end) => {
    expect(errorOf({ end })?.message).toMatch(/^No story was finished/)
  })

  test('by an interruption, after a story, or with a finding is not an error', () => {
    expect(errorOf({ end: 'interrupted' })).toBeUndefined()
    expect(errorOf({ stories: 1 })).toBeUndefined()
    expect(errorOf({ findings: [{}] as never })).toBeUndefined()
  })
})
