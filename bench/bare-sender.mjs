// Sends a small POST to a URL at a fixed rate, without a service around it. The body has the time of sending.
// It measures the machine alone: timers, sockets and the load of other processes.
import { Pool } from 'undici'

const [url, perSecond, seconds] = process.argv.slice(2)
const { origin, pathname } = new URL(url)
const pool = new Pool(origin, { connections: 64 })
const start = performance.now()
const total = Number(perSecond) * Number(seconds)
const running = []
while (running.length < total) {
  const due = Math.min(total, Math.ceil(((performance.now() - start) / 1000) * Number(perSecond)))
  while (running.length < due) {
    const body = JSON.stringify({ created_at: new Date().toISOString() })
    running.push(pool.request({ method: 'POST', path: pathname, body }).then((response) => response.body.dump()))
  }
  await new Promise((resolve) => setTimeout(resolve, 4))
}
await Promise.all(running)
await pool.close()
