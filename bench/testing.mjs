// Measures the cost in a test suite: the start of a sandbox in the test's process, and a test with a separate shop.
// npm run build && node bench/testing.mjs
import { setupServer } from 'msw/node'
import { pspHandlers } from 'psp-sandbox/msw'
import { startSandbox } from 'psp-sandbox/testing'

const STARTS = 30
const TESTS = 200
const MERCHANT_API = 'https://api.psp.example'

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]
const format = (value) => `${value.toFixed(2)} ms`.padStart(9)

console.log('                                        elapsed (median)  processor time (mean)')

/** Runs the work `count` times. The processor time includes all threads, and depends less on other programs. */
async function measure(what, count, once) {
  const times = []
  const before = process.cpuUsage()
  for (let n = 0; n < count; n++) {
    const start = performance.now()
    await once(n)
    times.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  console.log(`${what.padEnd(38)} ${format(median(times))}         ${format((user + system) / 1000 / count)}`)
}

await measure('first start and close in a process', 1, async () => (await startSandbox()).close())
await measure('start and close, with HTTP server', STARTS, async () => (await startSandbox()).close())
await measure('start and close, listen: false', STARTS, async () => (await startSandbox({ listen: false })).close())

const psp = await startSandbox({ clock: 'frozen', listen: false })
await measure('a separate shop, with receiver', TESTS, () => psp.shops.create())
await measure('a test: shop, payment, paid, webhook', TESTS, async () => {
  const shop = await psp.shops.create()
  await payOnce(shop, await shop.payments.create({ amount: 100, order_id: 'A-1' }))
})

const server = setupServer(...pspHandlers(psp, { baseUrls: [MERCHANT_API] }))
server.listen({ onUnhandledRequest: 'error' })
await measure('the same test through MSW handlers', TESTS, async () => {
  const shop = await psp.shops.create()
  const response = await fetch(`${MERCHANT_API}/v1/public/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.apiKey}`, 'content-type': 'application/json' },
    body: '{"amount":100,"order_id":"A-1"}',
  })
  await payOnce(shop, await response.json())
})
server.close()
await psp.close()

async function payOnce(shop, { payment }) {
  await shop.payments.pay(payment.id)
  await shop.waitFor('payment.succeeded', { order_id: 'A-1' })
}
