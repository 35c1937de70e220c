// The built CLI as a person runs it, in a folder of its own, and a receiver on loopback that checks with its own code.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'

export const WEBHOOK_SECRET = 'whs_psp0development0webhook0not0a0secret'
export const BIN = new URL('../../bin/psp.js', import.meta.url).pathname

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

export async function startReceiver(answer: () => number = () => 200) {
  const received: Received[] = []
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      received.push({ headers: request.headers, body, valid: isSigned(request.headers, body) })
      response.statusCode = answer()
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

/** `t=…,v1=…,v2=…`: v2 is HMAC-SHA256 over `<t>.<raw body>`. */
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

export function newFolder() {
  const cwd = mkdtempSync(join(tmpdir(), 'psp-e2e-'))
  const running: Running[] = []
  /** Runs to the end; never rejects. */
  const psp = (...args: string[]) => execa('node', [BIN, ...args], { ...OPTIONS, cwd, timeout: 150_000 })
  /** Starts and resolves once a line of stdout or stderr fits. */
  async function start(args: string[], ready: RegExp, stream: 'stdout' | 'stderr' | 'all' = 'stdout') {
    const child = execa('node', [BIN, ...args], { ...OPTIONS, cwd, timeout: 150_000, buffer: true, all: true })
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
      child.then((result) => Promise.reject(new Error(`ended early: ${result.stderr}`))),
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
