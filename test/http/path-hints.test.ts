// The 404 of a mistyped path suggests the right one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { raw, serve } from './fixtures.ts'

const ID = '3F2A0b6e-0000-4000-8000-000000000000'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
})
afterAll(() => sandbox.close())

async function hintAt(start: string): Promise<string> {
  const [method = '', path = ''] = start.split(' ')
  const headers = { accept: 'application/json' }
  const response = await sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, { method, headers }))
  expect(response.status).toBe(404)
  const { error } = (await response.json()) as { error: { message: string } }
  const shown = `There is nothing at ${path}.`
  expect(error.message.startsWith(shown)).toBe(true)
  return error.message.slice(shown.length).trim()
}

test.each([
  ['POST /payments', '/v1/public/payments'],
  ['POST /v1/payments', '/v1/public/payments'],
  ['POST /v1/payments/', '/v1/public/payments'],
  ['POST /public/payments', '/v1/public/payments'],
  ['POST /v2/public/payments', '/v1/public/payments'],
  ['POST /public/v1/payments', '/v1/public/payments'],
  ['POST /api/payments', '/api/v1/public/payments'],
  ['POST /api/v1/payments', '/api/v1/public/payments'],
  ['POST /api/public/payments', '/api/v1/public/payments'],
  ['POST /api/v1/public/payment', '/api/v1/public/payments'],
  ['POST /v1/public/payment', '/v1/public/payments'],
  ['POST /v1/public/payements', '/v1/public/payments'],
  ['POST /V1/Public/Payments', '/v1/public/payments'],
  ['POST //v1//public/payments', '/v1/public/payments'],
  ['POST /v1/public//payments/', '/v1/public/payments'],
  ['POST /v1/public/v1/public/payments', '/v1/public/payments'],
  ['POST /v1/public/payments.json', '/v1/public/payments'],
  ['POST /v1/payout', '/v1/public/payouts'],
  [`GET /v1/payments/${ID}`, `/v1/public/payments/${ID}`],
  [`GET /payment/${ID}/`, `/v1/public/payments/${ID}`],
  [`POST /v1/payments/${ID}/refunds`, `/v1/public/payments/${ID}/refund`],
  [`POST /v1/public/payments/${ID}/canceled`, `/v1/public/payments/${ID}/cancel`],
  ['GET /banks', '/v1/public/banks/sbp'],
  ['GET /v1/public/banks', '/v1/public/banks/sbp'],
  ['GET /v1/events', '/v1/public/events'],
  ['POST /v1/refunds', '/v1/public/payments/{id}/refund'],
  ['GET /openapi', '/openapi.json'],
  ['GET /openapi.yaml', '/openapi.json'],
  ['GET /swagger.json', '/openapi.json'],
  ['GET /docs', '/openapi.json'],
  ['GET /v1/public/openapi.json', '/openapi.json'],
  ['GET /settings', '/_psp/settings'],
  ['GET /_psp/setting', '/_psp/settings'],
  ['GET /psp/deliveries', '/_psp/deliveries'],
  ['GET /_psp/v1/payments', '/_psp/payments'],
  ['GET /_psp//payments', '/_psp/payments'],
  ['GET /v1/public/deliveries', '/_psp/deliveries'],
  [`GET /_psp/event/${ID}`, `/_psp/events/${ID}`],
  ['GET /openapi.yml', '/openapi.json'],
  ['GET /swagger.html', '/openapi.json'],
  ['GET /docs.htm', '/openapi.json'],
  ['GET /refunds', '/_psp/refunds'],
  ['PATCH /setting', '/_psp/settings'],
  ['DELETE /rule', '/_psp/rules'],
])('the 404 of %s suggests %s', async (start, path) => {
  expect(await hintAt(start)).toBe(`Did you mean ${path}?`)
})

test.each([
  ['GET /v1/payments', 'POST /v1/public/payments or GET /_psp/payments'],
  ['GET /payments', 'POST /v1/public/payments or GET /_psp/payments'],
  ['POST /banks', 'GET /v1/public/banks/sbp'],
  ['PUT /v1/payments', 'POST /v1/public/payments'],
  ['POST /setting', 'GET /_psp/settings'],
])('the 404 of %s suggests %s, which has another method', async (start, meant) => {
  expect(await hintAt(start)).toBe(`Did you mean ${meant}?`)
})

