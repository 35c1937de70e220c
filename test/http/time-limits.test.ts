// A duration that leads to a time which no date can represent is refused in the request.
import { expect, onTestFinished, test } from 'vitest'
import { assembleSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { sseReader } from '../delivery/fixtures.ts'

const FAR = '99999999d'

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
])('a request to %s with %j and the headers %j is refused', async (path, body, headers) => {
  const sandbox = await opened()
  const { status, body: response } = await call(sandbox, path, body, headers)
  expect(status).toBe(400)
  expect(response.error.message).toMatch(/36500d|0\.000001/)
})

test('the longest lifetimes, delays and retries are accepted, and an advance until idle reports the unreachable step', async () => {
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

const PAYMENT = { amount: 100, currency: 'RUB', method: 'sbp', return_url: 'https://shop.example/' }

async function opened(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await assembleSandbox(options)
  onTestFinished(() => sandbox.close({ grace_ms: 0 }))
  return sandbox
}

function fetched(sandbox: Sandbox, path: string, init: RequestInit = {}) {
  const headers = { Authorization: `Bearer ${sandbox.defaultShop().api_key}`, ...init.headers }
  return sandbox.fetch(new Request(`http://127.0.0.1${path}`, { ...init, headers }))
}

async function call(sandbox: Sandbox, path: string, body: object, headers: object = {}) {
  const method = path === '/_psp/settings' ? 'PATCH' : 'POST'
  const init = { method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) }
  const response = await fetched(sandbox, path, init)
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any field
  return { status: response.status, body: (await response.json()) as any }
}
