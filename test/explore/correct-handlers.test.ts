import { describe, expect, test } from 'vitest'
import { TargetUnreachableError } from '../../src/audit/ports.ts'
import { CORRECT_HANDLERS, lagging } from './handlers/correct.ts'
import { exploreHandler } from './handlers/explore-handler.ts'
import type { Handler } from './handlers/handler.ts'

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

  test('ends with a finding if the handler stops', async () => {
    const [first] = CORRECT_HANDLERS
    const handler = first?.create() as Handler
    let left = 60
    const report = await exploreHandler({
      ...handler,
      handle: async (event) => (left-- > 0 ? handler.handle(event) : -1),
    })
    expect(report.end).toBe('handler stopped')
    expect(report.findings.map(({ title }) => title)).toEqual([
      expect.stringMatching(/^The handler (crashed after it responded to pay|stopped between)/),
    ])
  })

  test('rejects if nothing listens from the start', async () => {
    const [first] = CORRECT_HANDLERS
    const stopped = { ...(first?.create() as Handler), handle: async () => -1 }
    await expect(exploreHandler(stopped)).rejects.toThrow(TargetUnreachableError)
  })

  test('judges only responses if there is no probe', async () => {
    const [first] = CORRECT_HANDLERS
    const report = await exploreHandler(first?.create() as never, { probes: 'none', deliveries: 100 })
    expect(report).toMatchObject({ findings: [], end: 'deliveries' })
  })
})
