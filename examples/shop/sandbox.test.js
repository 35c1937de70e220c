// In process: one sandbox for the file, a shop of its own for each test.
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
  let own = ''
  const shop = createShop({ pspUrl, apiKey, webhookSecret, hooksUrl: () => `${own}/hooks` })
  const server = serveShop(shop)
  servers.push(server)
  own = await listen(server)
  return shop
}

describe('webhooks', () => {
  test('are tried again until the shop takes them', async ({ psp, sandbox }) => {
    const shop = await open(psp)
    await psp.faults.add({ target: 'webhook', fault: 'tamper', times: 1 })
    await shop.order('B-1', 15_000)
    await sandbox.clock.advance('2s')
    expect(shop.orders.get('B-1').status).toBe('waiting')
    await sandbox.clock.advance('10s')
    expect(shop.orders.get('B-1').status).toBe('paid')
    const [delivery] = await psp.deliveries.list()
    expect(delivery.attempts.map(({ status }) => status)).toEqual([400, 200])
  })

  test('that come twice pay once', async ({ psp, sandbox }) => {
    const shop = await open(psp)
    await psp.faults.add({ target: 'webhook', fault: 'duplicate:2', times: 1 })
    await shop.order('B-1', 15_000)
    await sandbox.clock.advance('2s')
    await psp.waitFor('payment.succeeded', { order_id: 'B-1' })
    expect(shop.orders.get('B-1').status).toBe('paid')
    expect(await psp.payments.list()).toHaveLength(1)
  })
})

test('a broken connection does not charge twice', async ({ psp }) => {
  const shop = await open(psp)
  await psp.faults.add({ target: 'api', fault: 'cut', times: 1 })
  await expect(shop.order('B-2', 15_000)).rejects.toThrow('fetch failed')
  await shop.order('B-2', 15_000)
  expect(await psp.payments.list()).toHaveLength(1)
})
