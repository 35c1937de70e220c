// A server of the built command line with its data in a folder of its own, receivers on loopback, and load at a steady rate.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'

const BIN = fileURLToPath(new URL('../bin/psp.js', import.meta.url))

/** @param flags of `psp serve` beside port and folder */
export async function startServer(flags = []) {
  const folder = mkdtempSync(join(process.env.PSP_BENCH_DIR ?? tmpdir(), 'psp-bench-delivery-'))
  const child = spawn(
    process.execPath,
    [BIN, 'serve', '--port', '0', '--data', join(folder, 'data'), '--json', '--quiet', ...flags],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: child.stdout })
  const [line] = await once(lines, 'line')
  const { url, api_key, shop_id, pid } = JSON.parse(line)
  const pool = new Pool(url, { connections: 32 })

  async function call(method, path, body, headers = {}) {
    const reply = await pool.request({
      method,
      path,
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: 600_000,
      bodyTimeout: 0,
    })
    const text = await reply.body.text()
    if (reply.statusCode >= 400) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  return {
    url,
    shop_id,
    pid,
    call,
    create: (more = {}) =>
      call('POST', '/v1/public/payments', {
        amount: 15_000,
        method: 'sbp',
        return_url: 'https://shop.example/',
        ...more,
      }),
    async close() {
      await pool.destroy()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Answers 200 at once, or never; `arrived` is called with each body and the time it came at. */
export async function receiver(arrived, { hangs = false } = {}) {
  const server = createServer((request, response) => {
    const parts = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      arrived(Buffer.concat(parts), Date.now())
      if (!hangs) response.writeHead(200, { 'content-length': 0 }).end()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', 1024)
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/hooks`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Calls `act(n)` so many times a second, evenly; resolves when the last one has ended. */
export async function steadily(perSecond, seconds, act) {
  const running = []
  const began = performance.now()
  const total = perSecond * seconds
  let n = 0
  while (n < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - began) / 1000) * perSecond))
    while (n < due) running.push(act(n++))
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
  await Promise.all(running)
}

/** Until `done()` or the time is up. */
export async function until(done, ms) {
  const end = performance.now() + ms
  while (!done() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
  return done()
}

export function percentile(values, part) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
