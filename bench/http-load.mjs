// Sends load to a server and prints rates and latencies as JSON. It reads `{url, requests, connections, seconds}` from
// stdin, or an `amount` of requests instead of `seconds`. Each connection sends the `requests` in turn.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { installPackages } from './peer-packages.mjs'

const { url, requests, connections = 32, seconds, amount } = JSON.parse(readFileSync(0, 'utf8'))
const autocannon = createRequire(`${installPackages('load')}/`)('autocannon')
const limit = amount === undefined ? { duration: seconds } : { amount }
let opened = 0
const result = await autocannon({ url, requests, connections, sampleInt: 250, setupClient, ...limit })
const { latency, requests: sent, non2xx, errors, timeouts, duration } = result
console.log(
  JSON.stringify({
    rate: sent.total / duration,
    total: sent.total,
    p50: latency.p50,
    p99: latency.p99,
    max: latency.max,
    failed: non2xx + errors + timeouts,
  }),
)

/** Each connection starts at a different request of the list, so that not all connections request the same object at once. */
function setupClient(client) {
  const from = Math.floor((opened++ * requests.length) / connections)
  client.setRequests([...requests.slice(from), ...requests.slice(0, from)])
}
