// Sends load to a server and prints rates and latencies as JSON. It reads `{url, requests, connections, seconds}` from
// stdin, or an `amount` of requests instead of `seconds`. Each connection sends the `requests` in turn.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { installPackages } from './peer-packages.mjs'

const { url, requests, connections = 32, seconds, amount } = JSON.parse(readFileSync(0, 'utf8'))
const autocannon = createRequire(`${installPackages('load')}/`)('autocannon')
const limit = amount === undefined ? { duration: seconds } : { amount }
let opened = 0
// autocannon prepares a long list of requests for seconds. Its timeouts and its duration include this time, so the
// timeout is long, and the rate is counted from the first response.
const run = autocannon({ url, requests, connections, sampleInt: 250, timeout: 60, setupClient, ...limit })
let firstResponse
run.once('response', () => {
  firstResponse = performance.now()
})
const { latency, requests: sent, non2xx, errors, timeouts } = await run
const elapsed = (performance.now() - firstResponse) / 1000
console.log(
  JSON.stringify({
    rate: sent.total / elapsed,
    total: sent.total,
    p50: latency.p50,
    p99: latency.p99,
    max: latency.max,
    failed: non2xx + errors + timeouts,
  }),
)

/**
 * Each connection sends its own part of the list, so that no two connections request the same object at once. A whole
 * list per connection would take autocannon much longer to prepare.
 */
function setupClient(client) {
  const place = opened++
  if (requests.length < connections) return client.setRequests(requests)
  const boundary = (index) => Math.floor((index * requests.length) / connections)
  client.setRequests(requests.slice(boundary(place), boundary(place + 1)))
}
