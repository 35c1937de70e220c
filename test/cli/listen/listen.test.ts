import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../../src/domain/default-shop.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import {
  startListener,
  startReceiver,
  startTestServer,
  type TestReceiver,
  type TestServer,
  waitUntil,
} from '../helpers.ts'

let testServer: TestServer
let app: TestReceiver

beforeEach(async () => {
  testServer = await startTestServer()
  app = await startReceiver()
})
afterEach(async () => {
  await app.close()
  await testServer.close()
})

const listen = (...flags: string[]) => startListener(testServer, ...flags)

describe('forwarding', () => {
  test('a webhook is forwarded with its raw bytes and a valid signature, and two lines report it', async () => {
    const running = await listen('--forward', `localhost:${app.port}/hooks`)
    const made = JSON.parse(
      (await testServer.psp('trigger payment.succeeded --set order_id=42 --set metadata.x=ж₽ --json')).stdout,
    )
    await waitUntil(() => running.output().includes('<-- '))
    const [body = Buffer.alloc(0)] = app.bodies
    const header = String(app.headers[0]?.['x-psp-signature'])
    const [, t, v2] = /^t=(\d+),v1=[0-9a-f]{64},v2=([0-9a-f]{64})$/.exec(header) ?? []
    expect(createHmac('sha256', DEFAULT_SHOP.webhook_secret).update(`${t}.`).update(body).digest('hex')).toBe(v2)
    const stored = JSON.parse((await testServer.psp(`webhooks deliveries list --event ${made.event_id} --json`)).stdout)
    expect(stored.items[0].attempts[0].request.body).toBe(body.toString())
    expect(stored.items[0]).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] })
    running.signal('SIGINT')
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    const [first, second, ...more] = stdout.trimEnd().split('\n')
    expect(first).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} {2}--> payment\.succeeded {2}evt_\w+ {2}payment [0-9a-f-]{36} {2}1 000\.00 RUB {2}order 42$/,
    )
    expect(second).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}<-- 200 POST http:\/\/localhost:\d+\/hooks {2}\d+ ms$/)
    expect(more).toEqual([])
  })

  test('the response of the receiver counts for the retry schedule, and its body is shown without escapes', async () => {
    app.response = { status: 500, body: 'cannot read "id"\u001b[31m of undefined' }
    const running = await listen('--forward', `${app.port}/x`)
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('cannot read'))
    expect(running.output()).toMatch(
      /<-- 500 POST \S+ {2}\d+ ms {2}attempt 1 of 9, next in 10 s of frozen time\n {18}cannot read "id" of undefined\n/,
    )
    app.response = { status: 204 }
    await testServer.psp('clock advance 10s')
    await waitUntil(() => /<-- 204 POST \S+ {2}\d+ ms {2}attempt 2 of 9\n/.test(running.output()))
    expect(app.bodies[0]?.equals(app.bodies[1] ?? Buffer.alloc(0))).toBe(true)
    expect(app.headers[0]?.['x-psp-event-id']).toBe(app.headers[1]?.['x-psp-event-id'])
    running.signal('SIGTERM')
    expect((await running.ended).code).toBe(0)
  })

  test.each([
    [400, 'Verify the raw bytes'],
    [400, 'psp verify --delivery dlv_'],
    [401, 'finds the cause'],
    [404, 'no such path'],
  ])('a response with %d gets a hint once', async (status, hint) => {
    app.response = { status }
    const running = await listen('--forward', String(app.port))
    await testServer.psp('trigger payment.failed')
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => running.output().split('<-- ').length === 3)
    running.signal('SIGINT')
    const { stderr } = await running.ended
    expect(stderr.split(hint)).toHaveLength(2)
  })

  test.each([
    ['tamper', 'changed after signing'],
    ['wrong_secret', 'The fault wrong_secret changed it'],
    ['stale:10m', 'more than the tolerance of 300 s. It is a replay'],
    ['v1_only', 'Compare v2='],
    ['unsigned', 'The signature header is missing'],
  ])('the hint says that a webhook changed by the fault %s must be rejected', async (fault, why) => {
    app.response = { status: 400 }
    const running = await listen('--forward', String(app.port))
    await testServer.psp(`faults add webhook ${fault} --times 1`)
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => running.errors().includes('right to reject'))
    running.signal('SIGINT')
    expect((await running.ended).stderr).toContain(why)
  })

  test('`psp listen` does not follow a redirect, and shows its address', async () => {
    app.response = { status: 302, headers: { Location: 'http://elsewhere/x' } }
    const running = await listen('--forward', String(app.port))
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('Location: http://elsewhere/x'))
    running.signal('SIGINT')
    expect((await running.ended).stderr).toContain('does not follow redirects')
    expect(app.bodies).toHaveLength(1)
  })

  test('`psp listen` names the address if nothing listens there', async () => {
    const { port } = app
    await app.close()
    const running = await listen('--forward', `127.0.0.1:${port}/x`)
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('<-- --- POST'))
    expect(running.output()).toContain(`nothing listens on 127.0.0.1:${port}.`)
    running.signal('SIGINT')
    const { stderr, stdout } = await running.ended
    expect(stderr).toContain('Is your server running?')
    expect(`${stdout}${stderr}`.match(/nothing listens/gi)).toHaveLength(1)
  })

  test('an attempt fails after --timeout, with advice', async () => {
    app.response = { status: 200, silent: true }
    const running = await listen('--forward', String(app.port), '--timeout', '50ms')
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('within 50ms'))
    running.signal('SIGINT')
    expect((await running.ended).stderr).toContain(
      'Respond first, then do the slow work. `--timeout` extends the deadline.',
    )
  })

  test('the deadline without --timeout is the setting webhook_timeout', async () => {
    app.response = { status: 200, silent: true }
    await testServer.psp('settings set webhook_timeout=60ms')
    const running = await listen('--forward', String(app.port))
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('within 60ms'))
    running.signal('SIGINT')
    await running.ended
  })

  test('the line of a refund shows its amount', async () => {
    const running = await listen('--forward', String(app.port))
    await testServer.psp('trigger payment.refunded --set amount=150000 --set refund_amount=50000')
    await waitUntil(() => running.output().split('<-- ').length === 3)
    running.signal('SIGINT')
    const { stdout } = await running.ended
    expect(stdout).toMatch(/payment\.succeeded .* {2}1 500\.00 RUB {2}order/)
    expect(stdout).toMatch(/payment\.refunded .* {2}refund 500\.00 of 1 500\.00 RUB {2}order/)
  })

  test('each line names the address if there are several', async () => {
    const second = await startReceiver()
    const running = await listen('--forward', `${app.port}/a`, '--forward', `${second.port}/b`)
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => running.output().split('<-- 200').length === 3)
    running.signal('SIGINT')
    const { stdout } = await running.ended
    expect(stdout).toMatch(new RegExp(`--> payment\\.failed .* to http://localhost:${app.port}/a\n`))
    expect(stdout).toMatch(new RegExp(`--> payment\\.failed .* to http://localhost:${second.port}/b\n`))
    await second.close()
  })

  test('lines show the sandbox time if it differs', async () => {
    await testServer.psp('clock freeze 2099-01-02T03:04:05Z')
    const running = await listen('--forward', String(app.port))
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('<-- 200'))
    await waitUntil(() => running.errors().includes('Times are'))
    running.signal('SIGINT')
    const { stdout, stderr } = await running.ended
    expect(stdout).toMatch(/--> payment\.failed .* sandbox time 2099-01-02 03:04:05 UTC\n/)
    expect(stderr).toContain("Times are this machine's. The sandbox's clock is frozen: 2099-01-02 03:04:05 UTC.")
  })

  test('a response that the fault late_response delays is shown as a failed attempt', async () => {
    await testServer.psp('faults add webhook late_response --times 1')
    const running = await listen('--forward', String(app.port))
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('attempt 1 of 9, next in 10 s'))
    await testServer.psp('clock advance 10s')
    await waitUntil(() => running.output().includes('attempt 2 of 9'))
    running.signal('SIGINT')
    await running.ended
    expect(app.bodies).toHaveLength(2)
  })

  test('after a signal `psp listen` waits for a moment, then reports the webhooks without a response', async () => {
    app.response = { status: 200, silent: true }
    const running = await listen('--forward', String(app.port))
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => app.bodies.length === 1)
    running.signal('SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect(code).toBe(0)
    expect(stdout).not.toContain('<--')
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('1 forwarded webhooks had no response yet.')
  })

  test('--header adds headers to the forwarded webhook', async () => {
    const running = await listen(
      '--forward',
      String(app.port),
      '--header',
      'X-Trace: 7',
      '--header',
      'User-Agent: mine/1',
    )
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => app.headers[0])
    expect(app.headers[0]).toMatchObject({ 'x-trace': '7', 'user-agent': 'mine/1', 'content-type': 'application/json' })
    running.signal('SIGINT')
    await running.ended
  })

  test('--signature v1 sends the legacy signature', async () => {
    const running = await listen('--forward', String(app.port), '--signature', 'v1')
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => app.headers[0])
    expect(app.headers[0]?.['x-psp-signature']).toMatch(/^sha256=[0-9a-f]{64}$/)
    running.signal('SIGINT')
    await running.ended
  })

  test('routes split the events, and --events filters them', async () => {
    const other = await startReceiver()
    const running = await listen(
      ...['--route', `payout.*=${other.port}/payouts`, '--forward', `${app.port}/rest`, '--events', '!payment.failed'],
    )
    await testServer.psp('trigger payout.succeeded')
    await testServer.psp('trigger payment.failed')
    await testServer.psp('trigger payment.succeeded')
    await waitUntil(() => other.bodies.length === 1 && app.bodies.length === 1)
    expect(JSON.parse(String(other.bodies[0])).event).toBe('payout.succeeded')
    expect(JSON.parse(String(app.bodies[0])).event).toBe('payment.succeeded')
    running.signal('SIGINT')
    await running.ended
    await other.close()
  })

  test('--backfill forwards earlier events', async () => {
    await testServer.psp('trigger payment.failed')
    const running = await listen('--forward', String(app.port), '--backfill', '5m')
    await waitUntil(() => app.bodies.length === 1)
    running.signal('SIGINT')
    await running.ended
  })

  test('a replay is forwarded as a second delivery with the same bytes', async () => {
    const running = await listen('--forward', String(app.port))
    const made = JSON.parse((await testServer.psp('trigger payment.failed --json')).stdout)
    await waitUntil(() => running.output().includes('<-- 200'))
    expect((await testServer.psp(`events replay ${made.event_id}`)).code).toBe(0)
    await waitUntil(() => running.output().split('<-- 200').length === 3)
    running.signal('SIGINT')
    await running.ended
    expect(app.bodies).toHaveLength(2)
    expect(app.bodies[1]).toEqual(app.bodies[0])
  })

  test('after the end of a listener events have no delivery', async () => {
    const running = await listen('--forward', String(app.port))
    running.signal('SIGINT')
    await running.ended
    const { delivery_ids } = JSON.parse((await testServer.psp('trigger payment.failed --json')).stdout)
    expect(delivery_ids).toEqual([])
  })

  test('an idle listener ends at a signal without waiting', async () => {
    const clock = createSystemClock()
    const stopped: typeof clock = {
      ...clock,
      setTimeout: (run, ms) => (ms === 0 ? clock.setTimeout(run, 0) : { cancel: () => {}, unref: () => {} }),
    }
    const running = testServer.startPsp(['listen', '--forward', String(app.port)], { systemClock: stopped })
    await waitUntil(() => running.errors().includes('Ready.'))
    running.signal('SIGINT')
    expect((await running.ended).code).toBe(0)
  })

  test('a listener whose stdout is full says so once and continues', async () => {
    const running = await listen('--forward', String(app.port))
    running.failStdout('ENOSPC')
    running.failStdout('ENOSPC')
    await testServer.psp('trigger payment.failed')
    await waitUntil(() => app.bodies.length === 1)
    running.signal('SIGINT')
    const { code, stderr } = await running.ended
    const message = 'stdout cannot be written: the disk is full. The command continues without this output.'
    expect([code, stderr.split(message).length]).toEqual([0, 2])
  })
})
