import { expect, test } from 'vitest'
import { exploreHandler, onDrivenClock, replayHandler } from './handlers/explore-handler.ts'
import { behindQueue } from './handlers/handler.ts'
import { PLANTED_BUGS } from './handlers/planted-bugs.ts'

const LATE_BUGS = PLANTED_BUGS.filter(({ name }) =>
  /lets an expired|total of the refunds|each copy of a pay/.test(name),
)

test.each(PLANTED_BUGS)('the exploration finds a handler that $name', async ({ create, found_by, race }) => {
  const report = await exploreHandler(create(), { seed: 1, maxFindings: 1 })
  const [finding] = report.findings
  expect(found_by).toContain(finding?.id)
  expect(finding?.deliveries).toBeLessThanOrEqual(4)
  expect(finding?.steps).toBeLessThanOrEqual(8)
  expect(finding?.rate).toEqual(race ? { failed: 10, of: 10 } : expect.objectContaining({ failed: finding?.rate.of }))
  expect(report.firstFindingAfter).toBeLessThanOrEqual(2000)
  expect(finding && (await replayHandler(create(), finding))).toBe(true)
})

test.each(LATE_BUGS)(
  'the exploration finds a handler that works in a queue and $name',
  async ({ create, found_by }) => {
    const { result } = await onDrivenClock((systemClock, sleep) =>
      exploreHandler(behindQueue(create(), sleep, 100), { maxFindings: 1, systemClock }),
    )
    const [finding] = result.findings
    expect(found_by).toContain(finding?.id)
    expect(finding?.deliveries).toBeLessThanOrEqual(4)
  },
)
