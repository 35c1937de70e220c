// The messages of a run, its retries, and when the probes are read.
import { describe, expect, test } from 'vitest'
import { type HandlerResponse, ProbeError } from '../../src/audit/ports.ts'
import { enactStory } from '../../src/explore/enact-story.ts'
import type { ExplorePorts } from '../../src/explore/explore-ports.ts'
import { type RunOptions, runSchedule } from '../../src/explore/run-schedule.ts'
import type { Schedule } from '../../src/explore/schedule.ts'
import type { Story } from '../../src/explore/story.ts'
import { seededRandomness } from '../../src/random.ts'

const STORY = {
  amounts: { main: 1000, unrelated: 1000 },
  steps: [
    { do: 'create', payment: 'p1', order: 'main' },
    { do: 'pay', payment: 'p1' },
  ],
} as const
const IDS = { random: seededRandomness('ids'), orders: { main: 'A-1', unrelated: 'B-1' }, start: 0 }
const GONE: HandlerResponse = { error: 'nothing listens', code: 'ECONNREFUSED', ms: 1, text: '' }
const READ_ONCE: RunOptions = { read: 'once', resendsAll: false }

/**
 * Runs a schedule of one payment. The text of a reading says how it was read.
 * @param status the status of each response, or the statuses of the first ones. Then the connection is refused.
 * @param readError returns the error of a read of the probe, given how many messages were sent before it
 */
async function run(
  schedule: Schedule,
  status: number | readonly number[],
  options = READ_ONCE,
  readError: (sent: number) => Error | undefined = () => undefined,
  story: Story = STORY,
) {
  let sent = 0
  const enacted = enactStory(story, IDS)
  const reads: string[] = []
  const read = (mode: string) => async () => {
    reads.push(mode)
    const error = readError(sent)
    if (error !== undefined) throw error
    return { text: mode }
  }
  const left = typeof status === 'number' ? undefined : [...status]
  const responseOf = (known?: number): HandlerResponse =>
    known === undefined ? GONE : { status: known, ms: 1, text: '' }
  const response = typeof status === 'number' ? responseOf(status) : responseOf(status[0])
  const probe = { label: 'orders/{order_id}', isPerOrder: true, once: read('once'), settled: read('settled') }
  const ports = {
    secret: 'whs_x',
    systemClock: { now: () => 0, monotonic: () => 0 },
    probes: [probe],
    async send() {
      sent++
      return left === undefined ? response : responseOf(left.shift())
    },
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
  const { result, response, events } = await run(schedule, 200, { ...READ_ONCE, read: 'none' })
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
  await expect(run([[{ event: 'pay p1', copies: 1 }]], 200, { ...READ_ONCE, until: 0 })).rejects.toMatchObject(error)
})

describe('a run that sends all events again', () => {
  const AGAIN: RunOptions = { ...READ_ONCE, resendsAll: true }
  const once = [[{ event: 'pay p1', copies: 1 }]]

  test('reads the probes before and after it', async () => {
    const { result, response, events, reads } = await run(once, 200, AGAIN)
    expect(result).toEqual({
      rounds: [{ messages: [{ event: 'pay p1', response }], accepted: events, readings: [reading('once')] }],
      end: [reading('settled')],
      afterResend: [reading('settled')],
      refused: [],
      broken: undefined,
      sent: 2,
    })
    expect(reads).toEqual(['once', 'settled', 'settled'])
  })

  test('has the messages that were sent again only if one of them broke the handler', async () => {
    const { result, response, events } = await run(once, [200], AGAIN)
    const round = (answer: HandlerResponse, readings: object[]) => ({
      messages: [{ event: 'pay p1', response: answer }],
      accepted: events,
      readings,
    })
    expect(result).toEqual({
      rounds: [round(response, [reading('once')]), round(GONE, [])],
      end: [reading('settled')],
      refused: [],
      broken: 'gone',
      sent: 2,
    })
  })

  test('sends nothing again if the handler broke before, and no retry', async () => {
    const { result, reads } = await run(once, [], AGAIN)
    expect(result).toEqual({
      rounds: [{ messages: [{ event: 'pay p1', response: GONE }], accepted: [], readings: [] }],
      end: [],
      refused: ['pay p1'],
      broken: 'gone',
      sent: 1,
    })
    expect(reads).toEqual([])
  })
})

test('copies count as attempts, and an accepted event is not retried', async () => {
  const copies = await run([[{ event: 'pay p1', copies: 4 }]], 409, { ...READ_ONCE, read: 'none' })
  expect(copies.result.rounds.map(({ messages }) => messages.length)).toEqual([4, 1, 1, 1, 1, 1])
  const late = await run([[{ event: 'pay p1', copies: 1 }]], [409, 503, 204], { ...READ_ONCE, read: 'none' })
  expect(late.result.rounds.map(({ messages }) => messages[0]?.response.status)).toEqual([409, 503, 204])
  expect(late.result.refused).toEqual([])
})

