import { describe, expect, test } from 'vitest'
import { MUTATIONS, mutateSchedule } from '../../src/explore/mutate-schedule.ts'
import { countMessages, fitSchedule, inOrderSchedule, isConcurrent } from '../../src/explore/schedule.ts'
import { shrinkCase } from '../../src/explore/shrink-case.ts'
import { seededRandomness } from '../../src/random.ts'

const EVENTS = ['pay p1', 'refund r1', 'refund r2', 'expire p2']

describe('a mutated schedule', () => {
  test('still delivers every event, with at most four copies', () => {
    for (let seed = 0; seed < 200; seed++) {
      const schedule = mutateSchedule(inOrderSchedule(EVENTS), seededRandomness(seed))
      expect(new Set(schedule.flat().map(({ event }) => event))).toEqual(new Set(EVENTS))
      expect(schedule.every((round) => round.length > 0)).toBe(true)
      expect(Math.max(...schedule.flat().map(({ copies }) => copies))).toBeLessThanOrEqual(4)
    }
  })

  test.each(MUTATIONS)('has another order or more copies after the mutation $id', ({ apply }) => {
    const plain = inOrderSchedule(EVENTS)
    const changed = [0, 1, 2, 3, 4].map((seed) => apply(plain, seededRandomness(seed)))
    expect(changed).toContainEqual(expect.not.objectContaining(plain))
    expect(changed.some((schedule) => JSON.stringify(schedule) !== JSON.stringify(plain))).toBe(true)
  })
})

test('a schedule is fitted to a shorter story', () => {
  const schedule = [[{ event: 'refund r1', copies: 2 }], [{ event: 'gone', copies: 1 }]]
  expect(fitSchedule(schedule, ['pay p1', 'refund r1'])).toEqual([
    [{ event: 'refund r1', copies: 2 }],
    [{ event: 'pay p1', copies: 1 }],
  ])
})

test('copies, lost responses and shared rounds are concurrent, and an event with a lost response is sent twice', () => {
  expect(isConcurrent(inOrderSchedule(EVENTS))).toBe(false)
  expect(isConcurrent([[{ event: 'a', copies: 2 }]])).toBe(true)
  expect(isConcurrent([[{ event: 'a', copies: 1, response_lost: true }]])).toBe(true)
  expect(
    countMessages([
      [
        { event: 'a', copies: 2, response_lost: true },
        { event: 'b', copies: 3 },
      ],
    ]),
  ).toBe(5)
})

test('shrinking removes everything that the failure does not need', async () => {
  const steps = EVENTS.map((key) => ({ do: 'pay', payment: key }) as const)
  const start = {
    story: { amounts: { main: 123, unrelated: 456 }, steps },
    schedule: inOrderSchedule(EVENTS.map((key) => `pay ${key}`))
      .toReversed()
      .map((round) => round.map((one) => ({ ...one, copies: 3 }))),
    resendsAll: true,
  }
  const smallest = await shrinkCase(start, {
    legalize: (story) => ({
      story,
      events: story.steps.map((step) => ('payment' in step ? `pay ${step.payment}` : '')),
    }),
    // Fails if `refund r1` arrives before `pay p1`.
    fails: async ({ schedule }) => {
      const sent = schedule.flat().map(({ event }) => event)
      return (
        sent.includes('pay refund r1') &&
        sent.includes('pay pay p1') &&
        sent.indexOf('pay refund r1') < sent.indexOf('pay pay p1')
      )
    },
    mayContinue: () => true,
  })
  expect(smallest.schedule).toEqual([[{ event: 'pay refund r1', copies: 1 }], [{ event: 'pay pay p1', copies: 1 }]])
  expect(smallest.story.steps).toHaveLength(2)
  expect(smallest.resendsAll).toBe(false)
})
