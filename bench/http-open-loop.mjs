// Sends requests at fixed times over 128 keep-alive connections, without waiting for responses. Prints the latencies.
import { readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'

const { url, request, rate, seconds } = JSON.parse(readFileSync(0, 'utf8'))
const { hostname, port } = new URL(url)
const agent = new Agent({ keepAlive: true, maxSockets: 128 })
const latencies = []
let failed = 0
let open = 0

const start = performance.now() + 100
const total = rate * seconds
let next = 0
await new Promise((resolve) => {
  const tick = () => {
    const now = performance.now()
    while (next < total && start + (next * 1000) / rate <= now) sendAt(start + (next++ * 1000) / rate)
    if (next < total) setTimeout(tick, 1)
    else if (open === 0) resolve()
    else setTimeout(tick, 5)
  }
  tick()
})
agent.destroy()
latencies.sort((a, b) => a - b)
const percentile = (fraction) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * fraction))]
console.log(JSON.stringify({ p50: percentile(0.5), p99: percentile(0.99), max: latencies.at(-1), failed }))

function sendAt(due) {
  open++
  const { method, path, headers, body } = request
  const clientRequest = send({
    hostname,
    port,
    agent,
    method,
    path,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  })
  clientRequest.on('error', () => finish(false))
  clientRequest.on('response', (response) => {
    response.resume()
    response.on('end', () => finish(response.statusCode < 300))
  })
  clientRequest.end(body)
  function finish(succeeded) {
    open--
    if (!succeeded) failed++
    latencies.push(performance.now() - due)
  }
}
