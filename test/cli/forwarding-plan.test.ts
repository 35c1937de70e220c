import { describe, expect, test } from 'vitest'
import { parseRoute, planForwarding } from '../../src/cli/commands/listen/plan.ts'
import { expandEvents } from '../../src/cli/parsing/event-patterns.ts'
import { WEBHOOK_EVENTS } from '../../src/domain/events.ts'

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
  ])('%j', (patterns, events) => {
    expect(expandEvents(patterns)).toEqual(events)
  })

  test('a slip is answered with the nearest name', () => {
    expect(() => expandEvents(['payment.suceeded'])).toThrow(
      expect.objectContaining({ hint: 'Did you mean payment.succeeded?' }),
    )
  })

  test('a dot is a dot', () => {
    expect(() => expandEvents(['paymentXsucceeded'])).toThrow('There is no event')
  })
})

describe('routes', () => {
  const a = 'http://localhost:3000/a'
  const b = 'http://localhost:3000/b'
  const route = (text: string) => parseRoute(text)

  test('without routes and filters everything goes everywhere, also what later versions add', () => {
    expect(planForwarding([a, b, a], [], [])).toEqual([
      { url: a, events: [] },
      { url: b, events: [] },
    ])
  })

  test('what a route matches goes there, the rest to --forward', () => {
    const [routed, rest] = planForwarding([b], [route('payment.*=/a')], [])
    expect(routed).toEqual({ url: a, events: WEBHOOK_EVENTS.filter((name) => name.startsWith('payment.')) })
    expect(rest).toEqual({ url: b, events: ['payout.succeeded', 'payout.failed'] })
  })

  test('one listener for each address', () => {
    const plan = planForwarding([a], [route('payout.failed=/a'), route('payout.succeeded=/b')], [])
    expect(plan.map(({ url }) => url)).toEqual([a, b])
    expect(plan[0]?.events).not.toContain('payout.succeeded')
  })

  test('--events narrows the routes, too', () => {
    expect(planForwarding([b], [route('payment.*=/a')], ['payment.failed'])).toEqual([
      { url: a, events: ['payment.failed'] },
    ])
  })

  test('an address nothing would reach is left out, and no address at all is wrong usage', () => {
    expect(planForwarding([b], [route('*=/a')], []).map(({ url }) => url)).toEqual([a])
    expect(() => planForwarding([], [route('payment.*=/a')], ['payout.failed'])).toThrow('No event would be forwarded')
  })

  test('a query of the address may hold equal signs', () => {
    expect(route('payout.*=/a?x=1')).toEqual({ patterns: ['payout.*'], url: `${a}?x=1` })
    expect(() => route('/a')).toThrow('is not a route')
  })
})