test('a message whose response is lost is sent twice, and only the second response counts', async () => {
  const { result } = await run([[{ event: 'pay p1', copies: 1, response_lost: true }]], [200, 204], {
    ...READ_ONCE,
    read: 'none',
  })
  const messages = result.rounds.map((round) => round.messages.map(({ response }) => [response.status, response.code]))
  expect(messages).toEqual([
    [
      [undefined, 'ABANDONED'],
      [204, undefined],
    ],
  ])
  expect(result.sent).toBe(2)
})

describe('a run whose probe fails', () => {
  const once = [[{ event: 'pay p1', copies: 1 }]]
  const OF_TARGET = new ProbeError('Nothing listens.', 'Start it.', true)
  const OF_COMMAND = new ProbeError('The probe command exited with 7.', 'Run it yourself.')

  test('is broken off if the probe is on the server of the handler', async () => {
    const { result, response, events, reads } = await run(once, 200, READ_ONCE, () => OF_TARGET)
    expect(result).toEqual({
      rounds: [{ messages: [{ event: 'pay p1', response }], accepted: events, readings: [] }],
      end: [],
      refused: [],
      broken: 'gone',
      sent: 1,
    })
    expect(reads).toEqual(['once'])
  })

  test('is broken off if the handler does not respond to the last event again', async () => {
    const { result, response, events, reads } = await run(once, [200], READ_ONCE, () => OF_COMMAND)
    expect(result).toEqual({
      rounds: [
        { messages: [{ event: 'pay p1', response }], accepted: events, readings: [] },
        { messages: [{ event: 'pay p1', response: GONE }], accepted: events, readings: [] },
      ],
      end: [],
      refused: [],
      broken: 'gone',
      sent: 2,
    })
    expect(reads).toEqual(['once'])
  })

  test('rejects with the error of the probe if the handler still responds', async () => {
    await expect(run(once, 200, READ_ONCE, () => OF_COMMAND)).rejects.toBe(OF_COMMAND)
    const after = (count: number) => (sent: number) => (sent > count ? OF_COMMAND : undefined)
    await expect(run(once, 200, { ...READ_ONCE, resendsAll: true }, after(1))).rejects.toBe(OF_COMMAND)
  })

  test('rejects with the error of the probe if no message was sent', async () => {
    await expect(run([[{ event: 'pay p9', copies: 1 }]], 200, READ_ONCE, () => OF_COMMAND)).rejects.toBe(OF_COMMAND)
  })

  test('rejects with any other error', async () => {
    const other = new Error('A bug.')
    await expect(run(once, 200, READ_ONCE, () => other)).rejects.toBe(other)
    await expect(run(once, [200], READ_ONCE, () => other)).rejects.toBe(other)
  })

  test('has the repeats if one of them broke the handler', async () => {
    const options = { ...READ_ONCE, resendsAll: true }
    const { result } = await run(once, [200, 200], options, (sent) => (sent > 1 ? OF_COMMAND : undefined))
    expect(result.rounds.map(({ messages }) => messages.map(({ response }) => response.status))).toEqual([
      [200],
      [200],
      [undefined],
    ])
    expect([result.broken, result.sent, result.afterResend]).toEqual(['gone', 3, undefined])
  })
})

test('copies that are refused more than nine times are not retried', async () => {
  const { result } = await run([[{ event: 'pay p1', copies: 10 }]], 409, { ...READ_ONCE, read: 'none' })
  expect([result.sent, result.refused]).toEqual([10, ['pay p1']])
})

test('nothing is sent after the round that broke the handler', async () => {
  const { result } = await run([[{ event: 'pay p1', copies: 1 }], [{ event: 'pay p1', copies: 1 }]], [])
  expect([result.rounds.length, result.sent, result.broken]).toEqual([1, 1, 'gone'])
})

test('the event that is sent again after a failed read is the last one', async () => {
  const refund = { do: 'refund', payment: 'p1', refund: 'r1', percent: 0, result: 'succeeded' } as const
  const story: Story = { ...STORY, steps: [...STORY.steps, refund] }
  const schedule = [[{ event: 'pay p1', copies: 1 }], [{ event: 'refund r1', copies: 1 }]]
  const error = new ProbeError('The probe command exited with 7.', 'Run it yourself.')
  const { result } = await run(schedule, [200, 200], READ_ONCE, (sent) => (sent > 1 ? error : undefined), story)
  expect(result.rounds.map(({ messages }) => messages.map(({ event }) => event))).toEqual([
    ['pay p1'],
    ['refund r1'],
    ['refund r1'],
  ])
})
