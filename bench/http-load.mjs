// Load on one server, in a process of its own: reads `{url, requests, connections, seconds}` from stdin (or an
// `amount` of requests instead of the seconds), prints what came of it. `requests` are `{method, path, headers, body}`, taken in turn by each connection.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { installed } from './peer-packages.mjs'

const { url, requests, connections = 32, seconds, amount } = JSON.parse(readFileSync(0, 'utf8'))
const autocannon = createRequire(`${installed('load')}/`)('autocannon')
const limit = amount === undefined ? { duration: seconds } : { amount }
let begun = 0
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

/** Each connection begins elsewhere in the list, or all would ask for the same object at once. */
function setupClient(client) {
  const from = Math.floor((begun++ * requests.length) / connections)
  client.setRequests([...requests.slice(from), ...requests.slice(0, from)])
}
