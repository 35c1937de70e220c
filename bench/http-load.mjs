// Load on one server, in a process of its own: reads `{url, requests, connections, seconds}` as its argument (or an
// `amount` of requests instead of the seconds), prints what came of it. `requests` are `{method, path, headers, body}`, taken in turn by each connection.
import { createRequire } from 'node:module'
import { PACKAGES } from './peer-packages.mjs'

const { url, requests, connections = 32, seconds, amount } = JSON.parse(process.argv[2])
const autocannon = createRequire(`${PACKAGES}/`)('autocannon')
const limit = amount === undefined ? { duration: seconds } : { amount }
const result = await autocannon({ url, requests, connections, sampleInt: 250, ...limit })
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
