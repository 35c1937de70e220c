// Starts `psp serve` for measurements, and builds the requests of a shop.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from './processes.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const PSP = join(ROOT, 'bin/psp.js')

const START = JSON.parse(readFileSync(join(ROOT, 'fixtures/start-shop.json'), 'utf8'))
export const HEADERS = { authorization: `Bearer ${START.api_key}`, 'content-type': 'application/json' }
export const PAYMENTS = '/v1/public/payments'

export const BODY = { amount: 150_000, currency: 'RUB', order_id: 'A-1', metadata: { basket: 'b-17' } }

export const create = (body = {}) => ({
  method: 'POST',
  path: PAYMENTS,
  headers: HEADERS,
  body: JSON.stringify({ ...BODY, ...body }),
})

export const read = (path) => ({ method: 'GET', path, headers: HEADERS })

const folders = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Creates a temporary folder, which is deleted when the measurement ends. */
export function newFolder() {
  const folder = mkdtempSync(join(process.env.PSP_BENCH_DIR ?? tmpdir(), 'psp-bench-'))
  folders.push(folder)
  return folder
}

/** Starts `psp serve` like a user, with a data directory and a journal. */
export function serve(flags = [], { folder = newFolder(), node = [] } = {}) {
  return startServer(
    (port) => [process.execPath, ...node, PSP, 'serve', '--port', String(port), '--data', folder, '--quiet', ...flags],
    { timeout: 180_000 },
  )
}

/**
 * Sends a request.
 * @returns the JSON of the response
 * @throws if the response is not successful
 */
export async function ask(url, { method, path, headers, body }) {
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`)
  return JSON.parse(text)
}
