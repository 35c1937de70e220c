// One sandbox in the test process for this file, with a separate shop for each test.
import { sandboxTest } from 'psp-sandbox/vitest'
import { afterAll, describe, expect } from 'vitest'
import { listen } from './listen.js'
import { createShop, serveShop } from './shop.js'

const test = sandboxTest({ clock: 'frozen' })
const servers = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function open({ url: pspUrl, apiKey, webhookSecret }) {
  let url = ''
  const shop = createShop({ pspUrl, apiKey, webhookSecret, hooksUrl: () => `${url}/hooks` })
  const server = serveShop(shop)
  servers.push(server)
  url = await listen(server)
  return { ...shop, url, hooks: `${url}/hooks` }
}

describe('webhooks', () => {
  test('a webhook is retried until the shop accepts it', async ({ psp, sandbox }) => {
    const shop = await open(psp)
    await psp.faults.add({ target: 'webhook', fault: 'tamper', times: 1 })
    await shop.order('B-1', 15_000)
    await sandbox.clock.advance('2s')
    expect(shop.view('B-1').status).toBe('waiting')
    await sandbox.clock.advance('10s')
    expect(shop.view('B-1').status).toBe('paid')
    const [delivery] = await psp.deliveries.list()
    expect(delivery.attempts.map(({ status }) => status)).toEqual([400, 200])
  })

  test('a duplicate webhook does not count twice', async ({ psp, sandbox }) => {
    const shop = await open(psp)
    await psp.faults.add({ target: 'webhook', fault: 'duplicate:2', times: 1 })
    await shop.order('B-1', 15_000)
    await sandbox.clock.advance('2s')
    await psp.waitFor('payment.succeeded', { order_id: 'B-1' })
    expect(shop.view('B-1').status).toBe('paid')
    expect(await psp.payments.list()).toHaveLength(1)
  })

  test('a webhook before the response finds its order', async ({ psp }) => {
    const shop = await open(psp)
    await psp.rules.add({ plan: 'refused:do_not_honor', times: 1 })
    await psp.faults.add({ target: 'webhook', fault: 'before_response', times: 1 })
    expect((await shop.order('B-1', 15_000)).status).toBe('declined')
    const [{ status, attempts }] = await psp.deliveries.list()
    expect([status, attempts.length]).toEqual(['delivered', 1])
  })

  test('a payment for an unknown order is stored as unclaimed', async ({ psp, sandbox }) => {
    const shop = await open(psp)
    for (const plan of ['failed', 'succeeded']) {
      await psp.rules.add({ plan, times: 1 })
      await psp.payments.create({ amount: 15_000, method: 'sbp', order_id: 'X-1', webhook_url: shop.hooks })
      await sandbox.clock.advance('2s')
    }
    expect(shop.view('X-1')).toMatchObject({ status: 'unclaimed', received: 15_000, due_back: 15_000 })
    expect((await psp.deliveries.list()).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  })
})

describe('a second attempt', () => {
  test('a second attempt creates a new payment, and a late failure of the first leaves the order paid', async ({
    psp,
    sandbox,
  }) => {
    const shop = await open(psp)
    await psp.rules.add({ plan: 'failed:insufficient_funds', times: 1 })
    await psp.faults.add({ target: 'webhook', fault: 'delay:1m', match: { event: 'payment.failed' }, times: 1 })
    await shop.order('B-3', 15_000)
    await sandbox.clock.advance('2s')
    // A repeated order shows that the first payment is closed. Its webhook is still delayed.
    expect((await shop.order('B-3', 15_000)).status).toBe('declined')
    await shop.order('B-3', 15_000)
    await sandbox.clock.advance('2s')
    expect(shop.view('B-3').status).toBe('paid')
    await sandbox.clock.advance('2m')
    expect(shop.view('B-3')).toMatchObject({ status: 'paid', received: 15_000 })
    expect(shop.view('B-3').payments.map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  })

  test('an order that was paid twice shows the excess, which can be refunded', async ({ psp, sandbox }) => {
    const shop = await open(psp)
    await shop.order('B-4', 15_000)
    await psp.payments.create({ amount: 15_000, method: 'sbp', order_id: 'B-4', webhook_url: shop.hooks })
    await sandbox.clock.advance('2s')
    expect(shop.view('B-4')).toMatchObject({ status: 'paid', due_back: 15_000 })
    await shop.refund('B-4', 'R-1')
    await sandbox.idle()
    expect(shop.view('B-4')).toMatchObject({ status: 'paid', due_back: 0 })
  })
})

describe('refunds', () => {
  test('partial refunds leave an order paid until nothing remains', async ({ psp, sandbox }) => {
    const shop = await open(psp)
    await shop.order('B-5', 15_000)
    await sandbox.clock.advance('2s')
    await shop.refund('B-5', 'R-1', 5000)
    await sandbox.idle()
    expect(shop.view('B-5')).toMatchObject({ status: 'paid', refunded: 5000 })
    await shop.refund('B-5', 'R-2')
    await sandbox.idle()
    expect(shop.view('B-5')).toMatchObject({ status: 'refunded', refunded: 15_000 })
    expect(shop.balance()).toBe(0)
    await expect(shop.refund('B-5', 'R-3')).rejects.toThrow('nothing left to refund')
  })

  test('a repeated refund with the same id refunds once', async ({ psp, sandbox }) => {
    const shop = await open(psp)
    await shop.order('B-6', 15_000)
    await sandbox.clock.advance('2s')
    const first = await shop.refund('B-6', 'R-1', 5000)
    expect((await shop.refund('B-6', 'R-1', 5000)).id).toBe(first.id)
    await sandbox.idle()
    expect(shop.view('B-6').refunded).toBe(5000)
  })
})

test('a broken connection does not charge twice', async ({ psp }) => {
  const shop = await open(psp)
  await psp.faults.add({ target: 'api', fault: 'cut', times: 1 })
  await expect(shop.order('B-2', 15_000)).rejects.toThrow('nothing is paid twice')
  await shop.order('B-2', 15_000)
  expect(await psp.payments.list()).toHaveLength(1)
})

test.for(['status:503', 'status:429', 'reset', 'cut'])(
  'the shop survives the fault %s of the service',
  async (fault, { psp }) => {
    const shop = await open(psp)
    await psp.faults.add({ target: 'api', fault, times: 1 })
    const ask = () => fetch(`${shop.url}/orders/B-7`, { method: 'POST', body: '{"amount":15000}' })
    const refused = await ask()
    expect([refused.status, await refused.json()]).toEqual([503, { error: expect.stringContaining('ry again') }])
    expect((await ask()).status).toBe(201)
  },
)
