// `psp logs`, `psp request` and other commands that only read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonOf, startTestServer, type TestServer } from './helpers.ts'

let testServer: TestServer

beforeAll(async () => {
  testServer = await startTestServer()
})
afterAll(() => testServer.close())

const run = async (line: string | string[]) =>
  jsonOf(await testServer.psp(typeof line === 'string' ? `${line} --json` : [...line, '--json']))

test('`psp request` suggests the prefix of a path that lacks it', async () => {
  expect((await testServer.psp('request GET /payments/x')).stdout).toContain('Did you mean /v1/public/payments/x?')
  expect((await testServer.psp('request GET /health')).stdout).toContain('Did you mean /_psp/health?')
  expect((await testServer.psp('request GET /nowhere')).stdout).not.toContain('Did you mean')
})

test('the request log has times of at most three decimals of a millisecond', async () => {
  await run('payments create --amount 100')
  const { stdout } = await testServer.psp('logs --json')
  const times = [...stdout.matchAll(/"ms":([\d.]+)/g)].map(([, ms = '']) => ms)
  expect(times.length).toBeGreaterThan(0)
  for (const ms of times) expect(ms).toMatch(/^\d+(\.\d{1,3})?$/)
})

describe('logs, requests and lists', () => {
  test('`psp logs` filters by status and shows decisions and bodies', async () => {
    await testServer.psp(['payments', 'create', '--amount', '100', '--order-id', 'log-me'])
    await testServer.psp('payments get nonsense')
    const all = await testServer.psp('logs --show-body')
    expect(all.stdout).toContain('by default')
    expect(all.stdout).toContain('log-me')
    const refused = (await run('logs --status 4xx')) as { items: { status: number }[] }
    expect(refused.items.every(({ status }) => status >= 400 && status < 500)).toBe(true)
    expect(refused.items.length).toBeGreaterThan(0)
  })

  test('`psp request` prints the status on stderr and the body on stdout, and its exit code depends on the status', async () => {
    const good = await testServer.psp(['request', 'POST', '/v1/public/payments', '-d', '{"amount": 100}', '--sign'])
    expect(good.code).toBe(0)
    expect(good.stderr).toMatch(/^201 {2}application\/json/)
    expect(JSON.parse(good.stdout)).toMatchObject({ payment: { amount: 100 } })
    expect((await testServer.psp(['request', 'POST', '/v1/public/payments', '-d', '{'])).code).toBe(5)
    expect((await testServer.psp('request get _psp/health --json')).stdout).toMatch(/^{"status":"ok"/)
    expect((await testServer.psp('request PURGE /x')).code).toBe(2)
    const piped = await testServer.psp(['request', 'POST', '/v1/public/payments', '-d', '-'], { stdin: '{"amount":7}' })
    expect(JSON.parse(piped.stdout)).toMatchObject({ payment: { amount: 7 } })
  })

  test('`psp request --json` prints an error as one line on stderr', async () => {
    const refused = await testServer.psp('request GET /v1/public/payments/x --json')
    expect([refused.code, refused.stdout]).toEqual([4, ''])
    expect(JSON.parse(refused.stderr)).toEqual({
      error: {
        code: 'not_found',
        message: 'There is no payment x for this API key.',
        hint: expect.stringContaining('payments list'),
      },
    })
    expect(refused.stderr.trimEnd()).not.toContain('\n')
    const head = await testServer.psp('request HEAD /v1/public/payments/x --json')
    expect([head.code, head.stdout, JSON.parse(head.stderr).error.code]).toEqual([4, '', 'unexpected_response'])
  })

  test('the headers of `psp request` replace default headers in any case, and `K:` omits one', async () => {
    const send = (...more: string[]) =>
      testServer.psp(['request', 'POST', '/v1/public/payments', '-d', '{"amount":1}', ...more])
    expect((await send('-H', 'content-type: text/plain')).stdout).toContain('application/json')
    expect((await send('-H', 'authorization:')).code).toBe(3)
    expect((await send('-H', 'Idempotency-Key;')).stdout).toContain('Idempotency-Key')
    expect((await testServer.psp('request head /v1/public/banks/sbp')).stderr).toMatch(/^200/)
    expect((await testServer.psp('request OPTIONS /v1/public/payments -i')).stderr).toContain('allow: POST')
    expect((await testServer.psp(['request', 'GET', '/x', '-d', '{}'])).code).toBe(2)
  })

  test('lists contain only the shop of --api-key', async () => {
    const other = (await run('shops create --name Other')) as { shop_id: string; api_key: string }
    const key = `--api-key ${other.api_key}`
    await run('payments create --amount 100')
    await run(`payments create --amount 700 ${key}`)
    await run(`payouts create --amount 700 --phone +79991234567 --bank-id 100000000111 ${key}`)
    for (const list of ['payments', 'payouts']) {
      const own = (await run(`${list} list ${key}`)) as { items: { shop_id: string; amount: number }[] }
      expect(own.items.map(({ shop_id, amount }) => [shop_id, amount])).toEqual([[other.shop_id, 700]])
    }
    const all = (await run('payments list')) as { items: { shop_id: string }[] }
    expect(new Set(all.items.map(({ shop_id }) => shop_id)).size).toBeGreaterThan(1)
    const live = (await run(`keys create --shop ${other.shop_id} --mode live`)) as { api_key: string }
    expect(await run(`payments list --api-key ${live.api_key}`)).toMatchObject({ items: [] })
    const stranger = await testServer.psp('payments list --api-key sk_test_abcdef_unknown')
    expect(stranger).toMatchObject({ code: 3, stderr: expect.stringContaining('No shop of this sandbox') })
  })

  test('`payments create` shows the planned failure code, and hints name the typed id', async () => {
    const { stdout } = await testServer.psp('payments create --amount 100 --outcome failed:insufficient_funds')
    expect(stdout).toMatch(/^planned +failed:insufficient_funds, by --outcome or the header X-PSP-Simulate$/m)
    const id = /^payment +(\S+)$/m.exec(stdout)?.[1] ?? ''
    const early = await testServer.psp(`payments refund ${id}`)
    expect([early.code, early.stderr]).toEqual([5, expect.stringContaining(`\`psp payments get ${id}\` shows`)])
    expect(await testServer.psp('webhooks endpoints create notaurl')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a word, not an address'),
    })
  })

  test('`psp openapi` prints both documents', async () => {
    expect(await run('openapi')).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })
    expect(await run('openapi --control')).toHaveProperty('paths')
  })

  test('`psp doctor` exits with 0, 1, 6 or 7', async () => {
    expect((await testServer.psp('doctor --ready')).stdout).toBe(`ready  ${testServer.url}\n`)
    expect(await run('doctor')).toMatchObject({ ok: true })
    expect((await testServer.psp('doctor --ready --url http://127.0.0.1:1')).code).toBe(6)
    expect((await testServer.psp('doctor --ready --wait --timeout 50ms --url http://127.0.0.1:1')).code).toBe(7)
    expect((await testServer.psp('doctor --url http://127.0.0.1:1')).code).toBe(1)
    const proxied = await testServer.psp('doctor', { env: { HTTP_PROXY: 'http://proxy:3128' } })
    expect(proxied.stdout).toMatch(/^warn {2}proxies/m)
  })

  test('`psp config` masks secrets and names origins', async () => {
    const { stdout } = await testServer.psp('config --api-key sk_test_abcdef_secretsecret')
    expect(stdout).toMatch(/^api_key +sk_test_\*\*\* +--api-key$/m)
    expect(stdout).toMatch(/^url +http:\S+ +PSP_URL$/m)
    expect(stdout).not.toContain('secretsecret')
  })
})
test.each(['/healthz', '/ready', '/livez', '/_psp'])('`psp request GET %s` suggests the health route', async (path) => {
  const { stderr, stdout } = await testServer.psp(`request GET ${path}`)
  expect(`${stdout}${stderr}`).toContain('GET /_psp/health reports whether the server is ready.')
})
