import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import { defaultShopInput } from '../../src/engine/default-shop.ts'
import {
  createSandbox,
  createSystemClock,
  ExposedCredentialsError,
  type RunningServer,
  startServer,
  WeakControlTokenError,
} from '../../src/index.ts'
import type { Sandbox, SandboxOptions } from '../../src/sandbox.ts'
import { startSandbox, type TestSandbox } from '../../src/testing/index.ts'

const OWN = { api_key: 'sk_test_abc123_x', signing_secret: 'thm_own', webhook_secret: 'whs_own' }
const OWN_IN_TESTS = { apiKey: OWN.api_key, signingSecret: OWN.signing_secret, webhookSecret: OWN.webhook_secret }

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function make(options?: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox(options)
  open.push(() => sandbox.close({ grace_ms: 0 }))
  return sandbox
}

async function serve(sandbox: Sandbox, host: string): Promise<RunningServer> {
  const server = await startServer(sandbox, { port: 0, host, systemClock: createSystemClock() })
  open.push(() => server.close({ grace_ms: 0 }))
  return server
}

async function start(options: Parameters<typeof startSandbox>[0]): Promise<TestSandbox> {
  const psp = await startSandbox(options)
  open.push(psp.close)
  return psp
}

/** Returns the status of a control request. A caller can choose any Host header. */
function ask(url: string, headers: Record<string, string> = {}): Promise<number> {
  const { hostname, port } = new URL(url)
  const host = hostname === '0.0.0.0' ? '127.0.0.1' : hostname
  return new Promise((resolve, reject) => {
    const asked = { host, port, path: '/_psp/export', headers: { host: 'localhost', ...headers } }
    request(asked, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

describe('on a host that other machines can reach', () => {
  it.each(['0.0.0.0', '::', '192.0.2.2', 'shop.example'])(
    'no server starts on %s with the development credentials',
    async (host) => {
      await expect(startSandbox({ host })).rejects.toMatchObject({ name: 'ExposedCredentialsError', host })
      await expect(serve(await make(), host)).rejects.toThrow(/its development credentials/)
      const { api_key, signing_secret } = OWN
      await expect(serve(await make({ credentials: { api_key, signing_secret } }), host)).rejects.toThrow(
        ExposedCredentialsError,
      )
    },
  )

  it('the control API is off without a token, regardless of the Host header', async () => {
    const psp = await start({ host: '0.0.0.0', ...OWN_IN_TESTS })
    expect(await ask(psp.url)).toBe(404)
    expect(await ask((await serve(await make({ credentials: OWN }), '0.0.0.0')).url)).toBe(404)
    // The test handle calls the sandbox without a socket.
    const { payment } = await psp.payments.create({ amount: 100 })
    expect((await psp.payments.get(payment.id)).status).toBe('pending')
    expect(await psp.events.list()).toHaveLength(0)
  })

  it('the control API with a token accepts only requests with the token', async () => {
    const psp = await start({ host: '0.0.0.0', controlToken: 'open-sesame-16ch', ...OWN_IN_TESTS })
    expect(await ask(psp.url)).toBe(401)
    expect(await ask(psp.url, { authorization: 'Bearer open-sesame-16ch' })).toBe(200)
    await psp.clock.freeze()
  })

  it.each(['1', 'short', 'fifteen-letters'])(
    'the control token %s is refused, because it has fewer than 16 characters',
    async (token) => {
      await expect(startSandbox({ host: '0.0.0.0', controlToken: token, ...OWN_IN_TESTS })).rejects.toThrow(
        WeakControlTokenError,
      )
      const sandbox = await make({ credentials: OWN, control: { token } })
      const refusal = { name: 'WeakControlTokenError', message: expect.stringMatching(/at least 16 characters/) }
      await expect(serve(sandbox, '0.0.0.0')).rejects.toMatchObject(refusal)
      // On a loopback host it is accepted, because other programs of this machine can read the data directory anyway.
      expect(await ask((await serve(sandbox, '127.0.0.1')).url, { authorization: `Bearer ${token}` })).toBe(200)
    },
  )

  it('the development key is refused after a reset brought it back', async () => {
    const sandbox = await make({ credentials: OWN, control: { token: 'open-sesame-16ch' } })
    const { url } = await serve(sandbox, '0.0.0.0')
    const get = async (key: string) => {
      const { port } = new URL(url)
      const headers = { authorization: `Bearer ${key}` }
      return (await fetch(`http://127.0.0.1:${port}/v1/public/banks/sbp`, { headers })).status
    }
    expect(await get(OWN.api_key)).toBe(200)
    // A reset does the same if the server was started again without the credentials of its data directory.
    const { ids: _, ...shop } = defaultShopInput()
    sandbox.engine.execute('create_shop', shop)
    expect(await get(DEFAULT_SHOP.api_key)).toBe(401)
    expect(await get(OWN.api_key)).toBe(200)
  })

  it('a server on a shared host turns the control API off for all servers of its sandbox', async () => {
    const sandbox = await make({ credentials: OWN, control: { loopback: true } })
    const inside = await serve(sandbox, '127.0.0.1')
    expect(await ask(inside.url)).toBe(200)
    expect(await ask((await serve(sandbox, '0.0.0.0')).url)).toBe(404)
    expect(await ask(inside.url)).toBe(404)
  })
})

it.each(['127.0.0.1', 'localhost', '127.0.0.2'])(
  'a server on %s starts with the development credentials and needs no token',
  async (host) => {
    const psp = await start({ host })
    expect(psp.url).toContain(host)
    expect(await ask(psp.url)).toBe(200)
  },
)

describe('secrets of a new shop', () => {
  it.each([
    [{ signingSecret: 'x' }, 'signing_secret: expected thm_'],
    [
      { signingSecret: 'whs_aaaaaaaaaaaa' },
      'signing_secret: a whs_ secret signs webhooks. Use a secret that begins with thm_, which signs requests.',
    ],
    [{ webhookSecret: 'thm_aaaaaaaaaaaa' }, 'webhook_secret: a thm_ secret signs requests'],
    [{ webhookSecret: 'whs_ü' }, 'webhook_secret: expected whs_'],
  ])('the options %j are refused with a message', async (options, message) => {
    await expect(startSandbox(options)).rejects.toThrow(message)
  })
})
