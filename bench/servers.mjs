// Starts `psp serve` and other commands for measurements, and builds the requests of a shop.
import { spawn } from 'node:child_process'
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

/** Starts `psp serve` as a user does, with a data directory and a journal. */
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

const PEAK_MEMORY = new URL('./preload-peak-memory.mjs', import.meta.url).href

/** Runs a command of psp to its end. @returns the peak of its resident memory, in MB */
export function peakMemoryOf(args) {
  const child = spawn(process.execPath, ['--import', PEAK_MEMORY, PSP, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
  }
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      const peak = /PEAK ([\d.]+)/.exec(text)?.[1]
      if (code === 0 && peak !== undefined) resolve(Number(peak))
      else reject(new Error(`psp ${args.join(' ')} ended with ${code}: ${text}`))
    })
  })
}
