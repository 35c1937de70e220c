// Starts a server of the built CLI with a temporary data directory, receivers on loopback, and load at a fixed rate.
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

/** @param flags additional flags of `psp serve` */
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
    const response = await pool.request({
      method,
      path,
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: 600_000,
      bodyTimeout: 0,
    })
    const text = await response.body.text()
    if (response.statusCode >= 400) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  return {
    url,
    shop_id,
    pid,
    call,
    create: (fields = {}) =>
      call('POST', '/v1/public/payments', {
        amount: 15_000,
        method: 'sbp',
        return_url: 'https://shop.example/',
        ...fields,
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

/** Starts a receiver that responds with 200, or never if `hangs`. `onBody` gets each body and its time of arrival. */
export async function startReceiver(onBody, { hangs = false } = {}) {
  const server = createServer((request, response) => {
    const parts = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      onBody(Buffer.concat(parts), Date.now())
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

/** Calls `action(n)` at an even rate. Resolves when the last call has ended. */
export async function runAtRate(perSecond, seconds, action) {
  const running = []
  const start = performance.now()
  const total = perSecond * seconds
  let n = 0
  while (n < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - start) / 1000) * perSecond))
    while (n < due) running.push(action(n++))
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
  await Promise.all(running)
}

/**
 * Waits until `condition()` is true, at most `ms`.
 * @returns whether it is true
 */
export async function waitUntil(condition, ms) {
  const deadline = performance.now() + ms
  while (!condition() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
  return condition()
}

/** @param fraction for example 0.99 for p99 */
export function percentile(values, fraction) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}
