// A sender without a service around it: POSTs a small body to the url it is given, so many times a second, and says when.
// What it measures is the machine: timers, sockets, and who else wants its cores.
import { Pool } from 'undici'

const [url, perSecond, seconds] = process.argv.slice(2)
const { origin, pathname } = new URL(url)
const pool = new Pool(origin, { connections: 64 })
const began = performance.now()
const total = Number(perSecond) * Number(seconds)
const running = []
while (running.length < total) {
  const due = Math.min(total, Math.ceil(((performance.now() - began) / 1000) * Number(perSecond)))
  while (running.length < due) {
    const body = JSON.stringify({ created_at: new Date().toISOString() })
    running.push(pool.request({ method: 'POST', path: pathname, body }).then((reply) => reply.body.dump()))
  }
  await new Promise((resolve) => setTimeout(resolve, 4))
}
await Promise.all(running)
await pool.close()
