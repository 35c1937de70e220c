import { expect, test } from 'vitest'
import { eventPattern, expandEvents } from '../../../src/cli/parsing/event-patterns.ts'
import { WEBHOOK_EVENTS } from '../../../src/domain/events.ts'
import { issueOf } from '../issue-of.ts'

const PAYMENTS = WEBHOOK_EVENTS.filter((name) => name.startsWith('payment.'))

test.each([
  [['payment.failed'], ['payment.failed']],
  [
    ['payment.succeeded', 'payment.failed'],
    WEBHOOK_EVENTS.filter((name) => /^payment\.(succeeded|failed)$/.test(name)),
  ],
  [[' payment.failed , payout.failed '], ['payment.failed', 'payout.failed']],
  [['payment.*'], PAYMENTS],
  [['*'], WEBHOOK_EVENTS],
  [['*.failed'], WEBHOOK_EVENTS.filter((name) => name.endsWith('.failed'))],
  [['!payment.*'], WEBHOOK_EVENTS.filter((name) => !name.startsWith('payment.'))],
  [['payment.*', '!payment.failed'], PAYMENTS.filter((name) => name !== 'payment.failed')],
  [['!payment.failed,payment.failed'], []],
])('the patterns %j select %j', (patterns, names) => {
  expect(expandEvents(patterns)).toEqual(names)
})

test.each(['', ' ', '!', 'payment.failed,', ',payment.failed'])('the patterns %j contain an empty name', (text) => {
  expect(issueOf(() => expandEvents([text]))).toEqual([
    'The name of an event is empty.',
    'Write names with commas between them: payment.*,!payment.expired.',
  ])
})

test.each(['payment.faild', '!payment.faild'])(
  'the pattern %j names no event, and the nearest one is suggested',
  (text) => {
    expect(issueOf(() => expandEvents([text]))).toEqual([
      'There is no event "payment.faild".',
      'Did you mean payment.failed?',
    ])
  },
)

test('a pattern matches whole names, and only * is special in it', () => {
  for (const text of ['ayment.failed', 'payment.faile', 'paymentXfailed', 'payment.failed|x', '(payment.failed)', 'x?'])
    expect(issueOf(() => expandEvents([text]))?.[0]).toBe(`There is no event ${JSON.stringify(text)}.`)
})

test('the error for a name that resembles no event lists all events', () => {
  expect(issueOf(() => expandEvents(['qqqqqqqq']))?.[1]).toBe(
    `The events are ${WEBHOOK_EVENTS.join(', ')}. payment.* selects all events of payments.`,
  )
})

test('a filter of the server is one pattern, without white space at its ends', () => {
  expect(eventPattern(' payment.* ')).toBe('payment.*')
  expect(issueOf(() => eventPattern(' '))).toEqual(['" " is empty.', 'Give a value, or omit the option.'])
  expect(issueOf(() => eventPattern('x.*'))?.[0]).toBe('There is no event "x.*".')
})
