// A correct handler may show an order before its payment, and the effect of an event some time after it.
import { expect, test } from 'vitest'
import { findingDocument, parseFinding } from '../../src/explore/finding-file.ts'
import { replayFinding } from '../../src/explore/replay-finding.ts'
import { CORRECT_HANDLERS, Rows } from './handlers/correct.ts'
import { exploreHandler, onDrivenClock, portsOf } from './handlers/explore-handler.ts'
import { createNamed, type Handler, type Sleep } from './handlers/handler.ts'
import { PLANTED_BUGS } from './handlers/planted-bugs.ts'

/** Shows a state of an order that it does not know, and each effect `lag` ms late. */
function lateWithDefault(sleep: Sleep, lag: number): Handler {
  const rows = new Rows()
  return {
    async handle(event) {
      void sleep(lag).then(() => rows.apply(event))
      return 200
    },
    order: (id) => rows.view(id) ?? { order_id: id, status: 'none' },
    balance: () => 0,
  }
}

/** Responds at once, and works afterwards. */
async function respondFirst(work: () => Promise<unknown>): Promise<number> {
  void work()
  return 200
}

test.each([150, 300, 700])(
  'a correct handler that shows a default state, and effects %d ms late, has no finding',
  async (lag) => {
    const { result } = await onDrivenClock((systemClock, sleep) =>
      exploreHandler(lateWithDefault(sleep, lag), { maxMessages: 60, systemClock }),
    )
    expect(result).toMatchObject({ findings: [], end: 'deliveries' })
    expect(result.lag).toBeGreaterThanOrEqual(lag)
  },
)

test('a replay passes for a correct handler that shows a default state, and effects late', async () => {
  const { findings } = await exploreHandler(createNamed(PLANTED_BUGS, 'shows a part refund'), { maxMessages: 60 })
  const [finding] = findings
  if (finding === undefined) throw new Error('no finding')
  const given = parseFinding(findingDocument(finding))
  const { result } = await onDrivenClock((systemClock, sleep) =>
    replayFinding(given, portsOf(lateWithDefault(sleep, 200), { systemClock })),
  )
  expect(result.finding).toBeUndefined()
})

test.each([300, 1500])(
  'a search of a handler with effects %d ms late ends a few seconds after its time',
  async (lag) => {
    const bug = createNamed(PLANTED_BUGS, 'credits each copy')
    const { ms } = await onDrivenClock((systemClock, sleep) =>
      exploreHandler(
        { ...bug, handle: (event) => respondFirst(() => sleep(lag).then(() => bug.handle(event))) },
        { time: 15_000, systemClock },
      ),
    )
    expect(ms).toBeLessThan(15_000 + 5000 + 3 * lag)
  },
)

test('the time that was spent on the handler, the probes and the orders is counted', async () => {
  const { result } = await onDrivenClock((systemClock, sleep) => {
    const handler = createNamed(CORRECT_HANDLERS, 'merges')
    return exploreHandler(
      { ...handler, handle: (event) => sleep(1000).then(() => handler.handle(event)) },
      { time: 5000, systemClock },
    )
  })
  expect(result.spent.handler).toBeGreaterThan(result.spent.probes)
  expect(result.spent.orders).toBe(0)
})
