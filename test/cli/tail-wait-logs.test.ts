import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import { startReceiver, startTestServer, type TestServer, waitUntil } from './helpers.ts'

let testServer: TestServer

beforeEach(async () => {
  testServer = await startTestServer()
})
afterEach(() => testServer.close())

describe('tail', () => {
  test('`psp tail` shows each change, with a separate key that is revoked at the end', async () => {
    const running = testServer.startPsp(['tail'])
    await waitUntil(() => running.errors().includes('Following'))
    await testServer.psp('trigger payment.succeeded --set order_id=42')
    await waitUntil(() => running.output().includes('processing -> succeeded'))
    running.signal('SIGINT')
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/payment\.created {2}[0-9a-f-]{36} {2}pending {2}1 000\.00 RUB {2}order 42\n/)
    const keys = JSON.parse((await testServer.psp('keys list --json')).stdout)
    expect(keys.items.filter((key: { revoked_at: string | null }) => key.revoked_at === null)).toHaveLength(1)
  })

  test.each([
    ['EPIPE', 0, false],
    ['ENOSPC', 1, true],
  ] as const)('`psp tail` revokes its key if stdout ends with %s', async (code, exit, hasError) => {
    const running = testServer.startPsp(['tail'])
    await waitUntil(() => running.errors().includes('Following'))
    running.failStdout(code)
    const ended = await running.ended
    expect([ended.code, running.exits]).toEqual([exit, []])
    expect(ended.stderr.includes('\nerror ')).toBe(hasError)
    const keys = JSON.parse((await testServer.psp('keys list --json')).stdout)
    expect(keys.items.filter((key: { revoked_at: string | null }) => key.revoked_at === null)).toHaveLength(1)
  })

  test.each([
    ['stdin', true],
    ['stdout', false],
  ])('`psp ui` prints the lines of `psp tail` if %s is not a terminal, and names it', async (name, terminal) => {
    const running = testServer.startPsp(['ui', '--color', 'never'], { terminal })
    await waitUntil(() => running.errors().includes('Following'))
    running.signal('SIGINT')
    const { code, stderr } = await running.ended
    expect(code).toBe(0)
    expect(stderr).toContain(`${name} is not a terminal, so this is the output of \`psp tail\`.`)
  })

  test('`psp tail` exits with 3 if its key is wrong', async () => {
    expect(await testServer.psp('tail --api-key wrong')).toMatchObject({ code: 3, stdout: '' })
  })

  test('`psp tail` filters by --kinds, and prints JSON with --json and frames with --raw', async () => {
    const json = testServer.startPsp(['tail', '--kinds', 'payment.created', '--json'])
    const raw = testServer.startPsp(['tail', '--raw'])
    await waitUntil(() => json.errors().includes('Following') && raw.errors().includes('Following'))
    await testServer.psp('trigger payment.succeeded')
    await waitUntil(() => raw.output().includes('"succeeded"'))
    json.signal('SIGTERM')
    raw.signal('SIGTERM')
    const kinds = (await json.ended).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).kind)
    expect(kinds).toEqual(['payment.created'])
    expect((await raw.ended).stdout).toMatch(/^event: payment\.created\ndata: \{.*\}\n\n/)
    expect((await testServer.psp('tail --kinds payment.creatd')).code).toBe(2)
  })
})

describe('wait', () => {
  test('`psp wait` immediately refuses a field that the event does not have', async () => {
    const { code, stderr } = await testServer.psp('wait payment.failed --where ordr_id=42 --timeout 5m')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean order_id?')])
    expect((await testServer.psp('wait payment.failed --where recipient.phone=1 --timeout 5m')).code).toBe(2)
  })

  test('`psp wait` prints the event and ends', async () => {
    const running = testServer.startPsp(['wait', 'payment.*', '--where', 'order_id=42', '--json'])
    // The command has no banner, so events are created until it prints one.
    let made = 0
    while (running.output() === '') {
      await testServer.psp(`trigger payment.failed --set order_id=${made++ % 2 === 0 ? 41 : 42}`)
    }
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(stdout)).toMatchObject({ event: 'payment.failed', data: { order_id: '42' } })
  })

  test('`psp wait --since` counts earlier events, and --count waits for more', async () => {
    await testServer.psp('trigger payment.failed')
    expect((await testServer.psp('wait payment.failed --since 10m')).code).toBe(0)
    const more = await testServer.psp('wait payment.failed --since 10m --count 2 --timeout 3s')
    expect(more.code).toBe(7)
    expect(more.stderr).toContain('1 of 2 happened')
    expect(more.stdout.trimEnd().split('\n')).toHaveLength(1)
  })

  test('`psp wait` lists the events that happened instead when it times out', async () => {
    await testServer.psp('trigger payment.failed --set order_id=41')
    const { code, stderr } = await testServer.psp('wait payment.failed --where order_id=42 --since 10m --timeout 3s')
    expect(code).toBe(7)
    expect(stderr).toContain('Events that happened instead:\n')
    expect(stderr).toContain('payment.failed  order_id "41"')
  })

  test('`psp wait --count` lists only events that did not count when it times out', async () => {
    for (const order of [41, 42]) await testServer.psp(`trigger payment.failed --set order_id=${order}`)
    const line = 'wait payment.failed --where order_id=42 --since 10m --count 2 --timeout 3s'
    const { code, stderr } = await testServer.psp(line)
    expect(code).toBe(7)
    expect(stderr).toContain('1 of 2 happened')
    expect(stderr).toContain('order_id "41"')
    expect(stderr).not.toContain('order_id "42"')
  })

  test('`psp wait` exits with 130 at SIGINT', async () => {
    const running = testServer.startPsp(['wait', 'payment.failed'])
    running.signal('SIGINT')
    expect((await running.ended).code).toBe(130)
  })
})

