// Runs the built CLI in a temporary directory, with receivers that verify signatures by independent code.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { shop } from '../audit/shop.ts'

export const WEBHOOK_SECRET = 'whs_psp0development0webhook0not0a0secret'

/** The executable under test instead of the built package, which starts with the `node` of the PATH. */
const EXECUTABLE = process.env['PSP_BIN']
export const BIN = EXECUTABLE ?? new URL('../../bin/psp.js', import.meta.url).pathname
export const isExecutable = EXECUTABLE !== undefined

/** Node for programs that psp runs, by its path if psp runs in a root directory without Node in the PATH. */
export const NODE = process.env['PSP_TEST_NODE'] ?? 'node'
export const isInRoot = NODE !== 'node'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly valid: boolean
}

interface Ready {
  readonly url: string
  readonly api_key: string
  readonly signing_secret: string
  readonly pid: number
}

interface Running extends PromiseLike<unknown> {
  kill(signal: 'SIGKILL'): boolean
}

export async function startVerifyingReceiver(status: () => number = () => 200) {
  const received: Received[] = []
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      received.push({ headers: request.headers, body, valid: isSigned(request.headers, body) })
      response.statusCode = status()
      response.end()
      for (const wake of waiting.splice(0)) wake()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    received,
    async count(n: number) {
      while (received.length < n) await new Promise<void>((done) => waiting.push(done))
    },
    close: () => server.close(),
  }
}

/** Verifies `v2`, the HMAC-SHA256 over `<t>.<raw body>`, with code that psp does not share. */
function isSigned(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const parts = new Map(
    String(headers['x-psp-signature'])
      .split(',')
      .map((part) => part.split('=') as [string, string]),
  )
  const mac = createHmac('sha256', WEBHOOK_SECRET)
    .update(`${parts.get('t')}.`)
    .update(body)
    .digest()
  const given = Buffer.from(parts.get('v2') ?? '', 'hex')
  return given.length === mac.length && timingSafeEqual(given, mac)
}

export function createWorkspace() {
  const cwd = mkdtempSync(join(tmpdir(), 'psp-e2e-'))
  const running: Running[] = []
  /** Runs a command to its end. Never rejects. */
  const psp = (...args: string[]) => execa(BIN, args, { ...OPTIONS, cwd, timeout: 150_000 })
  /** Starts a command and resolves once a line of its output matches. */
  async function start(
    args: string[],
    ready: RegExp,
    stream: 'stdout' | 'stderr' | 'all' = 'stdout',
    env: Record<string, string> = {},
  ) {
    // A server runs as long as the tests of a file, which may be minutes on a busy machine.
    const child = execa(BIN, args, {
      ...OPTIONS,
      env: { ...OPTIONS.env, ...env },
      cwd,
      timeout: 900_000,
      buffer: true,
      all: true,
    })
    running.push(child)
    const lines: string[] = []
    const waiting: (() => void)[] = []
    const read = (async () => {
      for await (const line of child.iterable({ from: stream })) {
        lines.push(String(line))
        for (const wake of waiting.splice(0)) wake()
      }
    })()
    read.catch(() => {})
    const line = async (wanted: RegExp): Promise<string> => {
      for (;;) {
        const found = lines.find((text) => wanted.test(text))
        if (found !== undefined) return found
        await new Promise<void>((done) => waiting.push(done))
      }
    }
    const first = await Promise.race([
      line(ready),
      child.then((result) => Promise.reject(new Error(`exited early: ${result.stderr}`))),
    ])
    return { child, lines, line, first }
  }
  return {
    cwd,
    psp,
    start,
    serve: async (...flags: string[]) => {
      const server = await start(['serve', '--port', '0', '--json', ...flags], /"type":"ready"/)
      return { ...server, ready: JSON.parse(server.first) as Ready }
    },
    async remove() {
      for (const child of running) child.kill('SIGKILL')
      await Promise.allSettled(running)
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}

const OPTIONS = {
  reject: false,
  stdin: 'ignore',
  extendEnv: false,
  env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TMPDIR: tmpdir(), NO_COLOR: '1' },
} as const

/** Starts a correct handler of a merchant: any POST, `GET /balance` and `GET /orders/ID`. */
export async function startShopServer(secret: string) {
  const { fetch, books } = shop(secret, Date.now)
  let orders = 0
  const server = createServer(async (request, response) => {
    const url = request.url ?? '/'
    if (request.method === 'GET') {
      const order = url.match(/^\/orders\/(.+)$/)?.[1]
      response.end(order === undefined ? String(books.balance()) : (books.orderStatus(decodeURIComponent(order)) ?? ''))
      return
    }
    if (url === '/orders') {
      response.end(JSON.stringify({ id: `order-${++orders}` }))
      return
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const { status } = await fetch(url, { method: 'POST', headers, body: await bodyOf(request) })
    response.writeHead(status).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}
