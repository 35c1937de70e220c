// The finding of an event that the handler never accepts says what the handler did with it.
import { expect, test } from 'vitest'
import type { HandlerResponse } from '../../src/audit/ports.ts'
import { judgeAvailability, rejectionFix } from '../../src/explore/judge-availability.ts'
import type { StoryRun } from '../../src/explore/story-run.ts'

type Sent = readonly [event: string, response: Partial<HandlerResponse>]

const EVENTS = [
  { key: 'pay p1', name: 'payment.succeeded' },
  { key: 'refund r1', name: 'payment.refunded' },
]

/** Judges a run that refused the refund and sent these messages, each in its own round. */
function judged(...sent: readonly Sent[]) {
  const rounds = sent.map(([event, response]) => ({ messages: [{ event, response }] }))
  const result = { rounds, refused: ['refund r1'], broken: undefined }
  return judgeAvailability({ enacted: { events: EVENTS }, result } as unknown as StoryRun)
}

const violation = (status: number | '', title: string, got: string, fix: string) => ({
  oracle: 'availability',
  cause: `availability refuses payment.refunded ${status}`,
  title,
  got,
  expected: '2xx within nine attempts',
  fix,
})

const LOST = { error: 'the response was lost', code: 'ABANDONED' }

test('the last response to a refused event is shown with the first 120 characters of its body', () => {
  const sent: Sent[] = [
    ['refund r1', { status: 409 }],
    ['refund r1', { status: 500, text: 'x'.repeat(121) }],
    ['pay p1', { status: 200 }],
  ]
  const fix = rejectionFix({ status: 500 }, 'payment.refunded', false)
  const title = 'The handler refuses payment.refunded nine times.'
  expect(judged(...sent)).toEqual(violation(500, title, `500: ${'x'.repeat(120)}`, fix))
})

test('a connection that is closed at each attempt is shown by its error', () => {
  const title = 'The handler closes the connection of payment.refunded nine times.'
  const fix = rejectionFix({}, 'payment.refunded', false)
  expect(judged(['refund r1', { error: 'socket hang up', text: '' }])).toEqual(
    violation('', title, 'socket hang up', fix),
  )
})

test('a response that is not complete is shown by its status and its error', () => {
  const title = 'The handler breaks off its response to payment.refunded nine times.'
  const error = 'The response did not end.'
  const fix = rejectionFix({ status: 200, error }, 'payment.refunded', false)
  expect(judged(['refund r1', { status: 200, error }])).toEqual(
    violation(200, title, '200, but the response did not end.', fix),
  )
})

test('the fix depends on a response that was lost on purpose only if it was that of the refused event', () => {
  const title = 'The handler refuses payment.refunded nine times.'
  const after = (event: string) => judged([event, LOST], ['refund r1', { status: 409 }])
  const fix = (wasAbandoned: boolean) => rejectionFix({ status: 409 }, 'payment.refunded', wasAbandoned)
  expect(after('refund r1')).toEqual(violation(409, title, '409', fix(true)))
  expect(after('pay p1')).toEqual(violation(409, title, '409', fix(false)))
})

test('a run that refused no event breaks no rule', () => {
  const result = { rounds: [], refused: [], broken: undefined }
  expect(judgeAvailability({ enacted: { events: EVENTS }, result } as unknown as StoryRun)).toBeUndefined()
})
