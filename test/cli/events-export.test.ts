// `psp events export --scenario`: the file replays the story of an order.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestDir, jsonOf, startReceiver, startTestServer, type TestReceiver, type TestServer } from './helpers.ts'

let folder: ReturnType<typeof createTestDir>
let server: TestServer
let app: TestReceiver
beforeEach(async () => {
  folder = createTestDir()
  server = await startTestServer()
  app = await startReceiver()
})
afterEach(async () => {
  await app.close()
  await server.close()
  folder.remove()
})

const run = (line: string) => server.psp(line, { cwd: folder.path })
const read = (name: string) => JSON.parse(readFileSync(join(folder.path, name), 'utf8'))

function event(id: string, name: string, created: string, data: object): string {
  return JSON.stringify({ id, event: name, created_at: created, data: { amount: 5000, order_id: 'A-7', ...data } })
}

/** The refund arrived before the success, and the success twice. */
async function importIncident() {
  const payment = { id: 'pay_1', created_at: '2026-05-06T12:00:00Z' }
  const paid = event('evt_1', 'payment.succeeded', '2026-05-06T12:00:10Z', payment)
  const refunded = event('evt_2', 'payment.refunded', '2026-05-06T12:01:00Z', {
    ...payment,
    refunds: [{ id: 'r', amount: 2000, status: 'succeeded' }],
  })
  const lines = [
    { received_at: '2026-05-06T12:01:01Z', body: refunded },
    { received_at: '2026-05-06T12:01:02Z', body: paid },
    { received_at: '2026-05-06T12:01:12Z', body: paid },
  ]
  writeFileSync(join(folder.path, 'a.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'))
  expect((await run('events import a.ndjson')).code).toBe(0)
}

test('the scenario of an imported order delivers its events in the recorded order', async () => {
  await importIncident()
  const exported = await run('events export --scenario out.json --order A-7 --imported --json')
  expect(exported.code, exported.stderr).toBe(0)
  expect(jsonOf(exported)).toMatchObject({ file: 'out.json', events: 2, deliveries: 3, remarks: [] })
  await run(`webhooks endpoints create http://127.0.0.1:${app.port}/hooks`)
  const played = await run('trigger out.json')
  expect(played.code, played.stdout + played.stderr).toBe(0)
  const bodies = app.bodies.map((body) => JSON.parse(String(body)))
  expect(bodies.map(({ event: name }) => name)).toEqual(['payment.refunded', 'payment.succeeded', 'payment.succeeded'])
  expect(bodies[0].data).toMatchObject({ order_id: 'A-7', amount: 5000, refunds: [{ amount: 2000 }] })
})

/** Imports webhooks that arrived one second after the other. */
async function importWebhooks(...bodies: string[]) {
  const lines = bodies.map((body, at) => ({ received_at: `2026-05-06T12:02:0${at}Z`, body }))
  writeFileSync(join(folder.path, 'a.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'))
  expect((await run('events import a.ndjson')).code).toBe(0)
}

test('a second payment of an order is a part of the scenario', async () => {
  const [first, second] = ['pay_1', 'pay_2'].map((id, at) => ({ id, created_at: `2026-05-06T12:00:0${at}Z` }))
  await importWebhooks(
    event('evt_1', 'payment.succeeded', '2026-05-06T12:00:10Z', { ...first }),
    event('evt_2', 'payment.succeeded', '2026-05-06T12:00:20Z', { ...second }),
    event('evt_3', 'payout.succeeded', '2026-05-06T12:00:30Z', { id: 'out_1' }),
  )
  const exported = await run('events export --scenario out.json --order A-7 --imported --json')
  expect(jsonOf(exported)).toMatchObject({
    events: 2,
    deliveries: 2,
    remarks: [
      'evt_3 is left out, because a story has no payout.succeeded.',
      'The order is paid twice. `psp trigger` also pays it twice, but an exploration pays an order only once.',
    ],
  })
  await run(`webhooks endpoints create http://127.0.0.1:${app.port}/hooks`)
  const played = await run('trigger out.json')
  expect(played.code, played.stdout + played.stderr).toBe(0)
  const paid = app.bodies.map((body) => JSON.parse(String(body)))
  expect(paid.map(({ event: name, data }) => [name, data.order_id])).toEqual([
    ['payment.succeeded', 'A-7'],
    ['payment.succeeded', 'A-7'],
  ])
  expect(new Set(paid.map(({ data }) => data.id)).size).toBe(2)
})

