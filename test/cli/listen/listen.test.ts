import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../../src/domain/default-shop.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { refusingPort } from '../../ports.ts'
import { startReceiver, waitUntil } from '../helpers.ts'
import { setUpListen } from './fixtures.ts'

const setup = setUpListen()

describe('forwarding', () => {
  test('a webhook is forwarded with its raw bytes and a valid signature, and two lines report it', async () => {
    const running = await setup.listen('--forward', `localhost:${setup.receiver.port}/hooks`)
    const made = JSON.parse(
      (await setup.server.psp('trigger payment.succeeded --set order_id=42 --set metadata.x=ж₽ --json')).stdout,
    )
    await waitUntil(() => running.output().includes('<-- '))
    const [body = Buffer.alloc(0)] = setup.receiver.bodies
    const header = String(setup.receiver.headers[0]?.['x-psp-signature'])
    const [, t, v2] = /^t=(\d+),v1=[0-9a-f]{64},v2=([0-9a-f]{64})$/.exec(header) ?? []
    expect(createHmac('sha256', DEFAULT_SHOP.webhook_secret).update(`${t}.`).update(body).digest('hex')).toBe(v2)
    const stored = JSON.parse(
      (await setup.server.psp(`webhooks deliveries list --event ${made.event_id} --json`)).stdout,
    )
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
    setup.receiver.response = { status: 500, body: 'cannot read "id"\u001b[31m of undefined' }
    const running = await setup.listen('--forward', `${setup.receiver.port}/x`)
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('cannot read'))
    expect(running.output()).toMatch(
      /<-- 500 POST \S+ {2}\d+ ms {2}attempt 1 of 9, next in 10 s of frozen time\n {18}cannot read "id" of undefined\n/,
    )
    setup.receiver.response = { status: 204 }
    await setup.server.psp('clock advance 10s')
    await waitUntil(() => /<-- 204 POST \S+ {2}\d+ ms {2}attempt 2 of 9\n/.test(running.output()))
    expect(setup.receiver.bodies[0]?.equals(setup.receiver.bodies[1] ?? Buffer.alloc(0))).toBe(true)
    expect(setup.receiver.headers[0]?.['x-psp-event-id']).toBe(setup.receiver.headers[1]?.['x-psp-event-id'])
    running.signal('SIGTERM')
    expect((await running.ended).code).toBe(0)
  })

  test.each([
    [400, 'Verify the raw bytes'],
    [400, 'psp verify --delivery dlv_'],
    [401, 'finds the cause'],
    [404, 'no such path'],
  ])('a response with %d gets a hint once', async (status, hint) => {
    setup.receiver.response = { status }
    const running = await setup.listen('--forward', String(setup.receiver.port))
    await setup.server.psp('trigger payment.failed')
    await setup.server.psp('trigger payment.failed')
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
    setup.receiver.response = { status: 400 }
    const running = await setup.listen('--forward', String(setup.receiver.port))
    await setup.server.psp(`faults add webhook ${fault} --times 1`)
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => running.errors().includes('right to reject'))
    running.signal('SIGINT')
    expect((await running.ended).stderr).toContain(why)
  })

  test('`psp listen` does not follow a redirect, and shows its address', async () => {
    setup.receiver.response = { status: 302, headers: { Location: 'http://elsewhere/x' } }
    const running = await setup.listen('--forward', String(setup.receiver.port))
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('Location: http://elsewhere/x'))
    running.signal('SIGINT')
    expect((await running.ended).stderr).toContain('does not follow redirects')
    expect(setup.receiver.bodies).toHaveLength(1)
  })

  test('`psp listen` names the address if nothing listens there', async () => {
    const port = await refusingPort()
    const running = await setup.listen('--forward', `127.0.0.1:${port}/x`)
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('<-- --- POST'))
    expect(running.output()).toContain(`nothing listens on 127.0.0.1:${port}.`)
    running.signal('SIGINT')
    const { stderr, stdout } = await running.ended
    expect(stderr).toContain('Is your server running?')
    expect(`${stdout}${stderr}`.match(/nothing listens/gi)).toHaveLength(1)
  })

  test('an attempt fails after --timeout, with advice', async () => {
    setup.receiver.response = { status: 200, silent: true }
    const running = await setup.listen('--forward', String(setup.receiver.port), '--timeout', '1s')
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('within 1s'))
    running.signal('SIGINT')
    expect((await running.ended).stderr).toContain(
      'Respond first, then do the slow work. `--timeout` extends the deadline.',
    )
  })

  test('the deadline without --timeout is the setting webhook_timeout', async () => {
    setup.receiver.response = { status: 200, silent: true }
    await setup.server.psp('settings set webhook_timeout=60ms')
    const running = await setup.listen('--forward', String(setup.receiver.port))
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('within 60ms'))
    running.signal('SIGINT')
    await running.ended
  })

  test('the line of a refund shows its amount', async () => {
    const running = await setup.listen('--forward', String(setup.receiver.port))
    await setup.server.psp('trigger payment.refunded --set amount=150000 --set refund_amount=50000')
    await waitUntil(() => running.output().split('<-- ').length === 3)
    running.signal('SIGINT')
    const { stdout } = await running.ended
    expect(stdout).toMatch(/payment\.succeeded .* {2}1 500\.00 RUB {2}order/)
    expect(stdout).toMatch(/payment\.refunded .* {2}refund 500\.00 of 1 500\.00 RUB {2}order/)
  })

  test('each line names the address if there are several', async () => {
    const second = await startReceiver()
    const running = await setup.listen('--forward', `${setup.receiver.port}/a`, '--forward', `${second.port}/b`)
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => running.output().split('<-- 200').length === 3)
    running.signal('SIGINT')
    const { stdout } = await running.ended
    expect(stdout).toMatch(new RegExp(`--> payment\\.failed .* to http://localhost:${setup.receiver.port}/a\n`))
    expect(stdout).toMatch(new RegExp(`--> payment\\.failed .* to http://localhost:${second.port}/b\n`))
    await second.close()
  })

  test('lines show the sandbox time if it differs', async () => {
    await setup.server.psp('clock freeze 2099-01-02T03:04:05Z')
    const running = await setup.listen('--forward', String(setup.receiver.port))
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('<-- 200'))
    await waitUntil(() => running.errors().includes('Times are'))
    running.signal('SIGINT')
    const { stdout, stderr } = await running.ended
    expect(stdout).toMatch(/--> payment\.failed .* sandbox time 2099-01-02 03:04:05 UTC\n/)
    expect(stderr).toContain("Times are this machine's. The sandbox's clock is frozen: 2099-01-02 03:04:05 UTC.")
  })

  test('a response that the fault late_response delays is shown as a failed attempt', async () => {
    await setup.server.psp('faults add webhook late_response --times 1')
    const running = await setup.listen('--forward', String(setup.receiver.port))
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('attempt 1 of 9, next in 10 s'))
    await setup.server.psp('clock advance 10s')
    await waitUntil(() => running.output().includes('attempt 2 of 9'))
    running.signal('SIGINT')
    await running.ended
    expect(setup.receiver.bodies).toHaveLength(2)
  })

  test('after a signal `psp listen` waits for a moment, then reports the webhooks without a response', async () => {
    setup.receiver.response = { status: 200, silent: true }
    const running = await setup.listen('--forward', String(setup.receiver.port))
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => setup.receiver.bodies.length === 1)
    running.signal('SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect(code).toBe(0)
    expect(stdout).not.toContain('<--')
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('1 forwarded webhook had no response yet.')
  })

  test('--header adds headers to the forwarded webhook', async () => {
    const running = await setup.listen(
      '--forward',
      String(setup.receiver.port),
      '--header',
      'X-Trace: 7',
      '--header',
      'User-Agent: mine/1',
    )
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => setup.receiver.headers[0])
    expect(setup.receiver.headers[0]).toMatchObject({
      'x-trace': '7',
      'user-agent': 'mine/1',
      'content-type': 'application/json',
    })
    running.signal('SIGINT')
    await running.ended
  })

  test('--signature v1 sends the legacy signature', async () => {
    const running = await setup.listen('--forward', String(setup.receiver.port), '--signature', 'v1')
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => setup.receiver.headers[0])
    expect(setup.receiver.headers[0]?.['x-psp-signature']).toMatch(/^sha256=[0-9a-f]{64}$/)
    running.signal('SIGINT')
    await running.ended
  })

  test('routes split the events, and --events filters them', async () => {
    const other = await startReceiver()
    const running = await setup.listen(
      ...[
        '--route',
        `payout.*=${other.port}/payouts`,
        '--forward',
        `${setup.receiver.port}/rest`,
        '--events',
        '!payment.failed',
      ],
    )
    await setup.server.psp('trigger payout.succeeded')
    await setup.server.psp('trigger payment.failed')
    await setup.server.psp('trigger payment.succeeded')
    await waitUntil(() => other.bodies.length === 1 && setup.receiver.bodies.length === 1)
    expect(JSON.parse(String(other.bodies[0])).event).toBe('payout.succeeded')
    expect(JSON.parse(String(setup.receiver.bodies[0])).event).toBe('payment.succeeded')
    running.signal('SIGINT')
    await running.ended
    await other.close()
  })

  test('--backfill forwards earlier events', async () => {
    await setup.server.psp('trigger payment.failed')
    const running = await setup.listen('--forward', String(setup.receiver.port), '--backfill', '5m')
    await waitUntil(() => setup.receiver.bodies.length === 1)
    running.signal('SIGINT')
    await running.ended
  })

  test('a replay is forwarded as a second delivery with the same bytes', async () => {
    const running = await setup.listen('--forward', String(setup.receiver.port))
    const made = JSON.parse((await setup.server.psp('trigger payment.failed --json')).stdout)
    await waitUntil(() => running.output().includes('<-- 200'))
    expect((await setup.server.psp(`events replay ${made.event_id}`)).code).toBe(0)
    await waitUntil(() => running.output().split('<-- 200').length === 3)
    running.signal('SIGINT')
    await running.ended
    expect(setup.receiver.bodies).toHaveLength(2)
    expect(setup.receiver.bodies[1]).toEqual(setup.receiver.bodies[0])
  })

  test('after the end of a listener events have no delivery', async () => {
    const running = await setup.listen('--forward', String(setup.receiver.port))
    running.signal('SIGINT')
    await running.ended
    const { delivery_ids } = JSON.parse((await setup.server.psp('trigger payment.failed --json')).stdout)
    expect(delivery_ids).toEqual([])
  })

  test('an idle listener ends at a signal without waiting', async () => {
    const clock = createSystemClock()
    const stopped: typeof clock = {
      ...clock,
      setTimeout: (run, ms) => (ms === 0 ? clock.setTimeout(run, 0) : { cancel: () => {}, unref: () => {} }),
    }
    const running = setup.server.startPsp(['listen', '--forward', String(setup.receiver.port)], {
      systemClock: stopped,
    })
    await waitUntil(() => running.errors().includes('Ready.'))
    running.signal('SIGINT')
    expect((await running.ended).code).toBe(0)
  })

  test('a listener whose stdout is full says so once and continues', async () => {
    const running = await setup.listen('--forward', String(setup.receiver.port))
    running.failStdout('ENOSPC')
    running.failStdout('ENOSPC')
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => setup.receiver.bodies.length === 1)
    running.signal('SIGINT')
    const { code, stderr } = await running.ended
    const message = 'stdout cannot be written: the disk is full. The command continues without this output.'
    expect([code, stderr.split(message).length]).toEqual([0, 2])
  })
})
