import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import type { AuditReport } from '../../../src/audit/run.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { shop } from '../../audit/shop.ts'
import { closeHandlers, jsonOf, serveHandler, startListener, startTestServer, type TestServer } from '../helpers.ts'

afterAll(closeHandlers)

/** Starts a handler that verifies with this secret. */
function served(secret: () => string): Promise<string> {
  return serveHandler(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    const init = { method: 'POST', headers, body: new Uint8Array(Buffer.concat(chunks)) }
    const { status } = await shop(secret(), createSystemClock().now).fetch('', init)
    response.writeHead(status).end()
  })
}

describe('the secret of an audit', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  test('an audit signs with the first of --secret, the variable and the secret of the shop', async () => {
    const url = await served(() => 'whs_mine')
    const valid = ['audit', url, '--only', 'valid', '--json']
    expect((await testServer.psp([...valid, '--secret', 'whs_mine'])).code).toBe(0)
    expect((await testServer.psp(valid, { env: { PSP_WEBHOOK_SECRET: 'whs_mine' } })).code).toBe(0)
    const own = await served(() => start.webhook_secret)
    expect((await testServer.psp(['audit', own, '--only', 'valid'])).stderr).toContain('webhook secret of shop')
  })

  test('an audit of the URL of `psp listen` names it, because there is no endpoint', async () => {
    const url = await served(() => start.webhook_secret)
    const listener = await startListener(testServer, '--forward', url)
    const ran = await testServer.psp(['audit', url, '--only', 'valid'])
    listener.signal('SIGINT')
    await listener.ended
    expect(ran.stderr).toContain('the secret of `psp listen`, which forwards to this URL')
    expect(ran.stderr).not.toContain('endpoint')
  })

  describe('at the url of an endpoint', () => {
    /** Starts a handler that verifies with the secret of its endpoint. */
    async function registered() {
      let secret = ''
      const url = await served(() => secret)
      const made = await testServer.psp(['webhooks', 'endpoints', 'create', `${url}/hooks`, '--json'])
      secret = (jsonOf(made) as { secret: string }).secret
      return { url: `${url.replace('127.0.0.1', 'localhost')}/hooks`, secret }
    }
    const only = ['--only', 'valid,tampered']

    test('an audit of the URL of an endpoint signs with its secret, also under psp exec', async () => {
      const { url } = await registered()
      const ran = await testServer.psp(['audit', url, ...only])
      expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('the secret of the endpoint at this URL')])
      const env = { PSP_WEBHOOK_SECRET: start.webhook_secret }
      expect((await testServer.psp(['audit', url, ...only], { env })).code).toBe(0)
      const other = await testServer.psp(['audit', url.replace('/hooks', '/other'), ...only])
      expect(other.stderr).toContain('the webhook secret of shop')
    })

    test('--secret overrides the secret of the endpoint, and the fix does not blame a correct handler', async () => {
      const { url, secret } = await registered()
      const ran = await testServer.psp(['audit', url, ...only, '--secret', 'whs_other', '--json'])
      expect(ran.code).toBe(8)
      const { fix } = (jsonOf(ran) as AuditReport).checks[0] ?? { fix: '' }
      expect(fix).toContain('but the audit used a different secret. Pass the secret of the endpoint')
      expect(fix).not.toContain('Verify with')
      expect((await testServer.psp(['audit', url, ...only, '--secret', secret])).code).toBe(0)
    })

    test('the fix says that the handler uses the secret of the shop instead of the endpoint', async () => {
      const own = await served(() => start.webhook_secret)
      await testServer.psp(['webhooks', 'endpoints', 'create', own, '--json'])
      const ran = await testServer.psp(['audit', own, ...only, '--json'])
      expect((jsonOf(ran) as AuditReport).checks[0]?.fix).toMatch(
        /^wrong_secret: The handler accepts webhooks that are signed with the secret of shop .+\. Verify with the whs_… secret of this endpoint/,
      )
    })
  })

  test('the fix says that the handler verifies with the signing secret of the shop', async () => {
    const url = await served(() => start.signing_secret)
    const ran = await testServer.psp(['audit', url, '--only', 'valid', '--json'])
    const told = await testServer.psp(['audit', url, '--only', 'valid,unknown_event,stale'])
    expect(told.stdout.match(/^fail .*:/gm)).toEqual(['fail  valid:'])
    expect(told.stdout).toContain('Fix the check valid first. Other failures follow from it')
    expect((jsonOf(ran) as AuditReport).checks[0]?.fix).toMatch(
      /^wrong_secret_kind: The handler accepts .* shop .*thm_… signs req/,
    )
  })
})