test('an event that is missing in the recording is delivered at the end, and the output says so', async () => {
  await importWebhooks(
    event('evt_2', 'payment.refunded', '2026-05-06T12:01:00Z', {
      id: 'pay_1',
      created_at: '2026-05-06T12:00:00Z',
      refunds: [{ id: 'r', amount: 2000, status: 'succeeded' }],
    }),
  )
  const exported = await run('events export --scenario out.json --order A-7 --imported')
  expect(exported.stdout).toMatch(/events +2, delivered 2 times/)
  expect(exported.stderr).toContain('The recording has no webhook about "pay p1". This event is delivered at the end.')
})

test('an event that the sandbox cannot repeat is named, and the exit code is 8', async () => {
  const payment = { id: 'pay_1', created_at: '2026-05-06T12:00:00Z' }
  await importWebhooks(
    event('evt_1', 'payment.expired', '2026-05-06T12:00:10Z', payment),
    event('evt_2', 'payment.succeeded', '2026-05-06T12:00:20Z', payment),
  )
  const exported = await run('events export --scenario out.json --order A-7 --imported')
  expect(exported.code).toBe(8)
  expect(exported.stderr).toContain(
    'The step "pay p1" and its event are left out, because the sandbox does not allow this step here.',
  )
  expect(exported.stderr).not.toContain('{"')
})

test.each([0, 10.5, '5000', null, -1])('a payment with the amount %j is refused', async (amount) => {
  const payment = { id: 'pay_1', created_at: '2026-05-06T12:00:00Z', amount }
  await importWebhooks(event('evt_1', 'payment.succeeded', '2026-05-06T12:00:10Z', payment))
  const { code, stderr } = await run('events export --scenario out.json --order A-7 --imported')
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`The payment pay_1 has the amount ${JSON.stringify(amount)}.`),
  ])
})

test('the file is a story for `audit --explore` and for `audit --replay`', async () => {
  await importIncident()
  await run('events export --scenario out.json --order A-7 --imported')
  expect(read('out.json').finding).toMatchObject({ id: 'recorded', resends_all: false })
  const url = `http://127.0.0.1:${app.port}/hooks`
  const explored = await run(`audit ${url} --explore 20s --deliveries 200 --lanes 1 --seed 1 --story out.json --json`)
  expect([0, 8], explored.stderr).toContain(explored.code)
  const names = app.bodies.map((body) => JSON.parse(String(body)).event)
  expect(names.join(' ')).toContain('payment.refunded payment.succeeded payment.succeeded')
})

test('the events of the sandbox are exported with their attempts', async () => {
  await run(`webhooks endpoints create http://127.0.0.1:${app.port}/hooks`)
  app.response = { status: 500, body: '' }
  await run('trigger payment.failed --set order_id=B-1')
  await run('clock advance 5s')
  app.response = { status: 200, body: '' }
  await run('clock advance --until-idle')
  await run('trigger payment.failed --set order_id=B-10')
  const exported = await run('events export --scenario out.json --order B-1')
  expect(exported.stdout).toMatch(/events +1, delivered 2 times/)
  expect(read('out.json').finding.schedule).toHaveLength(2)
})

test('`--scenario -` prints the file on stdout, and creates none', async () => {
  await run('trigger payment.failed --set order_id=B-3')
  const before = readdirSync(folder.path)
  const { code, stdout } = await run('events export --scenario - --order B-3')
  expect([code, JSON.parse(stdout).finding.schedule.length, readdirSync(folder.path)]).toEqual([0, 1, before])
})

test('an export of an order with several endpoints has the attempts at the first one', async () => {
  const other = await startReceiver()
  onTestFinished(() => other.close())
  for (const { port } of [app, other]) await run(`webhooks endpoints create http://127.0.0.1:${port}/hooks`)
  app.response = { status: 500, body: '' }
  await run('trigger payment.failed --set order_id=B-2')
  app.response = { status: 200, body: '' }
  await run('clock advance --until-idle')
  expect([app.bodies.length, other.bodies.length]).toEqual([2, 1])
  const exported = await run('events export --scenario out.json --order B-2')
  expect(exported.stdout).toMatch(/events +1, delivered 2 times/)
})

test('an order without events, and a file that exists, are refused', async () => {
  await importIncident()
  expect((await run('events export --scenario out.json --order B --imported')).code).toBe(4)
  expect((await run('events export --scenario out.json --order A-7')).stderr).toContain('Add --imported')
  expect((await run('events export --order A-7')).code).toBe(2)
  expect((await run('events export --scenario out.json')).code).toBe(2)
  expect((await run('events export --scenario a.ndjson --order A-7 --imported')).code).toBe(2)
  expect((await run('audit 3000 --story out.json')).code).toBe(2)
  const wrong = await run('audit 3000 --explore 1s --story a.ndjson')
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('a.ndjson is not a story')])
})
