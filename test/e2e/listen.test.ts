// `psp serve`, `psp listen` and other commands in separate processes, and clients that psp does not contain.
import { EventSource } from 'eventsource'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { reservedPort } from '../ports.ts'
import { createWorkspace, startVerifyingReceiver, WEBHOOK_SECRET } from './helpers.ts'

let workspace: ReturnType<typeof createWorkspace>
let receiver: Awaited<ReturnType<typeof startVerifyingReceiver>>
beforeEach(async () => {
  workspace = createWorkspace()
  receiver = await startVerifyingReceiver()
})
afterEach(async () => {
  receiver.close()
  await workspace.remove()
})

interface Deliveries {
  readonly items: readonly {
    readonly status: string
    readonly attempts: readonly { readonly request: { readonly body: string } }[]
  }[]
}

const deliveriesOf = async (url: string) => ((await (await fetch(`${url}/_psp/deliveries`)).json()) as Deliveries).items

test('`psp listen` forwards a payment of another terminal as one signed webhook and prints two lines', async () => {
  const server = await workspace.serve('--quiet', '--set', 'delays.buyer=10ms', '--set', 'delays.bank=10ms')
  const listener = await workspace.start(['listen', '--forward', `localhost:${receiver.port}/hooks`], /Ready/, 'all')
  const { stdout } = await workspace.psp('payments', 'create', '--amount', '100', '--description', 'Чай ₽', '--json')
  const { payment } = JSON.parse(stdout)
  await receiver.count(1)
  const [webhook] = receiver.received
  expect(webhook?.valid).toBe(true)
  const body = webhook?.body ?? Buffer.alloc(0)
  expect(JSON.parse(body.toString())).toMatchObject({
    event: 'payment.succeeded',
    data: { id: payment.id, status: 'succeeded' },
  })
  await listener.line(/<-- /)
  const [delivery] = await deliveriesOf(server.ready.url)
  expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ request: { body: body.toString() } }] })

  const header = String(webhook?.headers['x-psp-signature'])
  const input = Buffer.concat([Buffer.from(`${/t=(\d+)/.exec(header)?.[1]}.`), body])
  const signed = await execa('openssl', ['dgst', '-sha256', '-hmac', WEBHOOK_SECRET], { input })
  expect(header).toContain(`v2=${signed.stdout.trim().split(' ').at(-1)}`)

  listener.child.kill('SIGINT')
  const ended = await listener.child
  expect([ended.exitCode, ended.stdout.split('\n')]).toEqual([
    0,
    [
      expect.stringMatching(
        /^\d\d:\d\d:\d\d\.\d{3} {2}--> payment\.succeeded {2}evt_\w+ {2}payment [0-9a-f-]{36} {2}1\.00 RUB {2}order ord_\d+$/,
      ),
      expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3} {2}<-- 200 POST http:\/\/localhost:\d+\/hooks {2}\d+ ms$/),
    ],
  ])
  server.child.kill('SIGTERM')
  expect((await server.child).exitCode).toBe(0)
})

test('a second `psp listen` takes over the address, and the first one still serves', async () => {
  const words = ['listen', '--forward', String(receiver.port)]
  const older = await workspace.start(words, /Ready/, 'all')
  const newer = await workspace.start(words, /Ready/, 'all')
  await older.line(/keeps running here. Ctrl-C stops it/)
  const created = await workspace.psp('payments', 'create', '--amount', '100', '--method', 'sbp', '--json')
  expect([created.exitCode, created.stderr]).toEqual([0, ''])
  await receiver.count(1)
  await newer.line(/<-- 200/)
  for (const { child } of [newer, older]) {
    child.kill('SIGINT')
    expect((await child).exitCode).toBe(0)
  }
})

test('`psp listen` reports each lost connection, reconnects, and receives the events in between', async () => {
  const port = String(await reservedPort())
  const flags = ['--port', port, '--quiet', '--clock', 'frozen']
  let server = await workspace.serve(...flags)
  const { url } = server.ready
  const listener = await workspace.start(
    ['listen', '--forward', `127.0.0.1:${receiver.port}/hooks`, '--url', url],
    /Ready\./,
    'all',
  )
  const trigger = async (order: string) => {
    const { exitCode } = await workspace.psp('trigger', 'payment.failed', '--set', `order_id=${order}`)
    expect(exitCode).toBe(0)
  }
  await trigger('before')
  await receiver.count(1)
  const count = (text: RegExp) => listener.lines.filter((line) => text.test(line)).length
  for (const [turn, signal] of (['SIGTERM', 'SIGKILL'] as const).entries()) {
    // A server that ends before it has the result sends the webhook again.
    const isDone = async () => (await deliveriesOf(url)).every(({ status }) => status === 'delivered')
    await expect.poll(isDone).toBe(true)
    server.child.kill(signal)
    await server.child
    await expect.poll(() => count(/Connection lost/)).toBe(turn + 1)
    await trigger(`after ${signal}`)
    server = await workspace.serve(...flags)
    await receiver.count(turn + 2)
    await expect.poll(() => count(/Connected again\. Missed webhooks follow\./)).toBe(turn + 1)
  }
  const orders = receiver.received.map(({ body, valid }) => [JSON.parse(body.toString()).data.order_id, valid])
  expect(orders).toEqual([
    ['before', true],
    ['after SIGTERM', true],
    ['after SIGKILL', true],
  ])
  listener.child.kill('SIGINT')
  const { exitCode } = await listener.child
  expect([exitCode, count(/Ready\./), count(/Connection lost/), count(/Connected again\./)]).toEqual([0, 1, 2, 2])
})

test('the eventsource package reads the event stream', async () => {
  const { ready } = await workspace.serve('--quiet', '--clock', 'frozen')
  const headers = { authorization: `Bearer ${ready.api_key}` }
  const source = new EventSource(`${ready.url}/v1/public/events`, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
  })
  try {
    await new Promise((open) => source.addEventListener('open', open))
    const message = new Promise<string>((done) => source.addEventListener('payment.created', ({ data }) => done(data)))
    const created = await fetch(`${ready.url}/v1/public/payments`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"amount":100}',
    })
    const { payment } = (await created.json()) as { payment: { id: string } }
    expect(JSON.parse(await message)).toMatchObject({
      kind: 'payment.created',
      payload: { id: payment.id, status: 'pending', amount: 100 },
      at: expect.stringMatching(/Z$/),
    })
  } finally {
    source.close()
  }
})
