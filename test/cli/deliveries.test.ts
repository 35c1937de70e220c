// `psp webhooks deliveries` and `psp events replay`: how attempts are shown, retried and replayed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import { signatureHeader } from '../../src/domain/signatures.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import {
  createTestDir,
  jsonOf,
  psp,
  startReceiver,
  startTestServer,
  type TestReceiver,
  type TestServer,
  waitUntil,
} from './helpers.ts'

describe('a delivery with nine failed attempts', () => {
  let testServer: TestServer
  let app: TestReceiver
  let id: string

  beforeAll(async () => {
    testServer = await startTestServer()
    app = await startReceiver()
    app.response = { status: 401, body: 'bad signature' }
    await testServer.psp(`webhooks endpoints create http://127.0.0.1:${app.port}/hooks`)
    await testServer.psp('trigger payment.failed')
    await testServer.psp('clock advance --until-idle')
    id = JSON.parse((await testServer.psp('webhooks deliveries list --json')).stdout).items[0].id
  })
  afterAll(async () => {
    await testServer.close()
    await app.close()
  })

  const count = (text: string, part: string) => text.split(part).length - 1

  test('`deliveries get` shows the body once and the advice at each attempt', async () => {
    const { stdout } = await testServer.psp(`webhooks deliveries get ${id}`)
    expect(count(stdout, 'attempt ')).toBe(9)
    expect(count(stdout, '> {"id":"evt_')).toBe(1)
    expect(count(stdout, '> the same body as before')).toBe(8)
    expect(count(stdout, '> content-type')).toBe(1)
    expect(count(stdout, 'The receiver responded 401. Verify the raw')).toBe(9)
  })

  test('`deliveries get --last` shows only the last attempt, with its body', async () => {
    const { stdout } = await testServer.psp(`webhooks deliveries get ${id} --last`)
    expect(stdout).toContain('attempt 9  ')
    expect([count(stdout, 'attempt '), count(stdout, '> {"id":"evt_'), count(stdout, '> content-type')]).toEqual([
      1, 1, 1,
    ])
  })

  test('`deliveries retry` prints the same columns as `events replay`', async () => {
    const [retried, replayed] = await Promise.all([
      testServer.psp(`webhooks deliveries retry ${id}`),
      testServer.psp('events replay --since 30d'),
    ])
    const head = (text: string) => text.split('\n')[0]?.split(/ {2,}/)
    expect(head(retried.stdout)).toEqual(['event', 'name', 'response', 'took', 'url'])
    expect(head(replayed.stdout)).toEqual(head(retried.stdout))
  })
})

