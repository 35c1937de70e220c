// Mock Service Worker: there is no socket. The shop calls api.psp.example, and the service calls shop.example.
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { pspHandlers } from 'psp-sandbox/msw'
import { startSandbox } from 'psp-sandbox/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createShop } from './shop.js'

const API = 'https://api.psp.example'
const server = setupServer()
let psp
let shop

beforeAll(async () => {
  psp = await startSandbox({ listen: false, clock: 'frozen' })
  shop = createShop({ pspUrl: API, ...psp, hooksUrl: () => 'https://shop.example/hooks' })
  server.use(
    ...pspHandlers(psp, { baseUrls: [API] }),
    http.post('https://shop.example/hooks', async ({ request }) => {
      const status = shop.webhook(await request.text(), request.headers)
      return new HttpResponse(null, { status })
    }),
  )
  server.listen({ onUnhandledRequest: 'error' })
})
afterAll(async () => {
  server.close()
  await psp.close()
})

test('an order is paid after its webhook arrives', async () => {
  await shop.order('C-1', 15_000)
  await psp.clock.advance('2s')
  await psp.waitFor('payment.succeeded', { order_id: 'C-1' })
  expect(shop.view('C-1').status).toBe('paid')
})
