// Runs the built CLI in a temporary directory or a terminal, with receivers that verify signatures by independent code.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa, execaSync } from 'execa'
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

const ARTIFACTS = fileURLToPath(new URL('../artifacts/tui/', import.meta.url))

/** Long, because the machine may be busy. */
const TIMEOUT = 120_000
/** Each look at the screen starts a process. */
const POLL_INTERVAL = 100

export const hasTmux = (): boolean => !execaSync('tmux', ['-V'], { reject: false }).failed

/** Deletes captured screens. Each is stored as `name.txt` without and as `name.ansi` with colours. */
export function clearArtifacts(): void {
  rmSync(ARTIFACTS, { recursive: true, force: true })
  mkdirSync(ARTIFACTS, { recursive: true })
}

export interface TerminalOptions {
  readonly cwd: string
  readonly columns: number
  readonly rows: number
  readonly env?: Readonly<Record<string, string>>
}

let sockets = 0

/** Opens a shell in a terminal of this size. `$PSP` runs psp. */
export async function openTerminal({ cwd, columns, rows, env = {} }: TerminalOptions) {
  const socket = `psp-test-${process.pid}-${++sockets}`
  const tmux = async (...args: readonly string[]) => (await execa('tmux', ['-L', socket, ...args])).stdout
  const settings = { PS1: '$ ', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', PSP: BIN, ...env }
  await execa(
    'tmux',
    ['-L', socket, '-f', '/dev/null', 'new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, '-c', cwd, 'sh'],
    {
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: tmpdir(), TERM: 'xterm-256color', ...settings },
      extendEnv: false,
    },
  )

  const screen = () => tmux('capture-pane', '-p')

  /** Returns the screen when it matches, or throws with the last screen. `key` is pressed before each read. */
  async function waitFor(wanted: RegExp, unwanted?: RegExp, key?: string): Promise<string> {
    const deadline = Date.now() + TIMEOUT
    for (;;) {
      if (key !== undefined) await tmux('send-keys', key)
      const text = await screen()
      if (wanted.test(text) && unwanted?.test(text) !== true) return text
      if (Date.now() > deadline)
        throw new Error(`Timed out waiting for ${wanted}${unwanted ? ` without ${unwanted}` : ''}:\n${text}`)
      await new Promise<void>((resolve) => void setTimeout(resolve, POLL_INTERVAL))
    }
  }

  return {
    screen,
    waitFor,
    /** Presses the key repeatedly, for a screen that may still grow after the first press. */
    pressUntilShown: (key: string, wanted: RegExp) => waitFor(wanted, undefined, key),
    press: async (...keys: readonly string[]) => void (await tmux('send-keys', ...keys)),
    /** Types text literally, so that names of keys in it are not pressed. */
    type: async (text: string) => void (await tmux('send-keys', '-l', text)),
    async run(command: string) {
      await tmux('send-keys', '-l', command)
      await tmux('send-keys', 'Enter')
    },
    resize: async (width: number, height: number) =>
      void (await tmux('resize-window', '-x', String(width), '-y', String(height))),
    /** Queries tmux about the terminal, for example `#{alternate_on}`. */
    query: (format: string) => tmux('display-message', '-p', format),
    async capture(name: string): Promise<string> {
      const [text, coloured] = await Promise.all([screen(), tmux('capture-pane', '-p', '-e')])
      writeFileSync(`${ARTIFACTS}${name}.txt`, `${text}\n`)
      writeFileSync(`${ARTIFACTS}${name}.ansi`, `${coloured}\n`)
      return text
    },
    close: () => execa('tmux', ['-L', socket, 'kill-server'], { reject: false }),
  }
}

export type OpenTerminal = Awaited<ReturnType<typeof openTerminal>>
