import { describe, expect, test } from 'vitest'
import { fitSchedule } from '../../src/explore/schedule.ts'
import { legalize } from '../../src/explore/walk-story.ts'
import { type ReceivedWebhook, storyOfEvents } from '../../src/recordings/story-of-events.ts'

const BASE = Date.parse('2026-05-06T12:00:00Z')
const time = (second: number) => new Date(BASE + second * 1000).toISOString()

/**
 * @param second when it happened
 * @param arrived when it arrived
 */
function arrival(id: string, event: string, second: number, data: object, arrived = second): ReceivedWebhook {
  const body = JSON.stringify({ id, event, created_at: time(second), data: { amount: 1000, ...data } })
  return { event_id: id, event, at: BASE + arrived * 1000, body }
}

const first = { id: 'a', created_at: time(0) }
const second = { id: 'b', created_at: time(20) }
const refunds = [
  { id: 'r-1', amount: 300, status: 'succeeded' },
  { id: 'r-2', amount: 333, status: 'succeeded' },
  { id: 'r-3', amount: 367, status: 'pending' },
]

describe('the story of recorded events', () => {
  const incident = [
    arrival('evt_2', 'payment.succeeded', 30, second),
    arrival('evt_1', 'payment.failed', 10, { ...first, metadata: { failure_code: 'do_not_honor' } }, 40),
    arrival('evt_3', 'payment.refunded', 50, { ...second, refunds: refunds.slice(0, 1) }),
    arrival('evt_3', 'payment.refunded', 50, { ...second, refunds: refunds.slice(0, 1) }, 70),
    arrival('evt_4', 'payment.refunded', 60, { ...second, refunds: refunds.slice(0, 2) }),
    arrival('evt_5', 'payment.refunded', 80, { ...second, refunds }),
  ]

  test('the steps are in the order in which they happened, and the deliveries in the order in which they arrived', () => {
    const recorded = storyOfEvents(incident)
    expect(recorded?.story).toEqual({
      amounts: { main: 1000, unrelated: 1000 },
      steps: [
        { do: 'create', payment: 'p1', order: 'main' },
        { do: 'decline', payment: 'p1' },
        { do: 'create', payment: 'p2', order: 'main' },
        { do: 'pay', payment: 'p2' },
        { do: 'refund', payment: 'p2', refund: 'r1', percent: 30, result: 'succeeded' },
        { do: 'refund', payment: 'p2', refund: 'r2', percent: 33.3, result: 'succeeded' },
        { do: 'refund', payment: 'p2', refund: 'r3', percent: 0, result: 'pending' },
      ],
    })
    expect(recorded?.schedule.flat().map(({ event }) => event)).toEqual([
      'pay p2',
      'decline p1',
      'refund r1',
      'refund r2',
      'refund r1',
      'refund r3',
    ])
    expect(recorded?.failureCodes).toEqual(new Map([['p1', 'do_not_honor']]))
    expect(recorded?.remarks).toEqual([])
  })

  test('the sandbox can perform each step of the story', () => {
    const recorded = storyOfEvents(incident)
    if (recorded === undefined) throw new Error('There is no story.')
    const legal = legalize(recorded.story)
    expect(legal.story.steps).toEqual(recorded.story.steps)
    expect(fitSchedule(recorded.schedule, legal.events)).toEqual(recorded.schedule)
  })

  test('a payment whose success is missing in the recording is paid before its refund', () => {
    const recorded = storyOfEvents([
      arrival('evt_3', 'payment.refunded', 50, { ...second, refunds: refunds.slice(0, 1) }),
    ])
    expect(recorded?.story.steps.map((step) => step.do)).toEqual(['create', 'pay', 'refund'])
    expect(recorded?.schedule).toEqual([[{ event: 'refund r1', copies: 1 }]])
  })

  test('an event that no story can contain is reported', () => {
    const recorded = storyOfEvents([
      arrival('evt_1', 'payment.succeeded', 10, first),
      arrival('evt_2', 'payment.disputed', 20, first),
      arrival('evt_3', 'payment.expired', 30, { ...second, amount: 500 }),
    ])
    expect(recorded?.remarks).toEqual([
      'evt_2 is left out, because a story has no payment.disputed.',
      'The payments have different amounts. Each has 1000 in the story.',
    ])
    expect(storyOfEvents([])).toBeUndefined()
    expect(storyOfEvents([arrival('evt_1', 'payout.succeeded', 10, { id: 'x' })])).toBeUndefined()
  })

  test('the share of a refund gives its exact amount', () => {
    for (let amount = 1; amount < 997; amount++) {
      const data = { id: 'a', created_at: time(0), amount: 997, refunds: [{ id: 'r', amount, status: 'succeeded' }] }
      const step = storyOfEvents([arrival('evt_1', 'payment.refunded', 10, data)])?.story.steps.at(-1)
      if (step?.do !== 'refund') throw new Error('The last step is not a refund.')
      expect(Math.floor((997 * step.percent) / 100)).toBe(amount)
    }
  })
})
