// psp exec -- vitest run exec: the sandbox runs before the tests start, and its environment configures the shop.
import { startSandbox } from 'psp-sandbox/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from './listen.js'
import { createShop, serveShop } from './shop.js'

const { PSP_URL, PSP_API_KEY, PSP_SIGNING_SECRET, PSP_WEBHOOK_SECRET } = process.env
let psp
let server
let url

beforeAll(async () => {
  psp = await startSandbox({
    url: PSP_URL,
    apiKey: PSP_API_KEY,
    signingSecret: PSP_SIGNING_SECRET,
    webhookSecret: PSP_WEBHOOK_SECRET,
  })
  const shop = createShop({
    pspUrl: PSP_URL,
    apiKey: PSP_API_KEY,
    webhookSecret: PSP_WEBHOOK_SECRET,
    hooksUrl: () => `${url}/hooks`,
  })
  server = serveShop(shop)
  url = await listen(server)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await psp.close()
})

test('an order is paid after its webhook arrives', async () => {
  const made = await fetch(`${url}/orders/A-1`, { method: 'POST', body: '{"amount":15000}' })
  expect(await made.json()).toMatchObject({ status: 'waiting', pay_at: expect.stringContaining('/pay/') })
  await psp.clock.advance('2s')
  await psp.waitFor('payment.succeeded', { order_id: 'A-1' })
  expect(await (await fetch(`${url}/orders/A-1`)).json()).toMatchObject({ status: 'paid' })
})

test('an order is declined after its payment fails', async () => {
  await psp.rules.add({ plan: 'failed:insufficient_funds', match: { order_id: 'A-2' } })
  await fetch(`${url}/orders/A-2`, { method: 'POST', body: '{"amount":15000}' })
  await psp.clock.advance('2s')
  await psp.waitFor('payment.failed', { order_id: 'A-2' })
  expect(await (await fetch(`${url}/orders/A-2`)).json()).toMatchObject({ status: 'declined' })
})