describe('exhausted deliveries', () => {
  let testServer: TestServer
  let receiver: TestReceiver

  beforeEach(async () => {
    testServer = await startTestServer()
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await receiver.close()
    await testServer.close()
  })

  const run = async (line: string | string[]) =>
    jsonOf(await testServer.psp(typeof line === 'string' ? `${line} --json` : [...line, '--json']))

  test('`deliveries retry --status exhausted` retries all exhausted deliveries, the oldest first', async () => {
    await run(`webhooks endpoints create localhost:${receiver.port}/hooks`)
    receiver.response = { status: 500 }
    const made = ['1', '2', '3'].map((order) => `trigger payment.succeeded --set order_id=${order}`)
    for (const line of made) await run(line)
    await run('clock advance --until-idle')
    await run('trigger payment.failed')
    const listed = await testServer.psp('webhooks deliveries list --status exhausted')
    expect(listed.stderr).toContain('`psp webhooks deliveries retry --status exhausted`')

    const failing = await testServer.psp('webhooks deliveries retry --status exhausted')
    expect([failing.code, failing.stderr]).toEqual([1, expect.stringContaining('3 of 3 failed.')])
    receiver.response = { status: 200 }
    const before = receiver.bodies.length
    expect((await testServer.psp('webhooks deliveries retry --status exhausted --dry-run')).stdout).toContain(
      'exhausted',
    )
    expect(receiver.bodies).toHaveLength(before)
    const sent = await testServer.psp('webhooks deliveries retry --status exhausted')
    expect([sent.code, sent.stdout.match(/payment\.succeeded/g)?.length]).toEqual([0, 3])
    const orders = receiver.bodies.slice(before).map((body) => JSON.parse(body.toString()).data.order_id)
    expect(orders).toEqual(['1', '2', '3'])
    expect((await testServer.psp('webhooks deliveries retry --status exhausted')).stderr).toContain(
      'No such deliveries.',
    )
    expect((await testServer.psp('webhooks deliveries retry')).code).toBe(2)
    expect((await testServer.psp('webhooks deliveries retry dlv_x --status exhausted')).code).toBe(2)
  })

  test('`deliveries retry` of a delivered delivery fails if the receiver is down, and the delivery stays delivered', async () => {
    await run(`webhooks endpoints create localhost:${receiver.port}/hooks`)
    await run('trigger payment.succeeded')
    const { items } = (await run('webhooks deliveries list')) as { items: { id: string }[] }
    const [{ id } = { id: '' }] = items
    receiver.response = { status: 500 }
    const one = await testServer.psp(`webhooks deliveries retry ${id}`)
    expect([one.code, one.stdout]).toEqual([1, expect.stringContaining('500')])
    const many = await testServer.psp(`webhooks deliveries retry ${id} ${id}`)
    expect([many.code, many.stderr]).toEqual([1, expect.stringContaining('2 of 2 failed.')])
    expect(await run(`webhooks deliveries get ${id}`)).toMatchObject({
      status: 'delivered',
      attempts: [{ status: 200 }, { status: 500, manual: true }, { status: 500 }, { status: 500 }],
    })
    receiver.response = { status: 200 }
    expect((await testServer.psp(`webhooks deliveries retry ${id}`)).code).toBe(0)
  })

  test('`deliveries retry` warns once for each reason if the endpoints of several deliveries were deleted', async () => {
    const { id } = (await run(`webhooks endpoints create localhost:${receiver.port}/hooks`)) as { id: string }
    for (const order of ['1', '2', '3']) await run(`trigger payment.succeeded --set order_id=${order}`)
    await run('clock advance --until-idle')
    const { items } = (await run('webhooks deliveries list')) as { items: { id: string }[] }
    const ids = items.map((item) => item.id).reverse()
    await run(`webhooks endpoints delete ${id}`)
    const why = 'not sent again: The endpoint of this delivery was deleted.'
    const warningsOf = async (line: string) => {
      const { code, stderr } = await testServer.psp(line)
      expect([code, stderr.split('not sent again').length]).toEqual([1, 2])
      return stderr
    }
    expect(await warningsOf('webhooks deliveries retry --status delivered')).toContain(`3 deliveries were ${why}`)
    expect(await warningsOf('webhooks deliveries retry --status delivered --json')).toContain(
      `${ids.join(', ')} were ${why}`,
    )
  })

  test('`deliveries retry` reports failures, and at a signal its progress', async () => {
    const { id } = (await run(`webhooks endpoints create localhost:${receiver.port}/hooks`)) as { id: string }
    receiver.response = { status: 500 }
    await run('trigger payment.succeeded --set order_id=alone')
    await run('clock advance --until-idle')
    const alone = await testServer.psp(`webhooks deliveries retry --endpoint ${id}`)
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('1 of 1 failed.')])
    await run('trigger payment.succeeded --set order_id=other')
    await run('clock advance --until-idle')
    receiver.response = { status: 200, silent: true }
    const before = receiver.bodies.length
    const running = testServer.startPsp(['webhooks', 'deliveries', 'retry', '--endpoint', id])
    await waitUntil(() => receiver.bodies.length > before)
    running.signal('SIGINT')
    expect((await running.ended).stderr).toContain('Ended: 0 of 2 deliveries done, and more may be in progress.')
    receiver.response = { status: 200 }
  })
})

