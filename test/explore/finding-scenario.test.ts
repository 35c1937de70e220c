import { expect, onTestFinished, test } from 'vitest'
import type { Case } from '../../src/explore/evaluate-case.ts'
import { scenarioSteps } from '../../src/explore/finding-scenario.ts'
import type { StoryStep } from '../../src/explore/story.ts'
import { assembleSandbox } from '../../src/sandbox.ts'
import { runScenario } from '../../src/scenarios/run-scenario.ts'
import { parseScenario } from '../../src/scenarios/scenario.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { clientOf } from '../client-of.ts'

/** Runs the scenario of a case. Returns its events in the order in which they were received. */
async function receivedOf(given: Case): Promise<string[]> {
  const received: string[] = []
  const sandbox = await assembleSandbox({
    clock: { mode: 'frozen' },
    endpoints: ['http://127.0.0.1:9/hooks'],
    transport: async ({ body }) => {
      const { event, data } = JSON.parse(Buffer.from(body).toString('utf8'))
      received.push(`${event} ${data.order_id ?? ''} ${data.amount_refunded ?? ''}`.trim())
      return { status: 200 }
    },
  })
  onTestFinished(() => sandbox.close({ grace_ms: 0 }))
  const client = clientOf(sandbox)
  const scenario = parseScenario({ name: 'found', finding: {}, steps: scenarioSteps(given) })
  const report = await runScenario(scenario, client, { systemClock: createSystemClock() })
  expect(report.steps.flatMap(({ missed }) => missed)).toEqual([])
  return received
}

const amounts = { main: 100_000, unrelated: 50_000 }
const steps: StoryStep[] = [
  { do: 'create', payment: 'p1', order: 'main' },
  { do: 'pay', payment: 'p1' },
  { do: 'refund', payment: 'p1', refund: 'r1', percent: 30, result: 'succeeded' },
  { do: 'refund', payment: 'p1', refund: 'r2', percent: 20, result: 'failed' },
  { do: 'refund', payment: 'p1', refund: 'r3', percent: 0, result: 'succeeded' },
  { do: 'create', payment: 'u1', order: 'unrelated' },
  { do: 'decline', payment: 'u1' },
  { do: 'create', payment: 'p2', order: 'main' },
  { do: 'expire', payment: 'p2' },
  { do: 'payout', payout: 'o1', result: 'failed' },
]
const one = (event: string) => [{ event, copies: 1 }]

test('the scenario of a case performs its story and delivers its events as scheduled', async () => {
  const schedule = ['payout o1', 'refund r3', 'expire p2', 'refund r1', 'decline u1', 'pay p1', 'refund r2'].map(one)
  expect(await receivedOf({ story: { amounts, steps }, schedule, resendsAll: false })).toEqual([
    'payout.failed',
    'payment.refunded found-main 100000',
    'payment.expired found-main 0',
    'payment.refunded found-main 30000',
    'payment.failed found-unrelated 0',
    'payment.succeeded found-main 0',
    'payment.refunded found-main 30000',
  ])
})

test('the scenario of a case sends copies, lost responses and repeated events', async () => {
  const story = { amounts, steps: steps.slice(0, 3) }
  const schedule = [[{ event: 'pay p1', copies: 3 }], [{ event: 'refund r1', copies: 1, response_lost: true as const }]]
  const received = await receivedOf({ story, schedule, resendsAll: true })
  expect(received.map((line) => line.split(' ')[0])).toEqual([
    ...Array.from({ length: 3 }, () => 'payment.succeeded'),
    ...Array.from({ length: 2 }, () => 'payment.refunded'),
    'payment.succeeded',
    'payment.refunded',
  ])
})
