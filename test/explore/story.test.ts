import { describe, expect, test } from 'vitest'
import { enactStory } from '../../src/explore/enact-story.ts'
import type { Story, StoryStep } from '../../src/explore/story.ts'
import { allowedStates, totalsOf } from '../../src/explore/story-event.ts'
import { walkStory } from '../../src/explore/walk-story.ts'
import { seededRandomness } from '../../src/random.ts'

const IDS = () => ({ random: seededRandomness('ids'), orders: { main: 'A-1', unrelated: 'B-1' }, start: 0 })
const AMOUNTS = { main: 100_000, unrelated: 50_000 }
const paid: StoryStep[] = [
  { do: 'create', payment: 'p1', order: 'main' },
  { do: 'pay', payment: 'p1' },
]
const refund = (percent: number, result: 'succeeded' | 'failed' | 'pending' = 'succeeded', name = 'r1'): StoryStep => ({
  do: 'refund',
  payment: 'p1',
  refund: name,
  percent,
  result,
})
const tried = (act: 'decline' | 'expire' | 'cancel' | 'pay'): StoryStep[] => [
  { do: 'create', payment: 'p2', order: 'main' },
  { do: act, payment: 'p2' },
]
const enact = (...steps: StoryStep[]) => enactStory({ amounts: AMOUNTS, steps }, IDS())

describe('a story', () => {
  test('has the bytes and the true states of the engine', () => {
    const { events } = enact(...paid, refund(30), refund(0, 'succeeded', 'r2'))
    expect(events.map(({ name, snapshot }) => [name, snapshot])).toEqual([
      ['payment.succeeded', { status: 'succeeded', amount: 100_000, refunded: 0 }],
      ['payment.refunded', { status: 'succeeded', amount: 100_000, refunded: 30_000 }],
      ['payment.refunded', { status: 'refunded', amount: 100_000, refunded: 100_000 }],
    ])
    expect(JSON.parse(events[0]?.body ?? '')).toMatchObject({
      id: events[0]?.id,
      data: { order_id: 'A-1', amount: 100_000 },
    })
  })

  test('leaves out the steps that the engine refuses', () => {
    const { story } = enact(refund(30), ...paid, { do: 'cancel', payment: 'p1' }, refund(200))
    expect(story.steps).toEqual(paid)
  })

  test('never pays an order twice at the same time', () => {
    expect(enact(...paid, ...tried('pay')).events).toHaveLength(1)
    expect(enact(...paid, refund(0), ...tried('pay')).events).toHaveLength(3)
  })

  test('has the same steps for the same seed', () => {
    const walk = (seed: number) => walkStory(seededRandomness(seed))
    expect(walk(7)).toEqual(walk(7))
    expect(walk(7)).not.toEqual(walk(8))
  })

  test('is legal for any seed, and each of its events has a separate name', () => {
    for (let seed = 0; seed < 30; seed++) {
      const story: Story = walkStory(seededRandomness(seed))
      const enacted = enactStory(story, IDS())
      expect(enacted.story).toEqual(story)
      expect(enacted.events.length).toBeGreaterThan(0)
      expect(new Set(enacted.events.map(({ key }) => key)).size).toBe(enacted.events.length)
    }
  })
})

test.each([
  ['one failed try', tried('decline'), ['failed']],
  ['a paid order', paid, ['paid']],
  ['a try that expired after the order was paid', [...paid, ...tried('expire')], ['paid']],
  ['a failed refund', [...paid, refund(30, 'failed')], ['paid']],
  ['a pending refund', [...paid, refund(30, 'pending')], ['paid']],
  ['a partial refund', [...paid, refund(30)], ['part_refunded']],
  ['a full refund', [...paid, refund(0)], ['refunded']],
  ['a full refund and another payment', [...paid, refund(0), ...tried('pay')], ['paid', 'part_refunded']],
  ['a full refund and a failed try', [...paid, refund(0), ...tried('decline')], ['refunded', 'failed']],
])('%s allows the states %s', (_, steps, states) => {
  expect(allowedStates(enact(...steps).events)).toEqual(states)
})

test('the totals do not expect a refund that settles without an event', () => {
  const { events } = enact(...paid, refund(30, 'pending'), { do: 'settle', refund: 'r1', result: 'succeeded' })
  expect(totalsOf(events)).toMatchObject({ received: 100_000, refunded: 0 })
})
