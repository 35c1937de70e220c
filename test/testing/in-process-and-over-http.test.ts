import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { reachableUrl } from '../../src/node/reachable-address.ts'
import { startSandbox } from '../../src/testing/index.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { refusingPort } from '../ports.ts'
import { closeAll, FROZEN, PLACES, start } from './places.ts'

afterEach(closeAll)

describe('in process', () => {
  it('serves HTTP on a free port, with the environment that psp exec sets', async () => {
    const psp = await start()
    expect(psp.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect(psp.env).toEqual({
      PSP_URL: psp.url,
      PSP_API_KEY: psp.apiKey,
      PSP_SIGNING_SECRET: psp.signingSecret,
      PSP_WEBHOOK_SECRET: psp.webhookSecret,
    })
    const reply = await fetch(`${psp.url}/v1/public/banks/sbp`, { headers: { Authorization: `Bearer ${psp.apiKey}` } })
    expect(reply.status).toBe(200)
  })

  it('works without a socket', async () => {
    const psp = await start({ listen: false })
    expect(psp.url).toBe('http://psp.test')
    expect((await psp.payments.create({ amount: 100 })).payment_url).toMatch(/^http:\/\/psp\.test\/pay\//)
  })

  it('takes settings, credentials, rules, faults and a seed before the first request', async () => {
    const psp = await start({
      settings: { naming: 'shop' },
      apiKey: 'sk_test_abc123_0123456789abcdef',
      rules: [{ plan: 'failed:card_lost', match: { amount: 700 } }],
      faults: [{ target: 'api', fault: 'status:503', match: { operation: 'banks' }, times: 1 }],
      seed: { rules: [{ plan: 'pending' }], payments: [{ amount: 5, order_id: 'seeded', outcome: 'pending' }] },
    })
    await expect(psp.banks()).rejects.toMatchObject({ status: 503 })
    const [seeded] = await psp.payments.list()
    expect(seeded).toMatchObject({ order_id: 'seeded' })
    expect(seeded).not.toHaveProperty('terminal_id')
    const outcomes = []
    for (const amount of [700, 800]) outcomes.push((await psp.payments.create({ amount })).simulator)
    expect(outcomes).toEqual(['failed', 'pending'])
  })

  it('names an address that other machines reach if it listens on all addresses', async () => {
    const psp = await start({
      host: '0.0.0.0',
      controlToken: 'c'.repeat(16),
      apiKey: 'sk_test_abc123_x',
      signingSecret: 'thm_own',
      webhookSecret: 'whs_own',
    })
    const { payment_url } = await psp.payments.create({ amount: 100 })
    expect(new URL(payment_url).origin).toBe(reachableUrl('0.0.0.0', Number(new URL(psp.url).port)))
  })

  it('sends webhooks with the global fetch, and changes the address of the pages, if the caller asks for it', async () => {
    const psp = await start({ clock: FROZEN, listen: false })
    const fetched: string[] = []
    vi.stubGlobal('fetch', async (to: string) => {
      fetched.push(to)
      return new Response()
    })
    try {
      await psp.endpoints.add('http://shop.test/hooks')
      psp.sendWebhooksWithGlobalFetch()
      psp.setPayUrl('http://pay.test/')
      const { payment, payment_url } = await psp.payments.create({ amount: 100 })
      await psp.payments.cancel(payment.id)
      await psp.waitFor('payment.cancelled')
      expect(payment_url).toMatch(/^http:\/\/pay\.test\/pay\/[^/]+$/)
      expect(fetched).toEqual(['http://shop.test/hooks'])
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('rejects with the cause if it cannot start', async () => {
    const psp = await start()
    const port = Number(new URL(psp.url).port)
    await expect(startSandbox({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use.`)
    await expect(startSandbox({ clock: 'soon' as 'real' })).rejects.toThrow('clock: "soon" is not a clock.')
    await expect(startSandbox({ settings: { 'delays.bnk': '1s' } as never })).rejects.toThrow('delays.bnk')
    await expect(startSandbox({ seed: { payments: [{ amount: 0 }] } })).rejects.toThrow('payments[0].amount')
    await expect(startSandbox({ rules: [{ plan: 'sometimes' }] })).rejects.toThrow('rules[0]')
  })
})

describe('over HTTP', () => {
  it('rejects if no sandbox is at the URL', async () => {
    const port = await refusingPort()
    await expect(startSandbox({ url: `http://127.0.0.1:${port}` })).rejects.toThrow(/cannot be reached/)
    await expect(startSandbox({ url: 'http://' })).rejects.toThrow('url: "http://" is not an address.')
  })

  it('sends a request once if the connection is closed without a response', async () => {
    let requests = 0
    const server = createServer((request) => {
      requests++
      request.socket.destroy()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as { port: number }
    try {
      await expect(startSandbox({ url: `http://127.0.0.1:${port}` })).rejects.toThrow('its response was lost')
      expect(requests).toBe(1)
    } finally {
      server.close()
    }
  })

  it('refuses to change how a server in another process sends webhooks and names its pages', async () => {
    const psp = await start({ url: (await start({ receiver: false })).url })
    expect(() => psp.sendWebhooksWithGlobalFetch()).toThrow(
      new Error('The sandbox runs in another process: its webhooks cannot use the fetch of this process.'),
    )
    expect(() => psp.setPayUrl('http://pay.test')).toThrow(
      new Error('The sandbox runs in another process: its --pay-url sets the URL of its pages.'),
    )
  })

  it('takes the same forms of a URL as psp elsewhere', async () => {
    const { url } = await start({ clock: FROZEN })
    for (const typed of [new URL(url).port, ` "${url}/" \r`, `${url}/api/v1/public`]) {
      expect((await start({ url: typed })).url).toBe(url)
    }
    await expect(startSandbox({ url: 'psp.example:7770' })).rejects.toThrow(
      'url: "psp.example:7770" does not begin with',
    )
  })

  it('two handles on one server do not see each other', async () => {
    const { url } = await start({ clock: FROZEN })
    const [a, b] = [await start({ url }), await start({ url })]
    const { payment } = await a.payments.create({ amount: 100, order_id: 'mine' })
    await a.payments.pay(payment.id)
    await a.waitFor('payment.succeeded', { order_id: 'mine' })
    expect([await b.payments.list(), await b.events.list(), b.receiver.webhooks]).toEqual([[], [], []])
    await expect(b.payments.get(payment.id)).rejects.toMatchObject({ status: 404 })
  })

  it('uses the shop of the given key', async () => {
    const server = await start({ clock: FROZEN })
    const joined = await start({
      url: server.url,
      apiKey: server.apiKey,
      signingSecret: server.signingSecret,
      webhookSecret: server.webhookSecret,
    })
    expect(joined.shopId).toBe(server.shopId)
    const { payment } = await server.payments.create({ amount: 100 })
    await joined.payments.pay(payment.id)
    await joined.waitFor('payment.succeeded')
    expect([...server.receiver.webhooks, ...joined.receiver.webhooks].map(({ verified }) => verified.valid)).toEqual([
      true,
      true,
    ])
    await expect(startSandbox({ url: server.url, apiKey: 'sk_test_zzzzzz_0123456789abcdef' })).rejects.toThrow(
      'no shop',
    )
    await expect(startSandbox({ url: server.url, apiKey: 'thm_x' })).rejects.toThrow('expected a whole API key')
  })

  it('removes everything that it created on the server', async () => {
    const server = await start({ receiver: false })
    const joined = await startSandbox({ url: server.url })
    await joined.close()
    const later = await start({ url: server.url, apiKey: joined.apiKey, receiver: false })
    const { payment } = await later.payments.create({ amount: 100 })
    await later.payments.cancel(payment.id)
    expect(await later.deliveries.list()).toEqual([])
  })
})

describe('endpoints', () => {
  it.each(PLACES)('webhooks to the program under test are signed with the webhook secret, %s', async (_, place) => {
    const psp = await place()
    const arrived: boolean[] = []
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      arrived.push(verifyWebhook(Buffer.concat(parts), request.headers, shop.webhookSecret).valid)
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as { port: number }
    const shop = await psp.shops.create({ endpoints: [`http://127.0.0.1:${port}/hooks`], receiver: false })
    try {
      const { payment } = await shop.payments.create({ amount: 100 })
      await shop.payments.cancel(payment.id)
      await shop.waitFor('payment.cancelled')
      expect(arrived).toEqual([true])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
