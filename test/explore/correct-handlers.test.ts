import { describe, expect, test } from 'vitest'
import { CORRECT_HANDLERS, lagging } from './handlers/correct.ts'
import { exploreHandler } from './handlers/explore-handler.ts'

const INSTANT = CORRECT_HANDLERS.filter(({ isRealTime }) => isRealTime === undefined)

describe('an exploration', () => {
  test.each(INSTANT)('finds nothing in a correct handler that $name', async ({ create }) => {
    for (const seed of [1, 2]) {
      const report = await exploreHandler(create(), { seed, deliveries: 350 })
      expect(report.findings).toEqual([])
      expect(report).toMatchObject({ end: 'deliveries', unconfirmed: 0, volatile: [] })
      expect(report.situations.length).toBeGreaterThan(8)
    }
  })

  test('finds nothing in a correct handler that works in a queue', async () => {
    const { create } = CORRECT_HANDLERS.find(({ name }) => name.includes('queue')) as (typeof CORRECT_HANDLERS)[number]
    const report = await exploreHandler(create(), { deliveries: 150, isRealTime: true })
    expect(report.findings).toEqual([])
    expect(report.volatile).toEqual([])
  })

  test('finds nothing in a correct handler whose probe lags, and reports the lag', async () => {
    const report = await exploreHandler(lagging(60), { deliveries: 120, isRealTime: true })
    expect(report.findings).toEqual([])
    expect(report.lag).toBeGreaterThanOrEqual(40)
  })

  test('judges only responses if there is no probe', async () => {
    const [first] = CORRECT_HANDLERS
    const report = await exploreHandler(first?.create() as never, { probes: 'none', deliveries: 100 })
    expect(report).toMatchObject({ findings: [], end: 'deliveries' })
  })
})
