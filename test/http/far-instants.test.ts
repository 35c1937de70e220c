// Instants that no date can show: refused where they are asked for, bounded where an older folder holds them.
import { expect, onTestFinished, test } from 'vitest'
import { assembleSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { pageText } from '../../src/store/page-text.ts'
import { sseReader } from '../delivery/sse-reader.ts'
import { memoryDisk } from '../store/memory-disk.ts'

const FAR = '99999999d'
const LAST = '9999-12-31T23:59:59.999Z'

test.each([
  ['/v1/public/payments', { amount: 100, metadata: {} }, { 'X-PSP-Simulate': `succeeded@${FAR}` }],
  ['/_psp/rules', { plan: `succeeded@${FAR}` }, {}],
  ['/_psp/faults', { target: 'api', fault: `latency:${FAR}` }, {}],
  ['/_psp/faults', { target: 'webhook', fault: `delay:${FAR}` }, {}],
  ['/_psp/clock/advance', { by: FAR }, {}],
  ['/_psp/settings', { link_ttl: FAR }, {}],
  ['/_psp/settings', { 'session_ttl.sbp': FAR }, {}],
  ['/_psp/settings', { 'delays.bank': '36501d' }, {}],
  ['/_psp/settings', { webhook_retries: ['10s', FAR] }, {}],
  ['/_psp/settings', { default_outcome: `pending@${FAR}` }, {}],
  ['/_psp/settings', { usdt_rate: 1e-300 }, {}],
])('%s refuses %j %j', async (path, body, headers) => {
  const sandbox = await opened()
  const { status, body: answer } = await call(sandbox, path, body, headers)
  expect(status).toBe(400)
  expect(answer.error.message).toMatch(/36500d|0\.000001/)
})

test('the longest lifetimes, delays and retries answer, are told on the stream, and until idle says what is left', async () => {
  const sandbox = await opened({ settings: { webhook_retries: Array(100).fill('36500d') } })
  await call(sandbox, '/_psp/settings', { link_ttl: '36500d', idempotency_ttl: '36500d', 'session_ttl.sbp': '36500d' })
  const stream = sseReader((await fetched(sandbox, '/_psp/stream')).body as ReadableStream<Uint8Array>)
  await call(sandbox, '/_psp/clock', { mode: 'frozen', now: '8999-12-31T00:00:00Z' })
  const made = await call(sandbox, '/v1/public/payments', PAYMENT, { 'X-PSP-Simulate': 'succeeded@36500d' })
  expect(made.status).toBe(201)
  expect(made.body.payment.expires_at).toBe('9099-12-07T00:00:00.000Z')
  const idle = await call(sandbox, '/_psp/clock/advance', { until: 'idle' })
  expect(idle).toMatchObject({ status: 200, body: { never: 1 } })
  expect(idle.body.now < '9000-01-02').toBe(true)
  expect((await stream.take(3)).map(({ event }) => event)).toContain('payment')
  expect((await fetched(sandbox, '/_psp/health')).status).toBe(200)
})

test('a folder of an earlier version that holds such instants, settings and a clock opens and answers', async () => {
  const { port } = memoryDisk()
  const options = { folder: '/home/.psp', store: { fs: port } }
  const first = await opened({ ...options, settings: { link_ttl: '1h' } })
  const { id } = (await call(first, '/v1/public/payments', PAYMENT)).body.payment
  await first.close()
  const page = '/home/.psp/pages/payments/000000.json'
  const [row] = JSON.parse(String(port.read(page))).rows
  const state = JSON.parse(String(port.read('/home/.psp/state.json')))
  write(port, page, pageText(state.seq, [JSON.stringify({ ...row, expires_at: 8.64e15 + 1, created_at: 9e15 })]))
  const settings = { link_ttl: FAR, default_outcome: `succeeded@${FAR}`, usdt_rate: 1e-300 }
  const clock = { mode: 'frozen', speed: 1, virtual: 9e15, wall: 5 }
  write(port, '/home/.psp/state.json', [Buffer.from(JSON.stringify({ ...state, settings, clock }))])

  const again = await opened(options)
  const shown = await fetched(again, `/v1/public/payments/${id}`)
  expect(await shown.json()).toMatchObject({ expires_at: LAST, created_at: LAST })
  expect(await (await fetched(again, '/_psp/clock')).json()).toMatchObject({ now: LAST })
  const made = await call(again, '/v1/public/payments', { ...PAYMENT, amount: 9_007_199_254_740_991 })
  expect(made.status).toBe(201)
  expect(Number.isFinite(made.body.payment.amount_usdt)).toBe(true)
  expect((await call(again, '/_psp/settings', { naming: 'shop' })).status).toBe(200)
})

const PAYMENT = { amount: 100, currency: 'RUB', method: 'sbp', return_url: 'https://shop.example/' }

async function opened(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await assembleSandbox(options)
  onTestFinished(() => sandbox.close({ grace_ms: 0 }))
  return sandbox
}

function fetched(sandbox: Sandbox, path: string, init: RequestInit = {}) {
  const headers = { Authorization: `Bearer ${sandbox.start().api_key}`, ...init.headers }
  return sandbox.fetch(new Request(`http://127.0.0.1${path}`, { ...init, headers }))
}

async function call(sandbox: Sandbox, path: string, body: object, headers: object = {}) {
  const method = path === '/_psp/settings' ? 'PATCH' : 'POST'
  const init = { method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) }
  const response = await fetched(sandbox, path, init)
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any field
  return { status: response.status, body: (await response.json()) as any }
}

function write(port: ReturnType<typeof memoryDisk>['port'], file: string, pieces: readonly Uint8Array[]): void {
  const fd = port.open(file, 'w')
  port.write(fd, Buffer.concat(pieces))
  port.close(fd)
}
