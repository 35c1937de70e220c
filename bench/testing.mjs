// What a test suite pays: the start of a sandbox in process, and a test with a shop of its own.
// npm run build && node bench/testing.mjs
import { startSandbox } from 'psp-sandbox/testing'

const STARTS = 30
const TESTS = 200

const ms = (since) => performance.now() - since
const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]
const shown = (value) => `${value.toFixed(1)} ms`

async function measure(count, once) {
  const times = []
  for (let n = 0; n < count; n++) {
    const began = performance.now()
    await once(n)
    times.push(ms(began))
  }
  return median(times)
}

const first = performance.now()
await (await startSandbox()).close()
console.log(`first start and close in a process   ${shown(ms(first))}`)
const served = await measure(STARTS, async () => (await startSandbox()).close())
console.log(`start and close, with HTTP server    ${shown(served)}`)
const bare = await measure(STARTS, async () => (await startSandbox({ listen: false })).close())
console.log(`start and close, listen: false       ${shown(bare)}`)

const psp = await startSandbox({ clock: 'frozen', listen: false })
const made = await measure(TESTS, () => psp.shops.create())
console.log(`a shop of one's own, with receiver   ${shown(made)}`)
const test = await measure(TESTS, async () => {
  const shop = await psp.shops.create()
  const { payment } = await shop.payments.create({ amount: 100, order_id: 'A-1' })
  await shop.payments.pay(payment.id)
  await shop.waitFor('payment.succeeded', { order_id: 'A-1' })
})
console.log(`a test: shop, payment, paid, webhook ${shown(test)}`)
await psp.close()
