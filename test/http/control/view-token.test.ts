// `--view-token`: a caller that may read, and neither change anything nor see a secret.
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { CONTROL_ROUTES } from '../../../src/http/control/routes.ts'
import { assembleSandbox, type Sandbox, type SandboxOptions, WeakControlTokenError } from '../../../src/sandbox.ts'

const TOKEN = 'a-token-of-some-length-0123'
const VIEW = 'a-token-for-reading-only-45'
const BOTH = { token: TOKEN, viewToken: VIEW }

let sandbox: Sandbox
afterEach(() => sandbox.close())

async function ask(path: string, token: string | undefined, method = 'GET', control: SandboxOptions['control'] = BOTH) {
  sandbox ??= await assembleSandbox({ control })
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  if (method !== 'GET' && method !== 'HEAD') headers['content-type'] = 'application/json'
  return await sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, { method, headers }))
}

const pathOf = (path: string) => `/_psp${path.replaceAll(/:\w+/g, 'none')}`
const OWNER_ONLY = ['getSnapshot', 'exportState', 'streamDeliveries']

describe('the view token', () => {
  it.each(CONTROL_ROUTES.filter(({ method }) => method !== 'GET').map(({ method, path }) => [method, pathOf(path)]))(
    'the view token forbids %s %s',
    async (method, path) => {
      sandbox = await assembleSandbox({ control: BOTH })
      const response = await ask(path, VIEW, method)
      expect([response.status, await response.json()]).toMatchObject([
        403,
        { error: { code: 'forbidden', message: expect.stringContaining('view token') } },
      ])
    },
  )

  it('allows each GET route, except those with secrets or an effect', async () => {
    sandbox = await assembleSandbox({ control: BOTH })
    const shop = sandbox.defaultShop()
    sandbox.engine.execute('create_endpoint', { shop_id: shop.shop_id, input: { url: 'http://127.0.0.1:9/hooks' } })
    const secrets = [shop.api_key, shop.signing_secret, shop.webhook_secret, TOKEN, VIEW] as string[]
    const forbidden: string[] = []
    for (const { name, method, path } of CONTROL_ROUTES) {
      if (method !== 'GET') continue
      const response = await ask(pathOf(path).replace('/shops/none', `/shops/${shop.shop_id}`), VIEW)
      if (response.status === 403) forbidden.push(name)
      if (response.headers.get('content-type') === 'text/event-stream') await response.body?.cancel()
      else {
        const text = await response.text()
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
      }
    }
    expect(forbidden).toEqual(OWNER_ONLY)
  })

  it('is reported by the health check, so that a page can hide its actions', async () => {
    sandbox = await assembleSandbox({ control: BOTH })
    expect(await (await ask('/_psp/health', VIEW)).json()).toMatchObject({ access: 'view' })
    expect(await (await ask('/_psp/health', TOKEN)).json()).toMatchObject({ access: 'full' })
  })

  it('gets a 401 if it is wrong, and the control token still permits everything', async () => {
    sandbox = await assembleSandbox({ control: BOTH })
    expect((await ask('/_psp/clock', `${VIEW}x`)).status).toBe(401)
    expect((await ask('/_psp/clock', undefined)).status).toBe(401)
    expect((await ask('/_psp/reset', TOKEN, 'POST')).status).toBe(200)
  })

  it('leaves this machine full access without a token, if there is no control token', async () => {
    sandbox = await assembleSandbox({ control: { viewToken: VIEW } })
    expect((await ask('/_psp/reset', undefined, 'POST')).status).toBe(200)
    expect((await ask('/_psp/reset', VIEW, 'POST')).status).toBe(403)
    expect((await ask('/_psp/clock', VIEW)).status).toBe(200)
    expect((await ask('/_psp/clock', 'something-else')).status).toBe(401)
  })

  it('is the only way to the control API of a shared host without a control token', async () => {
    sandbox = await assembleSandbox({ control: { viewToken: VIEW, host: '0.0.0.0', loopback: false } })
    const from = async (token: string | undefined, method = 'GET') => {
      const headers: Record<string, string> = { host: '10.0.0.5:7770', 'content-type': 'application/json' }
      if (token !== undefined) headers['authorization'] = `Bearer ${token}`
      const incoming = { headers, socket: { remoteAddress: '10.0.0.9' } } as unknown as IncomingMessage
      const path = method === 'GET' ? '/_psp/clock' : '/_psp/reset'
      return (await sandbox.fetch(new Request(`http://10.0.0.5:7770${path}`, { method, headers }), { incoming })).status
    }
    expect([await from(undefined), await from('wrong'), await from(VIEW), await from(VIEW, 'POST')]).toEqual([
      401, 401, 200, 403,
    ])
  })

  it('needs 16 characters if other machines can reach the server', async () => {
    sandbox = await assembleSandbox({
      control: { viewToken: 'short' },
      credentials: { api_key: 'sk_test_mine00_x', signing_secret: 'thm_a', webhook_secret: 'whs_b' },
    })
    expect(() => sandbox.beforeListen('0.0.0.0')).toThrow(WeakControlTokenError)
  })
})