describe('logs', () => {
  test('`psp logs --json` contains bodies only with --show-body', async () => {
    await testServer.psp('payments create --amount 100')
    const [plain, whole] = [await testServer.psp('logs --json'), await testServer.psp('logs --json --show-body')].map(
      ({ stdout }) => JSON.parse(stdout).items[0],
    )
    expect(plain).toMatchObject({ method: 'POST', status: 201 })
    expect(plain).not.toHaveProperty('request')
    expect(whole.request.body).toContain('100')
  })

  test('`payments create --wait` adds only one request to the log', async () => {
    const running = testServer.startPsp(['payments', 'create', '--amount', '100', '--wait'])
    await waitUntil(() => running.errors().includes('waiting for its final status'))
    await testServer.psp('clock advance 500ms')
    await testServer.psp('clock advance 1h')
    expect((await running.ended).stdout).toMatch(/status +succeeded/)
    const { items } = JSON.parse((await testServer.psp('logs --json')).stdout)
    expect(items.map(({ method }: { method: string }) => method)).toEqual(['GET', 'POST'])
  })

  test('`psp logs` and `psp wait` say whose time they show if the clock was moved', async () => {
    await testServer.psp('payments create --amount 100')
    await testServer.psp('clock freeze 2099-01-02T03:04:05Z')
    expect((await testServer.psp('logs')).stderr).toContain("Times are this machine's.")
    expect((await testServer.psp('wait payment.failed --timeout 2s')).stderr).toContain("Times are the sandbox's.")
  })
})

describe('clock advance', () => {
  test('`clock advance` names a receiver that delays it', async () => {
    const app = await startReceiver()
    app.response = { status: 200, silent: true }
    await testServer.psp('settings set webhook_timeout=4s')
    await testServer.psp(`webhooks endpoints create http://127.0.0.1:${app.port}/slow`)
    await testServer.psp('payments create --amount 100 --method sbp')
    const { code, stderr } = await testServer.psp('clock advance 5s')
    expect(code).toBe(0)
    expect(stderr.split('\n').filter((line) => line.includes('/slow'))).toEqual([
      expect.stringContaining(`http://127.0.0.1:${app.port}/slow has not responded yet.`),
    ])
    await app.close()
  })

  test('`clock advance` leaves no timer behind', async () => {
    const systemClock = manualSystemClock(Date.now())
    expect((await testServer.psp('clock advance 5s', { systemClock })).code).toBe(0)
    expect(systemClock.waiting()).toBe(0)
  })
})

describe('logs --follow', () => {
  test('`logs --follow` prints new requests of the method until SIGINT', async () => {
    const running = testServer.startPsp(['logs', '--follow', '--method', 'POST'])
    // It prints nothing when it begins to follow, so requests are sent until it prints one.
    while (!running.output().includes('POST')) {
      await fetch(`${testServer.url}/v1/public/payments/none`)
      await testServer.psp('payments create --amount 100')
    }
    running.signal('SIGINT')
    const { code, stdout } = await running.ended
    expect([code, stdout]).toEqual([130, expect.not.stringContaining('GET')])
  })

  test('`logs --follow` exits with 143 at SIGTERM, and with 0 if its reader closes the pipe', async () => {
    const follow = async (end: (running: ReturnType<typeof testServer.startPsp>) => void) => {
      const running = testServer.startPsp(['logs', '--follow'])
      await waitUntil(() => running.output().includes('/payments'))
      end(running)
      return (await running.ended).code
    }
    await testServer.psp('payments create --amount 100')
    expect(await follow((running) => running.signal('SIGTERM'))).toBe(143)
    expect(await follow((running) => running.failStdout('EPIPE'))).toBe(0)
  })
})