test.each([
  ['POST /v1/public/payments/', 'Leave out the slash at the end.'],
  ['GET /_psp/payments/', 'Leave out the slash at the end.'],
  ['POST /v1/public/payments//refund', 'The id is empty: /v1/public/payments/{id}/refund.'],
  ['POST /_psp/payments//act', 'The id is empty: /_psp/payments/{id}/act.'],
  ['POST /payments//refund', 'The id is empty. Did you mean /v1/public/payments/{id}/refund?'],
  ['GET /', 'The API is at /v1/public; GET /openapi.json describes it.'],
  ['GET /v1', 'The API is at /v1/public; GET /openapi.json describes it.'],
  ['GET /api/v1/public/', 'The API is at /v1/public; GET /openapi.json describes it.'],
  ['GET /pay', "A payment's page is at /pay/{payment_id}."],
  [`POST /v1/public/payments/${ID}/capture`, 'GET /openapi.json lists the paths.'],
  ['GET /_psp/frobnicate', 'GET /_psp/openapi.json lists the paths.'],
  ['GET /nowhere', ''],
  ['GET /x/pay', ''],
  ['GET /settings.json5', ''],
  ['DELETE /keys', ''],
  ['GET /_psp/v1', 'GET /_psp/openapi.json lists the paths.'],
  ['GET //v1', 'The API is at /v1/public; GET /openapi.json describes it.'],
  ['GET /v10//public', 'The API is at /v1/public; GET /openapi.json describes it.'],
  ['GET /_psp', 'GET /_psp/health reports whether the server is ready.'],
  ['POST /re/fund', ''],
  ['GET /api/v1/healthz', 'GET /_psp/health reports whether the server is ready.'],
  ['GET /favicon.ico', ''],
  ['GET /wp-login.php', ''],
  [`GET /pay/${ID}/`, 'Leave out the slash at the end.'],
  [`GET /pay/${ID}/statuses`, `Did you mean /pay/${ID}/status?`],
])('the 404 of %s has the hint %j', async (start, hint) => {
  expect(await hintAt(start)).toBe(hint)
})

test('a long path is shortened in the message and in the hint', async () => {
  const message = async (path: string) => {
    const response = await sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`))
    return ((await response.json()) as { error: { message: string } }).error.message
  }
  expect(await message(`/${'x'.repeat(200)}`)).toBe(`There is nothing at /${'x'.repeat(199)}.`)
  const near = `/payment/${'x'.repeat(500)}`
  const meant = `/v1/public/payments/${'x'.repeat(500)}`
  expect(await message(near)).toBe(`There is nothing at ${near.slice(0, 200)}. Did you mean ${meant.slice(0, 400)}?`)
})

test.each([
  ['DELETE', '/v1/public/payments', 'POST'],
  ['PUT', '/_psp/settings', 'GET, HEAD, PATCH'],
])('%s %s gets a 405 with the methods of the path', async (method, path, allow) => {
  const response = await sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, { method }))
  expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([
    405,
    allow,
    { error: { code: 'method_not_allowed', message: `${method} is not allowed here. Allowed: ${allow}.` } },
  ])
})

test('each route is suggested for its path without prefix, with a double slash and in capital letters', async () => {
  const documents = await Promise.all(
    ['/openapi.json', '/_psp/openapi.json'].map(
      async (path) =>
        (await (await sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`))).json()) as {
          paths: Record<string, Record<string, unknown>>
        },
    ),
  )
  const starts = documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
        .map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, 'a1')] as const),
    ),
  )
  expect(starts.length).toBeGreaterThan(60)
  let checked = 0
  for (const [method, path] of starts) {
    const core = path.replace(/^\/(v1\/public|_psp)/, '')
    for (const near of [core, `/v1${core}`, path.toUpperCase(), path.replace('/', '//')]) {
      const response = await sandbox.fetch(new Request(`http://127.0.0.1:7770${near}`, { method }))
      if (response.status !== 404) continue
      checked++
      const { error } = (await response.json()) as { error: { message: string } }
      expect(error.message, `${method} ${near}`).toMatch(/Did you mean|Leave out|GET \/_psp\/health/)
    }
  }
  expect(checked).toBeGreaterThan(3 * starts.length)
})

test('a caller that may not use the control API gets no hint to it', async () => {
  const server = await serve(sandbox)
  const shared = await assembleSandbox({
    clock: { mode: 'frozen' },
    credentials: { api_key: 'sk_test_abc123_own', signing_secret: 'thm_own', webhook_secret: 'whs_own' },
  })
  const open = await serve(shared, '0.0.0.0')
  try {
    const ask = ({ port }: { port: number }, path: string) =>
      raw(port, Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`))
    expect(await ask(server, '/settings')).toContain('Did you mean /_psp/settings?')
    expect(await ask(open, '/settings')).not.toContain('_psp')
    expect(await ask(open, '/v1/payments')).toContain('Did you mean POST /v1/public/payments?')
    expect(await ask(open, '/health')).toContain('/_psp/health')
  } finally {
    await open.close({ grace_ms: 0 })
    await server.close({ grace_ms: 0 })
    await shared.close()
  }
})
