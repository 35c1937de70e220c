// Sends requests at fixed instants over 128 kept connections, whether or not earlier ones were answered; prints the waits.
import { readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'

const { url, request, rate, seconds } = JSON.parse(readFileSync(0, 'utf8'))
const { hostname, port } = new URL(url)
const agent = new Agent({ keepAlive: true, maxSockets: 128 })
const waits = []
let failed = 0
let open = 0

const begin = performance.now() + 100
const total = rate * seconds
let next = 0
await new Promise((resolve) => {
  const tick = () => {
    const now = performance.now()
    while (next < total && begin + (next * 1000) / rate <= now) one(begin + (next++ * 1000) / rate)
    if (next < total) setTimeout(tick, 1)
    else if (open === 0) resolve()
    else setTimeout(tick, 5)
  }
  tick()
})
agent.destroy()
waits.sort((a, b) => a - b)
const at = (part) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))]
console.log(JSON.stringify({ p50: at(0.5), p99: at(0.99), max: waits.at(-1), failed }))

function one(due) {
  open++
  const { method, path, headers, body } = request
  const sent = send({
    hostname,
    port,
    agent,
    method,
    path,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  })
  sent.on('error', () => end(false))
  sent.on('response', (response) => {
    response.resume()
    response.on('end', () => end(response.statusCode < 300))
  })
  sent.end(body)
  function end(good) {
    open--
    if (!good) failed++
    waits.push(performance.now() - due)
  }
}
