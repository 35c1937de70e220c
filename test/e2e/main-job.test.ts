import { EventSource } from 'eventsource'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace, startVerifyingReceiver, WEBHOOK_SECRET } from './helpers.ts'

interface Deliveries {
  readonly items: readonly { readonly attempts: readonly { readonly request: { readonly body: string } }[] }[]
}

let folder: ReturnType<typeof createWorkspace>
let receiver: Awaited<ReturnType<typeof startVerifyingReceiver>>

beforeEach(async () => {
  folder = createWorkspace()
  receiver = await startVerifyingReceiver()
})
afterEach(async () => {
  receiver.close()
  await folder.remove()
})

describe('three terminals', () => {
  it('bring a payment to the application as one signed webhook and two lines', async () => {
    const server = await folder.serve('--quiet', '--set', 'delays.buyer=10ms', '--set', 'delays.bank=10ms')
    const listener = await folder.start(['listen', '--forward', `localhost:${receiver.port}/hooks`], /Ready/, 'all')
    const created = await folder.psp('payments', 'create', '--amount', '100', '--json')
    expect(created.exitCode).toBe(0)
    const { payment } = JSON.parse(created.stdout)
    await receiver.count(1)
    const [hook] = receiver.received
    expect(hook?.valid).toBe(true)
    expect(JSON.parse(hook?.body.toString() ?? '')).toMatchObject({
      event: 'payment.succeeded',
      data: { id: payment.id, status: 'succeeded' },
    })
    await listener.line(/<-- /)
    listener.child.kill('SIGINT')
    const lines = (await listener.child).stdout.split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} {2}--> payment\.succeeded {2}evt_\w+ {2}payment [0-9a-f-]{36} {2}1\.00 RUB {2}order ord_\d+$/,
    )
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}<-- 200 POST http:\/\/localhost:\d+\/hooks {2}\d+ ms$/)
    const deliveries = (await (await fetch(`${server.ready.url}/_psp/deliveries`)).json()) as Deliveries
    expect(deliveries.items).toMatchObject([{ status: 'delivered' }])
    expect(deliveries.items[0]?.attempts[0]?.request.body).toBe(hook?.body.toString())
  })

  it('end cleanly at a first signal', async () => {
    const server = await folder.serve('--quiet')
    const listener = await folder.start(['listen', '--forward', String(receiver.port)], /Ready/, 'stderr')
    listener.child.kill('SIGINT')
    expect((await listener.child).exitCode).toBe(0)
    server.child.kill('SIGTERM')
    expect((await server.child).exitCode).toBe(0)
  })
})

describe('two listen commands for one address', () => {
  it('keep the server that the first one hosts, and the second one forwards', async () => {
    const forward = ['listen', '--forward', String(receiver.port)]
    const older = await folder.start(forward, /Ready/, 'all')
    const newer = await folder.start(forward, /Ready/, 'all')
    await older.line(/keeps running here. Ctrl-C stops it/)
    const created = await folder.psp('payments', 'create', '--amount', '100', '--method', 'sbp', '--json')
    expect(created.exitCode).toBe(0)
    await receiver.count(1)
    await newer.line(/<-- 200/)
    for (const { child } of [newer, older]) {
      child.kill('SIGINT')
      expect((await child).exitCode).toBe(0)
    }
  })
})

