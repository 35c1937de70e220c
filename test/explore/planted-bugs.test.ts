import { expect, test } from 'vitest'
import { exploreHandler, replayHandler } from './handlers/explore-handler.ts'
import { PLANTED_BUGS } from './handlers/planted-bugs.ts'

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
