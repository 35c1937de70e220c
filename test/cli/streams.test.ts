import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startReceiver, startTestServer, type TestServer, waitUntil } from './helpers.ts'

let rig: TestServer

beforeEach(async () => {
  rig = await startTestServer()
})
afterEach(() => rig.close())

describe('tail', () => {
  test('shows every change, with a key of its own that is revoked at the end', async () => {
    const running = rig.startPsp(['tail'])
    await waitUntil(() => running.errors().includes('Following'))
    await rig.psp('trigger payment.succeeded --set order_id=42')
    await waitUntil(() => running.output().includes('processing -> succeeded'))
    running.signal('SIGINT')
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/payment\.created {2}[0-9a-f-]{36} {2}pending {2}1 000\.00 RUB {2}order 42\n/)
    const keys = JSON.parse((await rig.psp('keys list --json')).stdout)
    expect(keys.items.filter((key: { revoked_at: string | null }) => key.revoked_at === null)).toHaveLength(1)
  })

  test.each([
    ['EPIPE', 0, false],
    ['ENOSPC', 1, true],
  ] as const)('gives the key back where stdout ends with %s', async (code, exit, told) => {
    const running = rig.startPsp(['tail'])
    await waitUntil(() => running.errors().includes('Following'))
    running.failStdout(code)
    const ended = await running.ended
    expect([ended.code, running.exits]).toEqual([exit, []])
    expect(ended.stderr.includes('\nerror ')).toBe(told)
    const keys = JSON.parse((await rig.psp('keys list --json')).stdout)
    expect(keys.items.filter((key: { revoked_at: string | null }) => key.revoked_at === null)).toHaveLength(1)
  })

  test('--kinds and --json, --raw', async () => {
    const json = rig.startPsp(['tail', '--kinds', 'payment.created', '--json'])
    const raw = rig.startPsp(['tail', '--raw'])
    await waitUntil(() => json.errors().includes('Following') && raw.errors().includes('Following'))
    await rig.psp('trigger payment.succeeded')
    await waitUntil(() => raw.output().includes('"succeeded"'))
    json.signal('SIGTERM')
    raw.signal('SIGTERM')
    const kinds = (await json.ended).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).kind)
    expect(kinds).toEqual(['payment.created'])
    expect((await raw.ended).stdout).toMatch(/^event: payment\.created\ndata: \{.*\}\n\n/)
    expect((await rig.psp('tail --kinds payment.creatd')).code).toBe(2)
  })
})

describe('wait', () => {
  test('refuses a field that no such event has, at once', async () => {
    const { code, stderr } = await rig.psp('wait payment.failed --where ordr_id=42 --timeout 5m')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean order_id?')])
    expect((await rig.psp('wait payment.failed --where recipient.phone=1 --timeout 5m')).code).toBe(2)
  })

  test('ends when the event comes, and prints it', async () => {
    const running = rig.startPsp(['wait', 'payment.*', '--where', 'order_id=42', '--json'])
    // It has no banner: that it listens shows only when something comes.
    let made = 0
    while (running.output() === '') {
      await rig.psp(`trigger payment.failed --set order_id=${made++ % 2 === 0 ? 41 : 42}`)
    }
    const { code, stdout } = await running.ended
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(stdout)).toMatchObject({ event: 'payment.failed', data: { order_id: '42' } })
  })

  test('--since counts what happened, --count wants more', async () => {
    await rig.psp('trigger payment.failed')
    expect((await rig.psp('wait payment.failed --since 10m')).code).toBe(0)
    const more = await rig.psp('wait payment.failed --since 10m --count 2 --timeout 3s')
    expect(more.code).toBe(7)
    expect(more.stderr).toContain('1 of 2 happened')
    expect(more.stdout.trimEnd().split('\n')).toHaveLength(1)
  })

  test('at its timeout it says what came instead', async () => {
    await rig.psp('trigger payment.failed --set order_id=41')
    const { code, stderr } = await rig.psp('wait payment.failed --where order_id=42 --since 10m --timeout 3s')
    expect(code).toBe(7)
    expect(stderr).toContain('Events that happened instead:\n')
    expect(stderr).toContain('payment.failed  order_id "41"')
  })

  test('an interrupted one ends with 130', async () => {
    const running = rig.startPsp(['wait', 'payment.failed'])
    running.signal('SIGINT')
    expect((await running.ended).code).toBe(130)
  })
})

describe('logs', () => {
  test('hold bodies only where they are asked for, as JSON too', async () => {
    await rig.psp('payments create --amount 100')
    const [plain, whole] = [await rig.psp('logs --json'), await rig.psp('logs --json --show-body')].map(
      ({ stdout }) => JSON.parse(stdout).items[0],
    )
    expect(plain).toMatchObject({ method: 'POST', status: 201 })
    expect(plain).not.toHaveProperty('request')
    expect(whole.request.body).toContain('100')
  })

  test('are not flooded by --wait', async () => {
    const running = rig.startPsp(['payments', 'create', '--amount', '100', '--wait'])
    await waitUntil(() => running.errors().includes('waiting for its final status'))
    await rig.psp('clock advance 500ms')
    await rig.psp('clock advance 1h')
    expect((await running.ended).stdout).toMatch(/status +succeeded/)
    const { items } = JSON.parse((await rig.psp('logs --json')).stdout)
    expect(items.map(({ method }: { method: string }) => method)).toEqual(['GET', 'POST'])
  })

  test('say whose time they show', async () => {
    await rig.psp('payments create --amount 100')
    await rig.psp('clock freeze 2099-01-02T03:04:05Z')
    expect((await rig.psp('logs')).stderr).toContain("Times are this machine's.")
    expect((await rig.psp('wait payment.failed --timeout 2s')).stderr).toContain("Times are the sandbox's.")
  })
})

describe('clock advance', () => {
  test('names a receiver that keeps it waiting', async () => {
    const app = await startReceiver()
    app.response = { status: 200, silent: true }
    await rig.psp('settings set webhook_timeout=4s')
    await rig.psp(`webhooks endpoints create http://127.0.0.1:${app.port}/slow`)
    await rig.psp('payments create --amount 100 --method sbp')
    const { code, stderr } = await rig.psp('clock advance 5s')
    expect(code).toBe(0)
    expect(stderr.split('\n').filter((line) => line.includes('/slow'))).toEqual([
      expect.stringContaining(`http://127.0.0.1:${app.port}/slow has not responded yet.`),
    ])
    await app.close()
  })
})

describe('logs --follow', () => {
  test('goes on with new requests until the signal', async () => {
    const running = rig.startPsp(['logs', '--follow', '--method', 'POST'])
    let made = 0
    while (!running.output().includes(`GET`) && made < 200 && !/POST/.test(running.output())) {
      made++
      await rig.psp('payments create --amount 100')
    }
    running.signal('SIGINT')
    expect((await running.ended).code).toBe(130)
  })

  test('ends with 143 at SIGTERM, and with 0 where nobody reads it any more', async () => {
    const follow = async (end: (running: ReturnType<typeof rig.startPsp>) => void) => {
      const running = rig.startPsp(['logs', '--follow'])
      await waitUntil(() => running.output().includes('/payments'))
      end(running)
      return (await running.ended).code
    }
    await rig.psp('payments create --amount 100')
    expect(await follow((running) => running.signal('SIGTERM'))).toBe(143)
    expect(await follow((running) => running.failStdout('EPIPE'))).toBe(0)
  })
})
