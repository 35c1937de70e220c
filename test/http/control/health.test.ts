// `GET /_psp/health` for probes that have no token: compose, Kubernetes, wait-on, a load balancer.
import { expect, onTestFinished, test } from 'vitest'
import { RESPONSES } from '../../../src/http/control/response-schemas.ts'
import { assembleSandbox, type SandboxOptions } from '../../../src/sandbox.ts'
import { diskError, memoryDisk } from '../../store/memory-disk.ts'
import { serve } from '../fixtures.ts'

const TOKEN = 'a-control-token-of-a-test'
const API_KEY = 'sk_test_health_a0key0of0this0test'

/** Each combination of `--host` and `--control-token`. */
const HOSTS = {
  'a shared host without the control API': { loopback: false },
  'a shared host with a token': { loopback: false, token: TOKEN },
  'a loopback host with a token': { loopback: true, token: TOKEN },
  'a loopback host without a token': { loopback: true },
} satisfies Record<string, NonNullable<SandboxOptions['control']>>
type HostName = keyof typeof HOSTS
const ALL = Object.keys(HOSTS) as HostName[]

async function served(name: HostName, options: SandboxOptions = {}) {
  const sandbox = await assembleSandbox({ ...options, control: HOSTS[name] })
  const server = await serve(sandbox)
  onTestFinished(async () => {
    await server.close({ grace_ms: 0 })
    await sandbox.close({ grace_ms: 0 }).catch(() => {})
  })
  return async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.url}${path}`, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>) }
  }
}

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

test.each(ALL)('a probe without a token gets 200 from %s', async (name) => {
  const ask = await served(name)
  const { status, body } = await ask('/_psp/health')
  expect([status, body?.['status']]).toEqual([200, 'ok'])
  expect(RESPONSES.Health.safeParse(body).error?.issues).toBeUndefined()
  expect(await ask('/_psp/health', { method: 'HEAD' })).toEqual({ status: 200, body: undefined })
})

test.each(ALL.filter((name) => name !== 'a loopback host without a token'))(
  'a probe without a token learns the status and nothing else from %s',
  async (name) => {
    const ask = await served(name)
    expect((await ask('/_psp/health')).body).toEqual({ status: 'ok' })
  },
)

test('a caller on a loopback host without a token learns everything', async () => {
  const ask = await served('a loopback host without a token')
  const { body } = await ask('/_psp/health')
  expect(Object.keys(body ?? {})).toEqual(expect.arrayContaining(['version', 'now', 'clock']))
})

test.each(['a shared host with a token', 'a loopback host with a token'] as const)(
  'a caller with the token learns everything from %s, and one with a wrong token is refused',
  async (name) => {
    const ask = await served(name)
    expect((await ask('/_psp/health', bearer(TOKEN))).body).toMatchObject({ version: expect.any(String) })
    expect((await ask('/_psp/health', bearer(`${TOKEN}x`))).status).toBe(401)
  },
)

test('a token sent to a host whose control API is off does not make the probe fail', async () => {
  const ask = await served('a shared host without the control API')
  expect(await ask('/_psp/health', bearer(TOKEN))).toEqual({ status: 200, body: { status: 'ok' } })
})

test.each(ALL)('%s responds with 503 while the store cannot write', async (name) => {
  const disk = memoryDisk()
  const ask = await served(name, {
    folder: '/home/.psp',
    store: { fs: disk.port },
    credentials: { api_key: API_KEY },
  })
  disk.before = (call) => (call.includes('journal') ? { taken: 9, error: diskError('EMFILE') } : undefined)
  const payment = { method: 'POST', body: '{"amount":100}' }
  const headers = { ...bearer(API_KEY).headers, 'Content-Type': 'application/json' }
  expect((await ask('/v1/public/payments', { ...payment, headers })).status).toBe(503)
  const { status, body } = await ask('/_psp/health')
  expect([status, body?.['status']]).toEqual([503, 'failing'])
  if (name !== 'a loopback host without a token') expect(body).toEqual({ status: 'failing' })
  expect((await ask('/_psp/health', { method: 'HEAD' })).status).toBe(503)
})

test.each(ALL)('a web page of another origin learns nothing from %s', async (name) => {
  const ask = await served(name)
  expect((await ask('/_psp/health', { headers: { Origin: 'http://evil.example' } })).status).toBe(403)
})

test.each(ALL)('other control routes stay closed to callers without the token on %s', async (name) => {
  const ask = await served(name)
  const { loopback, token } = HOSTS[name] as { loopback: boolean; token?: string }
  const status = token !== undefined ? 401 : loopback ? 200 : 404
  expect((await ask('/_psp/settings')).status).toBe(status)
  expect((await ask('/_psp/health', { method: 'POST' })).status).toBe(status === 200 ? 405 : status)
})

/** The paths of health checks on other servers. */
const GUESSES = [
  ...['/health', '/healthz', '/healthcheck', '/ready', '/readyz', '/live', '/livez', '/ping', '/status', '/up'],
  ...['/health/', '/healthy', '/health/live', '/health/ready', '/actuator/health', '/-/healthy', '/api/health'],
  ...['/v1/health', '/v1/public/health', '/_psp/healthz', '/_psp/ready', '/_psp/'],
]

test.each(ALL)('the 404 of a path like /healthz suggests the health route on %s', async (name) => {
  const ask = await served(name)
  for (const path of GUESSES) {
    const { status, body } = await ask(path)
    expect([path, status]).toEqual([path, 404])
    expect(JSON.stringify(body?.['error'])).toMatch(/\/_psp\/health\b(?!z)/)
  }
  expect((await ask('/_psp/nothing')).body).not.toHaveProperty('error.message', expect.stringContaining('health'))
})
