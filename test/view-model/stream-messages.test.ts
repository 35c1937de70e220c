import { describe, expect, test } from 'vitest'
import { formatAttemptResult } from '../../src/view-model/rows/attempt-result.ts'
import { summarizeMessage } from '../../src/view-model/rows/message-summary.ts'
import { type ControlMessage, objectIdOf, parseMessages } from '../../src/view-model/rows/stream-message.ts'

const delivery = { event: 'payment.failed', object_id: 'p1', status: 'waiting', url: 'http://a/x' }
const money = { amount: 150_000, currency: 'RUB' }

/** A message of each kind, the id of its object and its summary. */
const MESSAGES: readonly (readonly [message: object, objectId: string | undefined, summary: string])[] = [
  [
    { kind: 'payment', change: 'created', status: 'pending', payment: { id: 'p1', ...money, order_id: 'A-1' } },
    'p1',
    'created pending  1 500.00 RUB  order A-1',
  ],
  [
    {
      kind: 'payment',
      change: 'status_changed',
      previous_status: 'pending',
      status: 'failed',
      payment: { id: 'p1', ...money, order_id: 'A-1' },
    },
    'p1',
    'pending -> failed  1 500.00 RUB  order A-1',
  ],
  [
    { kind: 'refund', change: 'updated', previous_status: 'pending', status: 'failed', refund: { payment_id: 'p2' } },
    'p2',
    'failed  of payment p2',
  ],
  [
    { kind: 'payout', change: 'x', status: 'pending', payout: { id: 'o1', ...money, recipient: { phone: '+7' } } },
    'o1',
    'pending  1 500.00 RUB  to +7',
  ],
  [{ kind: 'event', event: { object_id: 'p3', event: 'payment.failed', id: 'evt_1' } }, 'p3', 'payment.failed  evt_1'],
  [{ kind: 'delivery', delivery }, 'p1', 'payment.failed  waiting  to be sent to http://a/x'],
  [{ kind: 'delivery', delivery: { ...delivery, status: 'sending' } }, 'p1', 'payment.failed  sending  to http://a/x'],
  [
    { kind: 'delivery', delivery: { ...delivery, status: 'exhausted' } },
    'p1',
    'payment.failed  exhausted  not accepted by http://a/x',
  ],
  [
    { kind: 'attempt', delivery: { ...delivery, replay: true }, attempt: { status: 500 } },
    'p1',
    'payment.failed  500  replay  from http://a/x',
  ],
  [
    { kind: 'delivery', delivery: { ...delivery, replay: true, edited: true } },
    'p1',
    'payment.failed  waiting  edited  to be sent to http://a/x',
  ],
  [{ kind: 'attempt', delivery, attempt: { status: 500 } }, 'p1', 'payment.failed  500  from http://a/x'],
  [
    { kind: 'request', request: { method: 'GET', path: '/x', status: 404, ms: 1.5, code: 'not_found' } },
    undefined,
    'GET /x  404  2 ms  not_found',
  ],
  [{ kind: 'request', request: { method: 'GET', path: '/x', status: 200, ms: 1.4 } }, undefined, 'GET /x  200  1 ms'],
  [{ kind: 'clock', clock: { mode: 'scaled', now: 'T', speed: 60 } }, undefined, 'x60  T'],
  [{ kind: 'clock', clock: { mode: 'frozen', now: 'T', speed: 1 } }, undefined, 'frozen  T'],
  [{ kind: 'reset', command: 'reset' }, undefined, 'the data was reset'],
  [{ kind: 'reset', command: 'import_state' }, undefined, 'all data was restored or imported'],
  [{ kind: 'gap' }, undefined, 'messages were missed; the lists are being reloaded'],
]

describe('a message of the stream', () => {
  test.each(MESSAGES)('%j is parsed, belongs to the object %s and has a summary', (message, objectId, summary) => {
    expect(parseMessages('7', JSON.stringify(message))).toEqual([{ id: '7', message }])
    expect(objectIdOf(message as ControlMessage)).toBe(objectId)
    expect(summarizeMessage(message as ControlMessage)).toBe(summary)
  })

  test('a message of an unknown kind or without an id is ignored', () => {
    expect(parseMessages('7', '{"kind":"future"}')).toEqual([])
    expect(parseMessages(undefined, '{"kind":"gap"}')).toEqual([])
  })

  test('a batch is its messages in their order, without those of an unknown kind', () => {
    const [first, last] = [
      { id: '7', message: { kind: 'gap' } },
      { id: '9', message: { kind: 'reset', command: 'import_state' } },
    ]
    const items = [first, { id: '8', message: { kind: 'future' } }, last]
    expect(parseMessages('9', JSON.stringify({ kind: 'batch', items }))).toEqual([first, last])
  })
})

test('the result of an attempt is its status, or why there was none', () => {
  expect(
    [undefined, { status: 200, error: 'late' }, { status: null, error: 'closed' }, { error: null }, {}].map(
      formatAttemptResult,
    ),
  ).toEqual(['', '200', 'closed', 'no response', 'no response'])
})
