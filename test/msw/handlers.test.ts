import node from 'node:http'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { createFetchTransport, pspHandlers } from '../../src/msw/index.ts'
import { assembleSandbox } from '../../src/sandbox.ts'
import { startSandbox, type TestSandbox } from '../../src/testing/index.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'

const API = 'https://api.psp.example'
const HOOKS = 'https://shop.example/hooks'

let psp: TestSandbox
const server = setupServer(http.all('*', () => new HttpResponse(null, { status: 418 })))
beforeEach(async () => {
  psp = await startSandbox({ listen: false, clock: 'frozen@2026-05-06T12:00:00Z' })
  server.listen({ onUnhandledRequest: 'error' })
})
afterEach(async () => {
  vi.useRealTimers()
  server.resetHandlers()
  server.close()
  await psp.close()
})

const clientOf = ({ apiKey }: { apiKey: string }, baseUrl = API) =>
  createClient({ fetch: (url, init) => fetch(url, init) as never, baseUrl, apiKey })

/** A handler as a merchant would write it. */
function merchant(secret: string, url = HOOKS) {
  const took: string[] = []
  const handler = http.post(url, async ({ request }) => {
    const result = verifyWebhook(await request.text(), request.headers, secret)
    took.push(result.valid ? `${result.event.event} ${result.event.data.id}` : result.message)
    return new HttpResponse(null, { status: result.valid ? 204 : 400 })
  })
  return { took, handler }
}

