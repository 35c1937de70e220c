import { describe, expect, test } from 'vitest'
import { parseRoute, planForwarding } from '../../../src/cli/commands/listen/plan.ts'
import { expandEvents } from '../../../src/cli/parsing/event-patterns.ts'
import { WEBHOOK_EVENTS } from '../../../src/domain/events.ts'

describe('patterns', () => {
  test.each([
    [[], WEBHOOK_EVENTS],
    [['*'], WEBHOOK_EVENTS],
    [['payout.*'], ['payout.succeeded', 'payout.failed']],
    [['*.failed'], ['payment.failed', 'payout.failed']],
    [
      ['payment.*,!payment.expired', '!payment.cancelled'],
      ['payment.succeeded', 'payment.failed', 'payment.refunded'],
    ],
    [['!payment.*'], ['payout.succeeded', 'payout.failed']],
    [[' payout.failed , payment.failed '], ['payment.failed', 'payout.failed']],
  ])('the patterns %j select %j', (patterns, events) => {
    expect(expandEvents(patterns)).toEqual(events)
  })

  test('the error of an unknown event suggests the nearest name', () => {
    expect(() => expandEvents(['payment.suceeded'])).toThrow(
      expect.objectContaining({ hint: 'Did you mean payment.succeeded?' }),
    )
  })

  test('a dot in a pattern matches only a dot', () => {
    expect(() => expandEvents(['paymentXsucceeded'])).toThrow('There is no event')
  })
})

describe('routes', () => {
  const a = 'http://localhost:3000/a'
  const b = 'http://localhost:3000/b'
  const route = (text: string) => parseRoute(text)

  test('each address without routes and filters gets every event, also those of later versions', () => {
    expect(planForwarding([a, b, a], [], [])).toEqual([
      { url: a, events: [] },
      { url: b, events: [] },
    ])
  })

  test('events that a route matches are sent there, and the others to --forward', () => {
    const [routed, rest] = planForwarding([b], [route('payment.*=/a')], [])
    expect(routed).toEqual({ url: a, events: WEBHOOK_EVENTS.filter((name) => name.startsWith('payment.')) })
    expect(rest).toEqual({ url: b, events: ['payout.succeeded', 'payout.failed'] })
  })

  test('a plan has one listener for each address', () => {
    const plan = planForwarding([a], [route('payout.failed=/a'), route('payout.succeeded=/b')], [])
    expect(plan.map(({ url }) => url)).toEqual([a, b])
    expect(plan[0]?.events).not.toContain('payout.succeeded')
  })

  test('--events also filters the events of routes', () => {
    expect(planForwarding([b], [route('payment.*=/a')], ['payment.failed'])).toEqual([
      { url: a, events: ['payment.failed'] },
    ])
  })

  test('an address without events is omitted, and a plan without addresses is wrong usage', () => {
    expect(planForwarding([b], [route('*=/a')], []).map(({ url }) => url)).toEqual([a])
    expect(() => planForwarding([], [route('payment.*=/a')], ['payout.failed'])).toThrow('No event would be forwarded')
  })

  test('the address of a route may contain an equal sign in its query', () => {
    expect(route('payout.*=/a?x=1')).toEqual({ patterns: ['payout.*'], url: `${a}?x=1` })
    expect(() => route('/a')).toThrow('is not a route')
  })
})
