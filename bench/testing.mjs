// Measures the cost in a test suite: the start of a sandbox in the test's process, and a test with a separate shop.
// npm run build && node bench/testing.mjs
import { startSandbox } from 'psp-sandbox/testing'

const STARTS = 30
const TESTS = 200

const ms = (since) => performance.now() - since
const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]
const format = (value) => `${value.toFixed(1)} ms`

async function measure(count, once) {
  const times = []
  for (let n = 0; n < count; n++) {
    const start = performance.now()
    await once(n)
    times.push(ms(start))
  }
  return median(times)
}

const first = performance.now()
await (await startSandbox()).close()
console.log(`first start and close in a process   ${format(ms(first))}`)
const served = await measure(STARTS, async () => (await startSandbox()).close())
console.log(`start and close, with HTTP server    ${format(served)}`)
const bare = await measure(STARTS, async () => (await startSandbox({ listen: false })).close())
console.log(`start and close, listen: false       ${format(bare)}`)

const psp = await startSandbox({ clock: 'frozen', listen: false })
const created = await measure(TESTS, () => psp.shops.create())
console.log(`a separate shop, with receiver       ${format(created)}`)
const test = await measure(TESTS, async () => {
  const shop = await psp.shops.create()
  const { payment } = await shop.payments.create({ amount: 100, order_id: 'A-1' })
  await shop.payments.pay(payment.id)
  await shop.waitFor('payment.succeeded', { order_id: 'A-1' })
})
console.log(`a test: shop, payment, paid, webhook ${format(test)}`)
await psp.close()