describe('pspHandlers', () => {
  it('serves the given base URLs, with and without a path', async () => {
    server.use(...pspHandlers(psp, { baseUrls: [API, 'https://gateway.example/psp/'] }))
    for (const base of [API, 'https://gateway.example/psp']) {
      const { payment, payment_url } = await clientOf(psp, base).payments.create({ amount: 100 })
      expect(payment.amount).toBe(100)
      expect((await fetch(`${base}/pay/${payment.id}`)).headers.get('content-type')).toMatch('text/html')
      expect(payment_url).toBe(`${API}/pay/${payment.id}`)
      expect((await fetch(payment_url)).status).toBe(200)
    }
    expect((await fetch('https://gateway.example/other')).status).toBe(418)
    expect(await psp.payments.list()).toHaveLength(2)
  })

  it('serves all links of a page below a path: its styles, its forms and their redirects', async () => {
    const base = 'https://gateway.example/psp'
    server.use(...pspHandlers(psp, { baseUrls: [base] }))
    const { payment, payment_url } = await clientOf(psp, base).payments.create({ amount: 100 })
    expect(payment_url).toBe(`${base}/pay/${payment.id}`)
    const page = await (await fetch(`${payment_url}?method=sbp`)).text()
    const named = (pattern: RegExp) => new URL(pattern.exec(page)?.[1] ?? '', payment_url).href
    const looks = await fetch(named(/rel="stylesheet" href="([^"]+)"/))
    expect([looks.status, looks.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    const body = new URLSearchParams({ token: /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '', act: 'approve' })
    const paid = await fetch(named(/<form method="post" action="([^"]+\/act[^"]*)/), { method: 'POST', body })
    expect([paid.status, paid.url.split('?')[0]]).toEqual([200, payment_url])
    expect((await psp.payments.get(payment.id)).method).toBe('sbp')
  })

  it('serves the URL of the sandbox by default, also for node:http', async () => {
    server.use(...pspHandlers(psp))
    const status = await new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${psp.apiKey}` }
      const request = node.request(`${psp.url}/v1/public/banks/sbp`, { headers }, (message) => {
        message.resume()
        message.on('end', () => resolve(message.statusCode))
      })
      request.on('error', reject)
      request.end()
    })
    expect(status).toBe(200)
  })

  it('accepts a base URL that ends with the path of the API', async () => {
    server.use(...pspHandlers(psp, { baseUrls: ['"https://gateway.example/api/v1/public/"'] }))
    const { payment, payment_url } = await clientOf(psp, 'https://gateway.example').payments.create({ amount: 100 })
    expect(payment_url).toBe(`https://gateway.example/pay/${payment.id}`)
  })

  it('rejects an invalid URL', () => {
    expect(() => pspHandlers(psp, { baseUrls: ['api.psp.example'] })).toThrow('does not begin with http:// or https://')
  })

  it('rejects a base URL that is not in a list', () => {
    expect(() => pspHandlers(psp, { baseUrls: API as never })).toThrow(
      new TypeError(`baseUrls: expected a list, such as ['https://api.psp.example'], got "${API}".`),
    )
  })

  it('names what it takes if a promise is passed', () => {
    expect(() => pspHandlers(Promise.resolve(psp) as never)).toThrow(
      new TypeError(
        'pspHandlers takes a sandbox first: the awaited result of startSandbox() from psp-sandbox/testing.',
      ),
    )
  })

  it('sends webhooks with the global fetch, to handlers of the program', async () => {
    const shop = await psp.shops.create({ endpoints: [HOOKS] })
    const { took, handler } = merchant(shop.webhookSecret)
    server.use(...pspHandlers(psp, { baseUrls: [API] }), handler)
    const { payment } = await clientOf(shop).payments.create({ amount: 100, method: 'sbp' })
    await psp.clock.advance('2s')
    expect(took).toEqual([`payment.succeeded ${payment.id}`])
    expect((await shop.deliveries.list()).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
    expect(shop.receiver.webhooks).toHaveLength(1)
  })

  it('returns a network error if the simulator closes the connection', async () => {
    server.use(...pspHandlers(psp, { baseUrls: [API] }))
    const client = clientOf(psp)
    const lost = client.payments.create({ amount: 100 }, { outcome: 'cut', idempotencyKey: 'k' })
    await expect(lost).rejects.toThrow('cannot be reached')
    expect(await client.payments.create({ amount: 100 }, { idempotencyKey: 'k' })).toMatchObject({ idempotent: true })
  })

  it.each([new Error('a row is missing'), new TypeError('row is undefined'), new Error('fetch failed')])(
    'responds with 500 and the message of an internal error: %s',
    async (error) => {
      // MSW prints it, too.
      const print = vi.spyOn(console, 'error').mockImplementation(() => {})
      onTestFinished(() => print.mockRestore())
      server.use(...pspHandlers({ fetch: () => Promise.reject(error) }, { baseUrls: [API] }))
      const response = await fetch(`${API}/v1/public/banks/sbp`)
      expect(response.status).toBe(500)
      expect(await response.json()).toMatchObject({ message: error.message })
    },
  )

  it('streams events, and the program can close the stream', async () => {
    server.use(...pspHandlers(psp, { baseUrls: [API] }))
    const headers = { Authorization: `Bearer ${psp.apiKey}` }
    const reader = (await fetch(`${API}/v1/public/events`, { headers })).body?.getReader()
    const next = async () => new TextDecoder().decode((await reader?.read())?.value)
    expect(await next()).toBe(': connected\n\n')
    await psp.payments.create({ amount: 100 })
    expect(await next()).toMatch(/^event: payment\.created\ndata: \{/)
    await reader?.cancel()
    const leaving = new AbortController()
    const second = (await fetch(`${API}/v1/public/events`, { headers, signal: leaving.signal })).body?.getReader()
    await second?.read()
    leaving.abort()
    await expect(second?.read()).rejects.toThrow(/abort/)
  })

  it('separates two sandboxes, including their webhooks', async () => {
    const other = await startSandbox({ listen: false, clock: 'frozen', endpoints: ['https://other.example/hooks'] })
    try {
      const [here, there] = [merchant(psp.webhookSecret), merchant(other.webhookSecret, 'https://other.example/hooks')]
      const shop = await psp.shops.create({ endpoints: [HOOKS] })
      server.use(
        ...pspHandlers(psp, { baseUrls: [API] }),
        ...pspHandlers(other, { baseUrls: ['https://api.other.example'] }),
        here.handler,
        there.handler,
      )
      const client = clientOf(other, 'https://api.other.example')
      const { payment } = await client.payments.create({ amount: 100 })
      await client.payments.cancel(payment.id)
      await other.waitFor('payment.cancelled')
      expect([here.took, there.took]).toEqual([[], [`payment.cancelled ${payment.id}`]])
      await expect(clientOf(shop).payments.get(payment.id)).rejects.toMatchObject({ status: 404 })
    } finally {
      await other.close()
    }
  })

  it('accepts a sandbox of assembleSandbox, which sends webhooks with fetch', async () => {
    const sandbox = await assembleSandbox({ transport: createFetchTransport(), endpoints: [HOOKS] })
    try {
      const { api_key = '', webhook_secret } = sandbox.defaultShop()
      const { took, handler } = merchant(webhook_secret)
      server.use(...pspHandlers(sandbox, { baseUrls: [API] }), handler)
      const client = clientOf({ apiKey: api_key })
      const { payment } = await client.payments.create({ amount: 100 })
      await client.payments.cancel(payment.id)
      await sandbox.idle()
      expect(took).toEqual([`payment.cancelled ${payment.id}`])
    } finally {
      await sandbox.close()
    }
  })

  it('keeps the request readable for listeners of life-cycle events', async () => {
    server.use(...pspHandlers(psp, { baseUrls: [API] }))
    const read: string[] = []
    const listen = async ({ request }: { request: Request }) => void read.push(await request.clone().text())
    server.events.on('request:match', listen)
    server.events.on('response:mocked', listen)
    server.events.on('request:end', listen)
    try {
      await clientOf(psp).payments.create({ amount: 100 })
      await expect.poll(() => read).toEqual(Array(3).fill('{"amount":100}'))
    } finally {
      server.events.removeAllListeners()
    }
  })

  it('names the cause if another handler has read the body', async () => {
    server.use(
      http.all(`${API}/*`, async ({ request }) => {
        await request.text()
      }),
      ...pspHandlers(psp, { baseUrls: [API] }),
    )
    const headers = { Authorization: `Bearer ${psp.apiKey}` }
    const response = await fetch(`${API}/v1/public/payments`, { method: 'POST', headers, body: '{"amount":100}' })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    expect(error.code).toBe('bad_request')
    expect(error.message).toContain('request.clone()')
    expect((await fetch(`${API}/v1/public/banks/sbp`, { headers })).status).toBe(200)
  })

  it('names the cause if a listener has read the body', async () => {
    server.use(...pspHandlers(psp, { baseUrls: [API] }))
    server.events.on('request:start', async ({ request }) => void (await request.text()))
    try {
      const headers = { Authorization: `Bearer ${psp.apiKey}` }
      const response = await fetch(`${API}/v1/public/payments`, { method: 'POST', headers, body: '{"amount":100}' })
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('request.clone()')])
    } finally {
      server.events.removeAllListeners()
    }
  })

  it('rejects a sandbox of another process', async () => {
    const far = await startSandbox({ clock: 'frozen' })
    server.close()
    const joined = await startSandbox({ url: far.url })
    expect(() => pspHandlers(joined)).toThrow('runs in another process')
    await joined.close()
    await far.close()
  })
})

describe("a runner's fake timers", () => {
  it('do not stop requests, webhooks, streams or waitFor', async () => {
    const shop = await psp.shops.create({ endpoints: [HOOKS] })
    const { took, handler } = merchant(shop.webhookSecret)
    server.use(...pspHandlers(psp, { baseUrls: [API] }), handler)
    vi.useFakeTimers({ now: 0 })
    const client = clientOf(shop)
    const reader = (await fetch(`${API}/v1/public/events`, { headers: { Authorization: `Bearer ${shop.apiKey}` } }))
      .body
    const { payment } = await client.payments.create({ amount: 100, method: 'sbp' })
    const waiting = shop.waitFor('payment.succeeded')
    await psp.clock.advance('2s')
    expect((await waiting).object_id).toBe(payment.id)
    await psp.idle()
    // The signature carries the system time. With a fake clock, the merchant's check sees a message from the future.
    expect(took).toEqual([expect.stringContaining('ahead of this clock')])
    expect(shop.receiver.webhooks).toMatchObject([{ verified: { valid: true } }])
    await reader?.cancel()
    const error = await shop.waitFor('payout.failed', {}, { timeout: 30 }).catch(String)
    expect(error).toContain('did not happen within 30ms')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('do not stop real time', async () => {
    const real = await startSandbox({ listen: false, settings: { 'delays.session': '1ms', 'delays.bank': '1ms' } })
    try {
      vi.useFakeTimers()
      await real.payments.create({ amount: 100, method: 'sbp' })
      await real.idle()
      expect(await real.payments.list()).toMatchObject([{ status: 'succeeded' }])
    } finally {
      vi.useRealTimers()
      await real.close()
    }
  })
})
