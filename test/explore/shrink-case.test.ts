// Shrinking keeps what the failure needs, and removes or simplifies everything else.
import { expect, test } from 'vitest'
import { enactStory } from '../../src/explore/enact-story.ts'
import type { Case } from '../../src/explore/evaluate-case.ts'
import { inOrderSchedule, type Schedule } from '../../src/explore/schedule.ts'
import { shrinkCase } from '../../src/explore/shrink-case.ts'
import type { Story, StoryStep } from '../../src/explore/story.ts'
import { seededRandomness } from '../../src/random.ts'
import { EXPIRED, PAID, UNRELATED_PAID } from './story-runs.ts'

const PLAIN = { main: 100_000, unrelated: 100_000 }
const REFUND: StoryStep = { do: 'refund', payment: 'p1', refund: 'r1', percent: 17, result: 'pending' }

function legalize(story: Story) {
  const ids = { random: seededRandomness('legal'), orders: { main: 'A-1', unrelated: 'B-1' }, start: 0 }
  const enacted = enactStory(story, ids)
  return { story: enacted.story, events: enacted.events.map(({ key }) => key) }
}

const one = (event: string, copies = 1) => ({ event, copies })

/** Shrinks a case that fails under the given condition, and returns the smallest case and all cases that were tried. */
async function shrink(given: Partial<Case>, fails: (candidate: Case) => boolean, limit = Infinity) {
  const tried: Case[] = []
  const story = given.story ?? { amounts: PLAIN, steps: [...PAID, ...EXPIRED] }
  const start = { story, schedule: inOrderSchedule(legalize(story).events), resendsAll: false, ...given }
  const smallest = await shrinkCase(start, {
    legalize,
    async fails(candidate) {
      tried.push(candidate)
      return fails(candidate)
    },
    mayContinue: () => tried.length < limit,
  })
  return { start, smallest, tried }
}

const sentOf = ({ schedule }: Case) => schedule.flat().map(({ event }) => event)
const isSent = (given: Case, ...events: readonly string[]) => events.every((event) => sentOf(given).includes(event))

test('a case that no smaller one reproduces stays as it is', async () => {
  const { start, smallest, tried } = await shrink({}, () => false)
  expect(smallest).toBe(start)
  expect(tried.length).toBeGreaterThan(2)
})

test('no case is tried twice, and the first one is not tried again', async () => {
  const { start, tried } = await shrink({ resendsAll: true }, (one) => isSent(one, 'pay p1', 'expire p2'))
  const texts = tried.map((each) => JSON.stringify(each))
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts).not.toContain(JSON.stringify(start))
})

test('shrinking ends with the smallest case so far if the time is over', async () => {
  const given = { story: { amounts: PLAIN, steps: [...PAID, ...EXPIRED, REFUND] }, resendsAll: true }
  for (const limit of [0, 1, 2]) {
    const { start, smallest, tried } = await shrink(given, () => true, limit)
    expect(tried).toHaveLength(limit)
    expect(smallest).toEqual(tried.at(-1) ?? start)
  }
})

test('events are not sent again if the failure does not need it', async () => {
  const steps = [...PAID]
  const needed = await shrink({ story: { amounts: PLAIN, steps }, resendsAll: true }, ({ resendsAll }) => resendsAll)
  expect(needed.smallest).toEqual({ ...needed.start, resendsAll: true })
  const idle = await shrink({ story: { amounts: PLAIN, steps }, resendsAll: true }, () => true)
  expect(idle.smallest).toEqual({ ...idle.start, resendsAll: false })
})

test('a payment that the failure does not need is removed with its event', async () => {
  const { smallest } = await shrink({}, (candidate) => isSent(candidate, 'pay p1'))
  expect(smallest).toEqual({
    story: { amounts: PLAIN, steps: PAID },
    schedule: [[one('pay p1')]],
    resendsAll: false,
  })
})