describe('a replay', () => {
  /** The milliseconds by which the machine's clock is ahead of the real one. */
  let ahead = 0
  let url = ''
  let app: TestReceiver
  let close: () => Promise<void>

  beforeEach(async () => {
    ahead = 0
    const real = createSystemClock()
    const systemClock = { ...real, now: () => (real.now() + ahead) as ReturnType<typeof real.now> }
    const testServer = await startTestServer({}, { systemClock })
    url = testServer.url
    app = await startReceiver()
    close = async () => {
      await app.close()
      await testServer.close()
    }
  })
  afterEach(() => close())

  const run = (line: string) => psp(line, { env: { PSP_URL: url } })
  const sent = (at: number) => ({
    signature: String(app.headers[at]?.['x-psp-signature']),
    time: Number(app.headers[at]?.['x-psp-timestamp']),
    body: app.bodies[at]?.toString() ?? '',
  })

  test('a replay after ten minutes has a new signature, and --same-timestamp repeats the header and the bytes', async () => {
    const to = `http://127.0.0.1:${app.port}/hooks`
    const { event_id } = jsonOf(await run('trigger payment.succeeded --json')) as { event_id: string }
    expect((await run(`events replay ${event_id} --to ${to}`)).code).toBe(0)
    ahead = 600_000
    expect((await run(`events replay ${event_id} --to ${to}`)).code).toBe(0)
    expect((await run(`events replay ${event_id} --to ${to} --same-timestamp`)).code).toBe(0)

    const [first, fresh, same] = [sent(0), sent(1), sent(2)]
    expect([fresh.body, same.body]).toEqual([first.body, first.body])
    expect(fresh.time - first.time).toBeGreaterThanOrEqual(600)
    expect(fresh.signature).not.toBe(first.signature)
    expect([same.time, same.signature]).toEqual([first.time, first.signature])

    const now = first.time * 1000 + ahead
    const taken = ({ body, signature }: typeof first) =>
      verifyWebhook(body, { 'x-psp-signature': signature }, DEFAULT_SHOP.webhook_secret, { now })
    expect(taken(fresh)).toMatchObject({ valid: true })
    expect(taken(same)).toMatchObject({ valid: false, message: expect.stringContaining('replay') })
  })

  test('`deliveries list` marks a replay, and not a delivery that was retried', async () => {
    await run(`webhooks endpoints create http://127.0.0.1:${app.port}/hooks`)
    const { event_id } = jsonOf(await run('trigger payment.succeeded --json')) as { event_id: string }
    await run('webhooks deliveries retry --status delivered')
    expect((await run('webhooks deliveries list')).stdout).not.toContain('replay')
    await run(`events replay ${event_id}`)
    const [replayed, sent] = (jsonOf(await run('webhooks deliveries list --json')) as { items: { replay?: true }[] })
      .items
    expect([replayed?.replay, sent?.replay]).toEqual([true, undefined])
    expect((await run('webhooks deliveries list')).stdout.match(/delivered, replay/g)).toHaveLength(1)
  })

  test('`events replay` names the flag for the URL if no endpoint subscribes to the event', async () => {
    const { event_id } = jsonOf(await run('trigger payment.succeeded --json')) as { event_id: string }
    const { code, stderr } = await run(`events replay ${event_id}`)
    expect(code).toBe(5)
    expect(stderr).toContain(`No endpoint of its shop subscribes to the event ${event_id}.\nSend it to a URL with --to`)
  })

  test('`events replay --body` sends the text of a file, signed, and every list marks the delivery as edited', async () => {
    const folder = createTestDir()
    const file = join(folder.path, 'edited.json')
    writeFileSync(file, '{"id": "x"}\n')
    const to = `http://127.0.0.1:${app.port}/hooks`
    const { event_id } = jsonOf(await run('trigger payment.succeeded --json')) as { event_id: string }
    const line = `events replay ${event_id} --to ${to} --body ${file}`
    const dry = await run(`${line} --dry-run --json`)
    expect([app.bodies.length, dry.stdout.includes('\\"x\\"')]).toEqual([0, true])
    expect(await run(line)).toMatchObject({ code: 0 })

    const { body, signature, time } = sent(0)
    expect(body).toBe('{"id": "x"}\n')
    expect(signature).toBe(signatureHeader({ body, secret: DEFAULT_SHOP.webhook_secret, timestamp: time }))
    expect((await run('webhooks deliveries list')).stdout).toMatch(/delivered, edited/)
    const { items } = jsonOf(await run('webhooks deliveries list --json')) as { items: [{ id: string }] }
    expect((await run(`webhooks deliveries get ${items[0].id}`)).stdout).toMatch(/^body +edited/m)
    folder.remove()
  })

  test.each([
    ['--since 1h --body FILE', '--body needs exactly one event'],
    ['evt_1 evt_2 --body FILE', '--body needs exactly one event'],
    ['evt_1 --body FILE.none', 'cannot be read'],
    ['evt_1 --body=', 'The name of the file is empty'],
    ['evt_1 --body BINARY', 'is not UTF-8 text'],
    ['evt_1 --body EMPTY', 'is empty'],
    ['evt_1 --body LONG', 'is longer than 65536'],
    ['--imported --to http://127.0.0.1:9 --body FILE', '--body cannot be used with --imported'],
  ])('`events replay %s` is rejected: %s', async (line, message) => {
    const folder = createTestDir()
    const contents = { FILE: '{}', BINARY: Buffer.from([0xff, 0x00]), EMPTY: '', LONG: 'x'.repeat(65_537) }
    for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder.path, name), content)
    const ran = await psp(`events replay ${line}`, { env: { PSP_URL: url }, cwd: folder.path })
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, '', expect.stringContaining(message)])
    expect(app.bodies).toHaveLength(0)
    folder.remove()
  })
})
