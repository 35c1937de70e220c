// `psp events replay --imported`: what the receiver gets.
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { createTestDir, jsonOf, type RunningPsp, startTestServer, type TestServer } from './helpers.ts'

interface Received {
  readonly path: string
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
}

let folder: ReturnType<typeof createTestDir>
let server: TestServer
let app: Server
let received: Received[]
let status: (body: string) => number

beforeEach(async () => {
  folder = createTestDir()
  server = await startTestServer()
  received = []
  status = () => 200
  app = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    received.push({ path: request.url ?? '', headers: request.headers, body })
    response.writeHead(status(body.toString())).end()
  })
  await new Promise<void>((resolve) => void app.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  app.close()
  await server.close()
  folder.remove()
})

const url = () => `http://127.0.0.1:${(app.address() as AddressInfo).port}/hooks`
const run = (line: string) => server.psp(line.replace('URL', url()), { cwd: folder.path })
const bodyOf = (id: string, order: string, event = 'payment.succeeded') =>
  `{"id":"${id}",  "event":"${event}","created_at":"2026-05-06T12:00:00Z","data":{"id":"pay_${order}","order_id":"${order}","amount":1.50}}`

async function importBodies(...bodies: string[]) {
  writeFileSync(join(folder.path, 'a.ndjson'), bodies.join('\n'))
  expect((await run('events import a.ndjson')).code).toBe(0)
}

test('a replay sends the bytes of the recording with a valid signature of the local secret and a fresh time', async () => {
  await importBodies(bodyOf('evt_1', 'A-7'))
  const ran = await run('events replay --imported --to URL')
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  expect(ran.stdout).toMatch(/evt_1 +payment\.succeeded +200 /)
  expect(received.map(({ body }) => body.toString())).toEqual([bodyOf('evt_1', 'A-7')])
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = received
  expect(verifyWebhook(body, headers, DEFAULT_SHOP.webhook_secret)).toMatchObject({ valid: true, version: 'v2' })
  expect(headers).toMatchObject({ 'x-psp-event-id': 'evt_1', 'user-agent': 'psp-webhook/1.0' })
})

test('the list of imported events shows the id of the event, as the replay does, and the id for `events get`', async () => {
  await importBodies(bodyOf('evt_1', 'A-7'))
  const { stdout } = await run('events list --imported')
  expect(stdout).toMatch(/^event +name .+ import *\n/)
  const id = /^evt_1 +payment\.succeeded .+ (imp_[a-z0-9]{24})$/m.exec(stdout)?.[1]
  expect((await run(`events get ${id}`)).stdout).toMatch(new RegExp(`^event +evt_1\nimport +${id}\n`))
})

test('`--map` replaces the values of a field, and names a value that no map contains', async () => {
  await importBodies(bodyOf('evt_1', 'A-7'), bodyOf('evt_2', 'A-8'))
  writeFileSync(join(folder.path, 'orders.csv'), 'A-7,local-1\n')
  const ran = await run('events replay --imported --to URL --map order_id=orders.csv')
  expect(ran.stderr).toContain('1 value of a mapped field is in no map, such as A-8.')
  const bodies = received.map(({ body }) => body.toString()).sort()
  expect(bodies).toEqual([
    bodyOf('evt_1', 'A-7').replace('"order_id":"A-7"', '"order_id":"local-1"'),
    bodyOf('evt_2', 'A-8'),
  ])
  for (const { body, headers } of received) {
    expect(verifyWebhook(body, headers, DEFAULT_SHOP.webhook_secret).valid).toBe(true)
  }
})

test('imported events are selected by id, order and name', async () => {
  await importBodies(bodyOf('evt_1', 'A-7'), bodyOf('evt_2', 'A-8', 'payment.failed'), bodyOf('evt_3', 'A-8'))
  const sent = async (flags: string) => {
    received = []
    await run(`events replay ${flags} --imported --to URL`)
    return received.map(({ body }) => JSON.parse(body.toString()).id).sort()
  }
  expect(await sent('evt_1')).toEqual(['evt_1'])
  expect(await sent('--order A-8')).toEqual(['evt_2', 'evt_3'])
  expect(await sent('--event !payment.failed')).toEqual(['evt_1', 'evt_3'])
  expect(await sent('--speed 1000x')).toEqual(['evt_1', 'evt_2', 'evt_3'])
  expect((await run('events replay evt_9 --imported --to URL')).code).toBe(4)
  expect((await run('events replay --imported --to URL --order B')).code).toBe(4)
})

test('the exit code is 1 if an event is not accepted, and each result is on a line of the JSON output', async () => {
  await importBodies(bodyOf('evt_1', 'A-7'), bodyOf('evt_2', 'A-8'))
  status = (body) => (body.includes('evt_2') ? 500 : 200)
  const ran = await run('events replay --imported --to URL --json')
  expect(ran.code).toBe(1)
  const lines = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ event_id, status: got }) => [event_id, got]).sort()).toEqual([
    ['evt_1', 200],
    ['evt_2', 500],
  ])
  expect(ran.stderr).toContain('1 of 2 events was not accepted.')
})

test('all endpoints get the events without `--to`, each with its secret', async () => {
  await importBodies(bodyOf('evt_1', 'A-7'))
  const none = await run('events replay --imported')
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('There is no endpoint to send to.')])
  const { secret } = jsonOf(await run('webhooks endpoints create URL --json')) as { secret: string }
  expect((await run('events replay --imported')).code).toBe(0)
  expect(verifyWebhook(received[0]?.body ?? '', received[0]?.headers ?? {}, secret).valid).toBe(true)
})

