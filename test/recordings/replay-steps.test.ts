import { expect, test } from 'vitest'
import type { RecordedCall } from '../../src/recordings/compare/recorded-call.ts'
import { replaySteps } from '../../src/recordings/compare/replay-steps.ts'
import { serviceClock } from '../../src/recordings/compare/service-clock.ts'

const START = Date.UTC(2026, 4, 6, 12)

function call(operation: string, from: number, to: number, text = '') {
  const times = { startedAt: START + from, endedAt: START + to }
  return {
    operation,
    status: 200,
    number: 1,
    headers: new Map(),
    response: { text },
    ...times,
  } as unknown as RecordedCall
}

test('the steps at one time are: the start of a stream, a change, a call, the end of a stream', () => {
  const message = {
    kind: 'payment.status_changed',
    at: new Date(START + 2000).toISOString(),
    payload: { id: 'p1', status: 'succeeded' },
  }
  const read = 'GET /v1/public/banks/sbp'
  const stream = call('GET /v1/public/events', 1000, 3000, `data: ${JSON.stringify(message)}\n\n`)
  const calls = [call(read, 2990, 3000), call(read, 1990, 2000), stream, call(read, 990, 1000)]
  const steps = replaySteps(calls, new Map(), serviceClock([]))
  expect(steps.map((step) => [step.do, step.time - START])).toEqual([
    ['open', 1000],
    ['call', 1000],
    ['bringToState', 2000],
    ['call', 2000],
    ['call', 3000],
    ['close', 3000],
  ])
})
