import { describe, expect, test } from 'vitest'
import { TargetUnreachableError } from '../../src/audit/ports.ts'
import { CORRECT_HANDLERS, LATE_HANDLERS } from './handlers/correct.ts'
import { exploreHandler, onDrivenClock } from './handlers/explore-handler.ts'
import type { Handler } from './handlers/handler.ts'

/** One seed, because each handler gets hundreds of messages, and at least nine situations, with it. */
const SEED = 1

describe('an exploration', () => {
  test.each(CORRECT_HANDLERS)('finds nothing in a correct handler that $name', async ({ create }) => {
    const report = await exploreHandler(create(), { seed: SEED, maxMessages: 350 })
    expect(report.findings).toEqual([])
    expect(report).toMatchObject({ end: 'deliveries', unconfirmed: 0, volatile: [] })
    expect(report.situations.length).toBeGreaterThan(8)
  })

  test.each(LATE_HANDLERS)('finds nothing in a correct handler that $name', async ({ create }) => {
    const { result } = await onDrivenClock((systemClock, sleep) =>
      exploreHandler(create(sleep), { seed: SEED, maxMessages: 150, systemClock }),
    )
    expect(result).toMatchObject({ findings: [], end: 'deliveries', volatile: [] })
  })

  test('reports how late the effects of a handler are', async () => {
    const late = LATE_HANDLERS.find(({ name }) => name.includes('300 ms')) as (typeof LATE_HANDLERS)[number]
    const { result } = await onDrivenClock((systemClock, sleep) =>
      exploreHandler(late.create(sleep), { maxMessages: 10, systemClock }),
    )
    expect(result.lag).toBeGreaterThanOrEqual(300)
    expect(result.lag).toBeLessThanOrEqual(320)
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
    const report = await exploreHandler(first?.create() as never, { probes: 'none', maxMessages: 100 })
    expect(report).toMatchObject({ findings: [], end: 'deliveries' })
  })
})