test.each<[string, Schedule, Schedule, (schedule: Schedule) => boolean]>([
  ['one copy', [[one('pay p1', 4)]], [[one('pay p1')]], () => true],
  [
    'two copies',
    [[one('pay p1', 4)]],
    [[one('pay p1', 2)]],
    (schedule) => schedule.flat().some(({ copies }) => copies > 1),
  ],
  [
    'three copies',
    [[one('pay p1', 3)]],
    [[one('pay p1', 3)]],
    (schedule) => schedule.flat().some(({ copies }) => copies > 2),
  ],
  ['no lost response', [[{ ...one('pay p1'), response_lost: true }]], [[one('pay p1')]], () => true],
  [
    'a lost response',
    [[{ ...one('pay p1'), response_lost: true }]],
    [[{ ...one('pay p1'), response_lost: true }]],
    (schedule) => schedule.flat().some(({ response_lost }) => response_lost === true),
  ],
  [
    'one of several deliveries',
    [[one('pay p1')], [one('pay p1')], [one('pay p1')]],
    [[one('pay p1')], [one('pay p1')]],
    (schedule) => schedule.length > 1,
  ],
])('a schedule that fails only with %s keeps nothing else', async (_, schedule, smallest, fails) => {
  const given = { story: { amounts: PLAIN, steps: PAID }, schedule }
  const found = await shrink(given, (candidate) => fails(candidate.schedule))
  expect(found.smallest.schedule).toEqual(smallest)
})

test.each<[string, Schedule, (sent: readonly string[]) => boolean]>([
  ['story', [[one('pay p1')], [one('expire p2')]], () => true],
  ['opposite', [[one('expire p2')], [one('pay p1')]], ([first]) => first === 'expire p2'],
])('events at the same time are sent one after the other in the order of the %s', async (_, expected, fails) => {
  const schedule = [[one('pay p1'), one('expire p2')]]
  const isFailing = (candidate: Case) => isSent(candidate, 'pay p1', 'expire p2') && fails(sentOf(candidate))
  expect((await shrink({ schedule }, isFailing)).smallest.schedule).toEqual(expected)
})

test('events stay at the same time if the failure needs it', async () => {
  const schedule = [[one('expire p2'), one('pay p1')]]
  const { smallest } = await shrink({ schedule }, (candidate) => candidate.schedule.some(({ length }) => length > 1))
  expect(smallest.schedule).toEqual(schedule)
})

test('events are sent in the order of the story unless the failure needs another one', async () => {
  const steps = [...PAID, ...EXPIRED, { do: 'create', payment: 'p3', order: 'main' }, { do: 'cancel', payment: 'p3' }]
  const schedule = [[one('cancel p3')], [one('expire p2')], [one('pay p1')]]
  const { smallest } = await shrink(
    { story: { amounts: PLAIN, steps: steps as StoryStep[] }, schedule },
    (candidate) => {
      const sent = sentOf(candidate)
      return sent.length === 3 && sent.indexOf('expire p2') < sent.indexOf('pay p1')
    },
  )
  expect(sentOf(smallest)).toEqual(['expire p2', 'pay p1', 'cancel p3'])
})

test('amounts and refunds become plain if the failure does not need them', async () => {
  const story = { amounts: { main: 123_456, unrelated: 7 }, steps: [...PAID, REFUND] }
  const hasRefund = (candidate: Case) => isSent(candidate, 'refund r1')
  const { smallest } = await shrink({ story }, hasRefund)
  expect(smallest.story).toEqual({ amounts: PLAIN, steps: [...PAID, { ...REFUND, percent: 30, result: 'failed' }] })
  const odd = await shrink(
    { story },
    ({ story: { amounts }, ...rest }) => amounts.main === 123_456 && hasRefund({ story, ...rest }),
  )
  expect(odd.smallest.story.amounts).toEqual(story.amounts)
  const whole = { ...story, steps: [...PAID, { ...REFUND, percent: 0, result: 'succeeded' } as const] }
  expect((await shrink({ story: whole }, hasRefund)).smallest.story.steps).toEqual(whole.steps)
  const pending = await shrink({ story }, (candidate) => {
    const last = candidate.story.steps.at(-1)
    return last?.do === 'refund' && last.result === 'pending'
  })
  expect(pending.smallest.story.steps.at(-1)).toEqual({ ...REFUND, percent: 30 })
})

test('the payment of an unrelated order moves to the main order if no other payment is left', async () => {
  const story = { amounts: { main: 1000, unrelated: 2000 }, steps: [...PAID, ...UNRELATED_PAID] }
  const { smallest } = await shrink({ story }, ({ story: { amounts }, ...rest }) => {
    return amounts.unrelated === 2000 && isSent({ story, ...rest }, 'pay u1')
  })
  expect(smallest.story).toEqual({
    amounts: { main: 2000, unrelated: 2000 },
    steps: [{ do: 'create', payment: 'u1', order: 'main' }, UNRELATED_PAID[1]],
  })
})
