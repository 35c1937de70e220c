// The messages of a run, its retries, and when the probes are read.
import { expect, test } from 'vitest'
import type { HandlerResponse } from '../../src/audit/ports.ts'
import { enactStory } from '../../src/explore/enact-story.ts'
import type { ExplorePorts } from '../../src/explore/explore-ports.ts'
import { type RunOptions, runSchedule } from '../../src/explore/run-schedule.ts'
import type { Schedule } from '../../src/explore/schedule.ts'
import { seededRandomness } from '../../src/random.ts'

const STORY = {
  amounts: { main: 1000, control: 1000 },
  steps: [
    { do: 'create', payment: 'p1', order: 'main' },
    { do: 'pay', payment: 'p1' },
  ],
} as const
const IDS = { random: seededRandomness('ids'), orders: { main: 'A-1', control: 'B-1' }, start: 0 }
const QUICK: RunOptions = { read: 'quick', resendsAll: false }

/** Runs a schedule of one payment. Each response has the given status, and the text of a reading says how it was read. */
async function run(schedule: Schedule, status: number, options = QUICK) {
  const enacted = enactStory(STORY, IDS)
  const reads: string[] = []
  const read = (mode: string) => async () => {
    reads.push(mode)
    return { text: mode }
  }
  const response: HandlerResponse = { status, ms: 1, text: '' }
  const probe = { label: 'orders/{order_id}', isPerOrder: true, once: read('once'), settled: read('settled') }
  const ports = {
    secret: 'whs_x',
    systemClock: { now: () => 0, monotonic: () => 0 },
    probes: [probe],
    send: async () => response,
  } as unknown as ExplorePorts
  return { events: enacted.events, response, reads, result: await runSchedule(enacted, schedule, ports, options) }
}

const reading = (text: string) => ({ probe: 'orders/{order_id}', order: 'main', text })

test('an event that is always refused is sent nine times, and the probes settle before each retry after the first', async () => {
  const { result, response, reads } = await run([[{ event: 'pay p1', copies: 1 }]], 409)
  const round = { messages: [{ event: 'pay p1', response }], accepted: [], readings: [reading('once')] }
  expect(result).toEqual({
    rounds: Array(9).fill(round),
    end: [reading('settled')],
    refused: ['pay p1'],
    broken: undefined,
    sent: 9,
  })
  expect(reads).toEqual(['once', 'once', ...Array(7).fill(['settled', 'once']).flat(), 'settled'])
})

test('an event that the story does not have is not sent', async () => {
  const schedule = [[{ event: 'pay p9', copies: 1 }], [{ event: 'pay p1', copies: 1 }]]
  const { result, response, events } = await run(schedule, 200, { ...QUICK, read: 'none' })
  expect(result).toEqual({
    rounds: [
      { messages: [], accepted: [], readings: [] },
      { messages: [{ event: 'pay p1', response }], accepted: events, readings: [] },
    ],
    end: [reading('settled')],
    refused: [],
    broken: undefined,
    sent: 1,
  })
})

test('no message is sent after the time of the search', async () => {
  const error = { name: 'TimeOverError', message: 'The time is over.' }
  await expect(run([[{ event: 'pay p1', copies: 1 }]], 200, { ...QUICK, until: 0 })).rejects.toMatchObject(error)
})