describe('kill -9', () => {
  it('loses nothing that was answered: the payment goes on to its webhook after a restart', async () => {
    const hooks = `http://127.0.0.1:${receiver.port}/hooks`
    const first = await folder.serve('--quiet', '--endpoint', hooks)
    const created = await fetch(`${first.ready.url}/v1/public/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.ready.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 100, method: 'sbp' }),
    })
    first.child.kill('SIGKILL')
    const { payment } = (await created.json()) as { payment: { id: string } }
    await first.child
    await folder.serve('--quiet')
    await receiver.count(1)
    const [hook] = receiver.received
    expect(hook?.valid).toBe(true)
    expect(JSON.parse(hook?.body.toString() ?? '').data).toMatchObject({ id: payment.id, status: 'succeeded' })
  })
})

describe('exit codes and streams', () => {
  it('say what went wrong in words, and nothing on stdout', async () => {
    const cases: [string[], number, RegExp][] = [
      [['payments', 'create', '--amount', '0'], 2, /--amount/],
      [['payments', 'creat'], 2, /create/],
      [['payments', 'get', '00000000-0000-4000-8000-000000000000'], 4, /no payment/],
      [['payments', 'create', '--amount', '100', '--currency', 'XXQ'], 2, /currency/],
      [['payments', 'create', '--amount', '100', '--url', 'http://127.0.0.1:9'], 6, /127\.0\.0\.1:9/],
      [['payments', 'create', '--amount', '100', '--api-key', 'sk_test_nobody_x'], 3, /key/i],
    ]
    for (const [args, code, words] of cases) {
      const result = await folder.psp(...args)
      expect([args, result.exitCode, result.stdout]).toEqual([args, code, ''])
      expect(result.stderr).toMatch(words)
      expect(result.stderr).not.toMatch(/\n {4}at /)
    }
  })

  it('give 9 for a folder that another process holds', async () => {
    const server = await folder.serve('--quiet')
    const second = await folder.psp('serve', '--port', '0')
    expect(second.exitCode).toBe(9)
    expect(second.stderr).toContain(String(server.ready.pid))
    expect(second.stderr).toContain(server.ready.url)
  })

  it('work on the folder itself where no server runs, and keep stdout for data', async () => {
    const created = await folder.psp('payments', 'create', '--amount', '100', '--json')
    const { payment } = JSON.parse(created.stdout)
    expect(created.stderr).toContain('No server is running')
    const listed = await folder.psp('payments', 'list', '--json')
    expect(JSON.parse(listed.stdout).items).toMatchObject([{ id: payment.id }])
  })

  it('show the demo, every step seen and verified', async () => {
    const demo = await folder.psp('demo')
    expect(demo.exitCode).toBe(0)
    expect(demo.stdout + demo.stderr).toMatch(/payment\.expired/)
  })
})

describe('clients that others wrote', () => {
  it('the eventsource package reads the stream', async () => {
    const { ready } = await folder.serve('--quiet', '--clock', 'frozen')
    const headers = { authorization: `Bearer ${ready.api_key}` }
    const source = new EventSource(`${ready.url}/v1/public/events`, {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
    })
    try {
      await new Promise((open) => source.addEventListener('open', open))
      const told = new Promise<string>((done) =>
        source.addEventListener('payment.created', (message) => done(message.data)),
      )
      const created = await folder.psp('payments', 'create', '--amount', '100', '--json')
      const { payment } = JSON.parse(created.stdout)
      expect(JSON.parse(await told)).toMatchObject({
        kind: 'payment.created',
        payload: { id: payment.id, status: 'pending', amount: 100 },
        at: expect.stringMatching(/Z$/),
      })
    } finally {
      source.close()
    }
  })

  it('openssl makes the same signature', async () => {
    const hooks = `http://127.0.0.1:${receiver.port}/hooks`
    await folder.serve('--quiet', '--endpoint', hooks, '--set', 'delays.session=0s', '--set', 'delays.bank=0s')
    await folder.psp('payments', 'create', '--amount', '100', '--method', 'sbp', '--description', 'Чай ₽')
    await receiver.count(1)
    const [hook] = receiver.received
    const header = String(hook?.headers['x-psp-signature'])
    const t = /t=(\d+)/.exec(header)?.[1]
    const input = Buffer.concat([Buffer.from(`${t}.`), hook?.body ?? Buffer.alloc(0)])
    const { stdout } = await execa('openssl', ['dgst', '-sha256', '-hmac', WEBHOOK_SECRET], { input })
    expect(header).toContain(`v2=${stdout.trim().split(' ').at(-1)}`)
  })
})
