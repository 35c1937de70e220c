// A search stops close to its limits.
import { describe, expect, test } from 'vitest'
import { CORRECT_HANDLERS } from './handlers/correct.ts'
import { exploreHandler, onDrivenClock } from './handlers/explore-handler.ts'
import { createNamed } from './handlers/handler.ts'
import { PLANTED_BUGS } from './handlers/planted-bugs.ts'

/** More messages than the longest case of these tests sends. */
const LONGEST_CASE = 40

describe('a search with 8 lanes', () => {
  test.each([1, 2, 3, 4, 5])('exceeds the limit of messages by at most one case, with seed %d', async (seed) => {
    const report = await exploreHandler(createNamed(CORRECT_HANDLERS, 'merges'), { seed, maxMessages: 100 })
    expect(report).toMatchObject({ findings: [], end: 'deliveries' })
    expect(report.deliveries).toBeGreaterThan(100 - LONGEST_CASE)
    expect(report.deliveries).toBeLessThan(100 + LONGEST_CASE)
  })

  test('runs 8 cases at the same time before it reaches the limit', async () => {
    const handler = createNamed(CORRECT_HANDLERS, 'merges')
    const open = new Set<string>()
    let most = 0
    const { result } = await onDrivenClock((systemClock, sleep) =>
      exploreHandler(
        {
          ...handler,
          async handle(event) {
            open.add(event.data.order_id ?? '')
            most = Math.max(most, open.size)
            await sleep(100)
            open.delete(event.data.order_id ?? '')
            return await handler.handle(event)
          },
        },
        { maxMessages: 400, systemClock },
      ),
    )
    expect(result.end).toBe('deliveries')
    expect(most).toBeGreaterThanOrEqual(8)
  })
})

test.each([
  [1000, 30],
  [1500, 30],
  [5000, 100],
  [6000, 100],
])(
  'a search with a time of %d ms and responses after %d ms confirms a finding at its end, but does not shrink it',
  async (time, each) => {
    const bug = createNamed(PLANTED_BUGS, 'shows a part refund')
    const { ms, result } = await onDrivenClock((systemClock, sleep) =>
      exploreHandler({ ...bug, handle: (event) => sleep(each).then(() => bug.handle(event)) }, { time, systemClock }),
    )
    expect(result.findings).toMatchObject([{ shrunk: false }])
    expect(ms).toBeLessThan(time + 800)
  },
)

describe('a search of a slow handler that always fails', () => {
  test.each([
    [2000, 100],
    [4000, 100],
    [6000, 300],
    [12_000, 1000],
  ])('with a time of %d ms and responses after %d ms ends at most 3 s and one response later', async (time, each) => {
    for (const seed of [1, 2, 3]) {
      const bug = createNamed(PLANTED_BUGS, 'credits each copy')
      const { ms } = await onDrivenClock((systemClock, sleep) =>
        exploreHandler(
          { ...bug, handle: (event) => sleep(each).then(() => bug.handle(event)) },
          { time, seed, systemClock },
        ),
      )
      expect(ms).toBeGreaterThanOrEqual(time)
      expect(ms).toBeLessThan(time + 3000 + each + 500)
    }
  })
})
