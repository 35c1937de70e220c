// `psp events replay --since` and `deliveries retry --status`: each result is printed as it arrives, and events without a receiver are skipped.
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  closeHandlers,
  jsonOf,
  type RunningPsp,
  type RunResult,
  serveHandler,
  startTestServer,
  type TestServer,
  waitUntil,
} from './helpers.ts'

let server: TestServer
/** The names of the events that the receiver got. */
let received: string[]
/** The receiver's status for the nth event. Without a status it does not respond. */
let statusOf: (nth: number) => number | undefined
let hook: string

beforeEach(async () => {
  server = await startTestServer()
  received = []
  statusOf = () => 200
  hook = await serveHandler(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    received.push(JSON.parse(body).event)
    const status = statusOf(received.length)
    if (status !== undefined) response.writeHead(status).end()
  })
})
afterEach(async () => {
  closeHandlers()
  await server.close()
})

const run = async (line: string) => await server.psp(line)
const start = (line: string): RunningPsp => server.startPsp(line.split(' '))

/** Makes one event for each name. */
async function makeEvents(...names: string[]): Promise<void> {
  for (const name of names) await run(`trigger ${name}`)
}

/** Subscribes the receiver and forgets the events before. */
async function subscribe(events: string): Promise<void> {
  const made = await run(`webhooks endpoints create ${hook} --events ${events} --json`)
  expect(made.code).toBe(0)
  received.length = 0
}

const linesOf = ({ stdout }: Pick<RunResult, 'stdout'>) => stdout.trim().split('\n')

const MIXED = ['payment.succeeded', 'payment.succeeded', 'payment.failed', 'payment.succeeded']

test('`events replay --since` skips and counts an event without a receiver, and sends the later ones', async () => {
  await makeEvents(...MIXED)
  await subscribe('payment.succeeded')
  const { code, stdout, stderr } = await run('events replay --since 1h')
  expect([code, received.length]).toEqual([0, 3])
  expect(linesOf({ stdout })).toHaveLength(4)
  expect(stderr).toContain('1 of 4 events has no receiver.')
})

test('`events replay --since --dry-run` shows the requests for the events that have a receiver, and counts the others', async () => {
  await makeEvents(...MIXED)
  await subscribe('payment.succeeded')
  const ran = await run('events replay --since 1h --dry-run --json')
  expect([ran.code, received]).toEqual([0, []])
  const { requests, remarks } = jsonOf(ran) as { requests: unknown[]; remarks: string[] }
  expect(requests).toHaveLength(3)
  expect(remarks).toContain('1 of 4 events has no receiver.')
})

test.each(['', ' --dry-run'])('`events replay --since%s` fails if no event has a receiver', async (flag) => {
  await makeEvents('payment.failed', 'payment.failed')
  await subscribe('payment.succeeded')
  const { code, stdout, stderr } = await run(`events replay --since 1h${flag}`)
  expect([code, stdout]).toEqual([5, ''])
  expect(stderr).toContain('No endpoint subscribes to any of the 2 events.\nSend them to a URL with --to, or add')
})

test('`events replay` of given ids prints the earlier results if a later event has no receiver', async () => {
  await makeEvents('payment.succeeded', 'payment.failed')
  await subscribe('payment.succeeded')
  const { items } = jsonOf(await run('events list --json')) as { items: { id: string; event: string }[] }
  const idOf = (name: string) => items.find(({ event }) => event === name)?.id
  const ran = await run(`events replay ${idOf('payment.succeeded')} ${idOf('payment.failed')}`)
  expect([ran.code, received]).toEqual([5, ['payment.succeeded']])
  expect(ran.stdout).toContain('payment.succeeded  200')
  expect(ran.stderr).toContain(`No endpoint of its shop subscribes to the event ${idOf('payment.failed')}.`)
})

test.each(['events replay --since 1h', 'webhooks deliveries retry --status delivered'])(
  '`%s` prints each result as it arrives, and keeps it after Ctrl-C',
  async (line) => {
    const name = 'payment.succeeded'
    await subscribe('payment.*')
    await makeEvents(name, name, name, name)
    for (const flag of ['', ' --json']) {
      received.length = 0
      statusOf = (nth) => (nth > 2 ? undefined : 200)
      const running = start(`${line}${flag}`)
      await waitUntil(() => received.length === 3)
      const printed = running.output()
      expect(printed.split(name).length).toBeGreaterThan(2)
      running.signal('SIGINT')
      const { code, stdout } = await running.ended
      expect([code, stdout]).toEqual([130, printed])
      expect(linesOf({ stdout })).toHaveLength(flag === '' ? 3 : 2)
    }
  },
)

test.each(['events replay --since 1h', 'webhooks deliveries retry --status delivered'])(
  '`%s --json` prints the successful results if one delivery fails',
  async (line) => {
    await subscribe('payment.*')
    await makeEvents('payment.succeeded', 'payment.succeeded', 'payment.succeeded')
    received.length = 0
    statusOf = (nth) => (nth === 2 ? 500 : 200)
    const ran = await run(`${line} --json`)
    expect([ran.code, linesOf(ran).length]).toEqual([1, 3])
    for (const document of linesOf(ran)) expect(JSON.parse(document)).toBeTypeOf('object')
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: 'delivery_failed', message: '1 of 3 failed.' } })
  },
)

test('a lost server in the middle of a replay keeps the results that were printed', async () => {
  await subscribe('payment.*')
  await makeEvents('payment.succeeded', 'payment.succeeded')
  received.length = 0
  statusOf = (nth) => (nth > 1 ? undefined : 200)
  const running = start('events replay --since 1h')
  await waitUntil(() => received.length === 2)
  await server.close()
  const { code, stdout } = await running.ended
  expect(code).not.toBe(0)
  expect(stdout).toContain('payment.succeeded  200')
  server = await startTestServer()
})

test.each(['events replay --since 1h', 'webhooks deliveries retry --status delivered'])(
  '`%s` at 80 columns shortens a long error and the url, and omits no column',
  async (line) => {
    await subscribe('payment.*')
    await makeEvents('payment.succeeded', 'payment.succeeded')
    closeHandlers()
    const ran = await server.psp(`${line} --color never`, { terminal: true, columns: 80 })
    expect(ran.code).toBe(1)
    expect(ran.stderr).not.toContain('Columns that do not fit')
    const [titles = '', ...rows] = linesOf(ran)
    expect(titles.split(/ {2,}/).slice(1)).toEqual([expect.any(String), 'response', 'took', 'url'])
    expect(rows).toHaveLength(2)
    for (const row of rows)
      expect(row).toMatch(/ {2}payment\.succeeded {2}Connection refused\S*… {2,}\d+ ms {2}http:\/\/\S+…$/)
    for (const row of [titles, ...rows]) expect(row.length).toBeLessThanOrEqual(80)
  },
)