test('a dry run sends nothing', async () => {
  await importBodies(bodyOf('evt_1', 'A-7'))
  const ran = await run('events replay --imported --to URL --dry-run')
  expect([ran.code, ran.stdout, received]).toEqual([0, expect.stringContaining('Would send 1 event to'), []])
})

test.each([
  [
    'order-id=orders.csv',
    '--map order-id=orders.csv: no imported event has a value in this field.',
    'Did you mean order_id?',
  ],
  ['$.data.order_id=orders.csv', 'no imported event has a value in this field.', 'Did you mean data.order_id?'],
  [
    'unheard_of=orders.csv',
    'no imported event has a value in this field.',
    'created_at, data.amount, data.id, data.order_id',
  ],
  ['=orders.csv', '"=orders.csv" is not a pair.', 'Write it as'],
  [
    'order_id=bad.csv',
    '--map order_id=bad.csv: bad.csv line 1 must have two values, separated by a comma.',
    'Write lines such as',
  ],
  ['order_id=empty.csv', '--map order_id=empty.csv: empty.csv contains no pairs.', 'Write lines such as'],
  ['order_id=none.csv', '--map order_id=none.csv: none.csv cannot be read: there is no such file', 'Name a file'],
])('`--map %s` is refused, and the message names the flag, the file and the cause', async (map, message, hint) => {
  await importBodies(bodyOf('evt_1', 'A-7'))
  for (const [name, text] of [
    ['orders.csv', 'A-7,B'],
    ['bad.csv', 'A-7'],
    ['empty.csv', '\n'],
  ] as const)
    writeFileSync(join(folder.path, name), text)
  const { code, stderr } = await run(`events replay --imported --to URL --map ${map}`)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(stderr).toContain(hint)
  expect(received).toEqual([])
})

test('an imported event without `--imported` is refused with the command that sends it', async () => {
  const { code, stderr } = await run('events replay imp_0123456789abcdef01234567')
  expect(code).toBe(2)
  expect(stderr).toContain('psp events replay --imported imp_0123456789abcdef01234567')
})

test.each(['', ' --to URL'])('a view token cannot replay imported events%s, and the message says so', async (to) => {
  await importBodies(bodyOf('evt_1', 'A-7'))
  await server.close()
  const view = 'view-token-0123456789'
  server = await startTestServer({ control: { token: 'control-token-0123456789', viewToken: view } })
  const owner = { cwd: folder.path, env: { PSP_CONTROL_TOKEN: 'control-token-0123456789' } }
  expect((await server.psp('events import a.ndjson', owner)).code).toBe(0)
  const line = `events replay --imported --control-token ${view}${to.replace('URL', url())}`
  const { code, stderr } = await server.psp(line, { cwd: folder.path })
  expect([code, received]).toEqual([3, []])
  expect(stderr).toContain('view token')
})

test.each([
  ['events replay --imported --to URL --since 10m'],
  ['events replay --imported --to URL --same-timestamp'],
  ['events replay --imported --to URL --instant --as-recorded'],
  ['events replay --imported --to URL --speed fast'],
  ['events replay --imported --to URL --map order_id'],
  ['events replay --since 10m --speed 10x'],
  ['events replay evt_1 --map order_id=a.csv'],
])('`%s` is wrong usage', async (line) => {
  await importBodies(bodyOf('evt_1', 'A-7'))
  expect((await run(line)).code).toBe(2)
  expect(received).toEqual([])
})

test('a replay sends every event and reports failures after its pipe was closed', async () => {
  await importBodies(bodyOf('evt_1', 'A-7'), bodyOf('evt_2', 'A-8'))
  status = () => {
    running.failStdout('EPIPE')
    return 500
  }
  const line = `events replay --imported --to ${url()}`
  const running: RunningPsp = server.startPsp(line.split(' '), { cwd: folder.path })
  expect((await running.ended).code).toBe(1)
  expect(received).toHaveLength(2)
})

test('imported events are found by the beginning of an id, as narrow tables show it', async () => {
  await importBodies(
    bodyOf('evt_0ahimrse7ss0wom3ai5aod8g', 'order-1'),
    bodyOf('evt_1bhimrse7ss0wom3ai5aod8g', 'order-2'),
  )
  const [, first] = (jsonOf(await run('events list --imported --json')) as { items: { id: string }[] }).items
  expect(jsonOf(await run(`events get ${first?.id.slice(0, 10)} --json`))).toMatchObject({ id: first?.id })
  for (const id of ['evt_0ahimr', first?.id.slice(0, 10)]) {
    expect((await run(`events replay --imported --to URL ${id}`)).code).toBe(0)
    expect(received.splice(0).map(({ headers }) => headers['x-psp-event-id'])).toEqual(['evt_0ahimrse7ss0wom3ai5aod8g'])
  }
  expect((await run('events replay --imported --to URL evt_9999')).code).toBe(4)
})

test('--object with --imported takes the beginning of the id', async () => {
  const object = '23de10d7-6f0e-4d5c-9a1b-0c8c0f6c9d11'
  await importBodies(bodyOf('evt_0ahimrse7ss0wom3ai5aod8g', 'order-1').replace('pay_order-1', object))
  const { items } = jsonOf(await run('events list --imported --object 23de10d7 --json')) as { items: unknown[] }
  expect(items).toMatchObject([{ object_id: object }])
})
