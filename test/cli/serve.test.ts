// `psp serve`: its addresses, its end, and equal runs with --random-seed.
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { createTestDir, psp, type RunOptions, startPsp, startReceiver, waitUntil } from './helpers.ts'

let folder: ReturnType<typeof createTestDir>
beforeEach(() => {
  folder = createTestDir()
})
afterEach(() => folder.remove())

/** Starts `psp serve` and waits until it is ready. */
async function serve(flags: readonly string[], options: RunOptions = {}) {
  const running = startPsp(['serve', '--port', '0', '--json', ...flags], { cwd: folder.path, ...options })
  const line = await Promise.race([waitUntil(() => running.output().split('\n', 2)[1] !== undefined), running.ended])
  expect(line).toBe(true)
  const ready = JSON.parse(running.output().split('\n')[0] ?? '') as { url: string; api_key: string }
  const call = async (method: string, path: string, body?: object): Promise<string> => {
    const headers = { Authorization: `Bearer ${ready.api_key}`, ...(body && { 'Content-Type': 'application/json' }) }
    const response = await fetch(`${ready.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return await response.text()
  }
  return { ...running, ready, call }
}

test.each([
  [['--host', '[::1]'], {}],
  [[], { PSP_HOST: '[::1]' }],
])('`psp serve %j` accepts an IPv6 address in brackets, and so does PSP_HOST', async (flags, env) => {
  const server = await serve(['--ephemeral', ...flags], { env: env as Record<string, string> })
  expect(server.ready.url).toContain('http://[::1]:')
  server.signal('SIGINT')
  expect((await server.ended).code).toBe(0)
})

test('`psp serve` exits with 129 at SIGHUP and removes its lock', async () => {
  const server = await serve([])
  await server.call('POST', '/v1/public/payments', { amount: 100 })
  server.signal('SIGHUP')
  expect((await server.ended).code).toBe(129)
  expect(readdirSync(join(folder.path, '.psp'))).not.toContain('lock')
})

test('`psp serve` ends while a fault delays a request, and does not run the request', async () => {
  const clock = createSystemClock()
  // Only the grace of the shutdown is shorter. The fault stays at ten minutes.
  const systemClock = {
    ...clock,
    setTimeout: (run: () => void, ms: number) => clock.setTimeout(run, ms <= 2000 ? ms / 100 : ms),
  }
  const server = await serve([], { systemClock })
  await server.call('POST', '/_psp/faults', { target: 'api', fault: 'latency:10m' })
  const delayed = server.call('POST', '/v1/public/payments', { amount: 100 }).catch(() => 'closed')
  for (let matched = 0; matched === 0; ) matched = JSON.parse(await server.call('GET', '/_psp/faults')).items[0].matched
  server.signal('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(await delayed).toBe('closed')
  const { stdout } = await psp('payments list --json', { cwd: folder.path, env: { PSP_PORT: '1' } })
  expect(JSON.parse(stdout).items).toEqual([])
})

test('two runs with the same --random-seed and a frozen clock have equal exports and webhook bodies', async () => {
  const receiver = await startReceiver()
  const hooks = `http://127.0.0.1:${receiver.port}/hooks`
  const flags = ['--ephemeral', '--quiet', '--random-seed', '7', '--clock', 'frozen', '--endpoint', hooks]

  async function play() {
    const { call, signal, ended } = await serve(flags)
    const first = receiver.bodies.length
    receiver.response = { status: 500 }
    const { payment } = JSON.parse(await call('POST', '/v1/public/payments', { amount: 15_000, method: 'sbp' }))
    await call('POST', '/_psp/clock/advance', { by: '5s' })
    receiver.response = { status: 200 }
    await call('POST', '/_psp/clock/advance', { by: '1h' })
    await call('POST', `/v1/public/payments/${payment.id}/refund`, { amount: 100 })
    await call('POST', '/_psp/clock/advance', { by: '1h' })
    const second = JSON.parse(await call('POST', '/v1/public/payments', { amount: 700 }))
    await call('POST', `/v1/public/payments/${second.payment.id}/cancel`)
    await call('POST', '/_psp/clock/advance', { by: '1h' })
    const state = await call('GET', '/_psp/export')
    signal('SIGTERM')
    await ended
    return { state, bodies: receiver.bodies.slice(first).map((body) => body.toString()) }
  }

  const runs = [await play(), await play()]
  await receiver.close()
  expect(runs[0]?.bodies).toHaveLength(4)
  expect(runs[1]).toEqual(runs[0])
  expect(JSON.parse(runs[0]?.state ?? '').tables.deliveries).toHaveLength(3)
})

test('a server refuses hostile bodies and bytes with an error, and continues', async () => {
  const { ready, signal, ended } = await serve(['--ephemeral', '--quiet', '--clock', 'frozen'])
  const create = (body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${ready.url}/v1/public/payments`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ready.api_key}`, 'Content-Type': 'application/json' },
      body,
    })
  const bodies: [string | Uint8Array<ArrayBuffer>, number][] = [
    ['['.repeat(500_000), 400],
    [`{"amount":100,"metadata":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`, 400],
    ['{"amount":100,"description":"\\ud800"}', 201],
    ['{"amount":1,"amount":200}', 201],
    [new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), 400],
    ['x'.repeat(3_000_000), 413],
    ['{"amount":9007199254740993}', 400],
  ]
  for (const [body, status] of bodies) {
    const response = await create(body)
    expect(response.status).toBe(status)
    if (status !== 201) expect(await response.json()).toMatchObject({ error: { code: expect.any(String) } })
  }
  const { port, hostname } = new URL(ready.url)
  const auth = `Authorization: Bearer ${ready.api_key}`
  for (const bytes of [
    'GET / HTTP/9.9\r\n\r\n',
    `POST /v1/public/payments HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `GET /v1/public/banks/sbp HTTP/1.1\r\n${auth}\r\n\r\n`,
  ]) {
    const socket = connect(Number(port), hostname, () => socket.end(bytes)).setEncoding('latin1')
    expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 4\d\d /)
  }
  expect((await create('{"amount":100}')).status).toBe(201)
  signal('SIGTERM')
  await ended
})
