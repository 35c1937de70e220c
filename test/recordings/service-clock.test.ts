import { describe, expect, test } from 'vitest'
import type { RecordedCall } from '../../src/recordings/compare/recorded-call.ts'
import { orderSteps } from '../../src/recordings/compare/replay-steps.ts'
import { serviceClock } from '../../src/recordings/compare/service-clock.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 4, 6, 12)

const creation = (startedAt: number, createdAt: number, ms = 10) =>
  ({
    status: 201,
    operation: 'POST /v1/public/payments',
    startedAt: START + startedAt,
    endedAt: START + startedAt + ms,
    shows: { id: String(startedAt), object: { created_at: new Date(START + createdAt).toISOString() } },
  }) as unknown as RecordedCall

test('a clock that is advanced during the recording is followed from the first creation that shows it', () => {
  const clock = serviceClock([creation(0, 5), creation(5000, 30 * MINUTE), creation(6000, 30 * MINUTE + 1005)])
  expect([0, 4999].map((at) => clock.timeAt(START + at))).toEqual([START, START + 4999])
  expect(Math.abs(clock.timeAt(START + 5000) - (START + 30 * MINUTE))).toBeLessThan(20)
  expect(Math.round(clock.mayBeAheadAt(START + 1000) / MINUTE)).toBe(30)
  expect(clock.mayBeAheadAt(START + 5000)).toBe(0)
  // The clock was moved over this time.
  expect(clock.recordedAt(START + 10 * MINUTE)).toBe(START + 5000)
  expect(clock.recordedAt(START + 3000)).toBe(START + 3000)
})

test('slow calls and times in seconds do not move the clock', () => {
  const clock = serviceClock([creation(0, 8000, 9000), creation(9500, 9000), creation(20_300, 20_000)])
  for (const at of [0, 9500, 20_300, 99_000]) expect(clock.timeAt(START + at)).toBe(START + at)
  expect(clock.mayBeAheadAt(START)).toBe(0)
})

test('a constant difference between the clocks does not count as a move', () => {
  const clock = serviceClock([creation(0, -90 * MINUTE), creation(5000, 5000 - 90 * MINUTE)])
  expect(Math.abs(clock.timeAt(START - MINUTE) - (START - 91 * MINUTE))).toBeLessThan(20)
  expect(clock.mayBeAheadAt(START)).toBe(0)
})

describe('a response that shows several times', () => {
  const shown = (object: object) =>
    ({ ...creation(0, 0), status: 200, operation: 'GET /v1/public/payments/{id}', shows: { object } }) as never

  test.each([
    ['created_at', { created_at: new Date(START + 30 * MINUTE).toISOString() }],
    [
      'captured_at',
      { created_at: new Date(START).toISOString(), captured_at: new Date(START + 30 * MINUTE).toISOString() },
    ],
    ['finalized_at', { finalized_at: new Date(START + 30 * MINUTE).toISOString(), captured_at: 'soon' }],
  ])('moves the clock to the latest of them, here %s', (_, object) => {
    expect(serviceClock([shown(object)]).timeAt(START + 10)).toBe(START + 30 * MINUTE)
  })

  test.each([['9000-01-01T00:00:00.000Z'], ['soon'], [7], [undefined]])(
    'ignores the impossible time %s',
    (created_at) => {
      expect(serviceClock([shown({ created_at })]).timeAt(START + 10)).toBe(START + 10)
    },
  )
})

test('a stream moves the clock at its end, to the time of its latest message', () => {
  const message = (minute: number) =>
    `data: ${JSON.stringify({ kind: 'payment.created', at: new Date(START + minute * MINUTE).toISOString(), payload: { id: 'p' } })}\n\n`
  const stream = { ...creation(0, 0, 5000), status: 200, operation: 'GET /v1/public/events' }
  const clock = serviceClock([creation(0, 0), { ...stream, response: { text: message(30) + message(20) } } as never])
  expect([4999, 5000].map((at) => clock.timeAt(START + at))).toEqual([START + 4999, START + 30 * MINUTE])
})

test('a step that follows others is performed directly after the last of them', () => {
  const rules = [
    ['c', 'a'],
    ['d', 'a'],
    ['a', 'b'],
  ] as const
  expect(orderSteps(['a', 'b', 'c', 'x', 'd', 'y'], rules)).toEqual(['c', 'x', 'd', 'a', 'b', 'y'])
})

test('rules that contradict each other lose no step', () => {
  const rules = [
    ['a', 'b'],
    ['b', 'a'],
  ] as const
  expect(orderSteps(['a', 'b', 'c'], rules).sort()).toEqual(['a', 'b', 'c'])
})
