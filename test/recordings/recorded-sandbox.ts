// Records the traffic of a shop with a sandbox, through the proxy, as `psp record` does.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signRequest } from '../../src/domain/signatures.ts'
import type { SandboxTime } from '../../src/domain/time.ts'
import { startServer } from '../../src/node/server.ts'
import { compareRecording } from '../../src/recordings/compare/compare-recording.ts'
import type { RecordedCall } from '../../src/recordings/compare/recorded-call.ts'
import type { StartSandbox } from '../../src/recordings/compare/replay.ts'
import { CallStore } from '../../src/recordings/compare/stored-calls.ts'
import { exchangeEntry } from '../../src/recordings/exchange-entry.ts'
import type { HarEntry } from '../../src/recordings/har.ts'
import { createMasking } from '../../src/recordings/masking.ts'
import { assembleSandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { memoryFile } from './memory-file.ts'
import { recordTraffic } from './wire.ts'

type Settings = { readonly [name: string]: unknown }

/** Delays that let a payment end within a test. */
const FAST = { 'delays.session': '15ms', 'delays.bank': '15ms', 'delays.buyer': '15ms' }

export interface Answer {
  readonly status: number
  /** The id of the object in the body. */
  readonly id: string
  /** The status of the object. */
  readonly state: unknown
}

/** A merchant's program. */
export interface Shop {
  readonly apiKey: string
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  /** Polls until the payment or payout has this status. */
  until(path: string, status: string): Promise<Answer>
  /** Opens the event stream. Resolves when it is open. */
  stream(): Promise<{ until(text: string): Promise<void>; close(): void }>
}

export interface CallOptions {
  readonly key?: string
  readonly authorization?: string | null
  readonly sign?: string
  readonly headers?: { readonly [name: string]: string }
}

export interface Recorded {
  readonly entries: readonly HarEntry[]
  readonly calls: readonly RecordedCall[]
}

/** Changes a response before the proxy sees it. */
export type Plant = (request: IncomingMessage, body: string, response: ServerResponse) => string

/**
 * Runs `traffic` against a sandbox with these settings.
 * @param plant a server between the proxy and the sandbox that changes responses
 */
export async function recordSandbox(
  settings: Settings,
  traffic: (shop: Shop, other: Shop, live: Shop, advanceClock: (by: string) => Promise<void>) => Promise<void>,
  plant?: Plant,
): Promise<Recorded> {
  const systemClock = createSystemClock()
  const options: SandboxOptions = { settings: { ...FAST, ...settings }, systemClock, clock: { mode: 'real' } }
  const sandbox = await assembleSandbox(options)
  const server = await startServer(sandbox, { port: 0, host: '127.0.0.1', systemClock })
  const planted = plant === undefined ? undefined : await startPlanting(server.url, plant)
  const proxy = await recordTraffic(planted?.url ?? server.url)
  const url = `http://127.0.0.1:${proxy.port}`
  const control = async (path: string, body: object) => {
    const response = await fetch(`${server.url}/_psp/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Record<string, string>
  }
  const { api_key = '', shop_id } = sandbox.defaultShop()
  const second = await control('shops', { name: 'Second', require_signature: true, live_enabled: true })
  const liveKey = await control(`shops/${second['shop_id']}/keys`, { mode: 'live' })
  void shop_id
  try {
    await traffic(
      shopAt(url, api_key),
      shopAt(url, second['api_key'] ?? '', second['signing_secret']),
      shopAt(url, liveKey['api_key'] ?? '', second['signing_secret']),
      async (by) => void (await control('clock/advance', { by })),
    )
  } finally {
    await proxy.stop()
    await planted?.close()
    await server.close({ grace_ms: 0 })
    await sandbox.close({ grace_ms: 0 })
  }
  const masking = createMasking({ key: Buffer.alloc(32, 7) })
  const entries = await Promise.all(proxy.exchanges.map((exchange) => exchangeEntry(exchange, masking)))
  const store = new CallStore(memoryFile())
  return { entries, calls: entries.flatMap((entry, at) => store.add(JSON.parse(JSON.stringify(entry)), at + 1) ?? []) }
}

function shopAt(url: string, apiKey: string, secret?: string): Shop {
  const headersOf = (body: string | Uint8Array, options: CallOptions = {}) => {
    const sign = options.sign ?? (secret === undefined ? undefined : signRequest(body, secret))
    return {
      ...(options.authorization === null ? {} : { Authorization: options.authorization ?? `Bearer ${apiKey}` }),
      ...(body.length === 0 ? {} : { 'Content-Type': 'application/json' }),
      ...(options.key === undefined ? {} : { 'Idempotency-Key': options.key }),
      ...(sign === undefined || sign === '' ? {} : { 'X-PSP-Signature': sign }),
      ...options.headers,
    }
  }
  async function call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    const text = bytesOf(body)
    const response = await fetch(`${url}/v1/public/${path}`, {
      method,
      headers: headersOf(text, options),
      ...(text.length === 0 ? {} : { body: text }),
    })
    const answer = await response.text()
    const json = answer.startsWith('{') ? JSON.parse(answer) : {}
    const object = json.payment ?? json.payout ?? json
    return { status: response.status, id: String(object.id), state: object.status }
  }
  return {
    apiKey,
    call,
    async until(path, status) {
      for (;;) {
        const answer = await call('GET', path)
        if (answer.state === status) return answer
        await new Promise((done) => setTimeout(done, 7))
      }
    },
    async stream() {
      const controller = new AbortController()
      const response = await fetch(`${url}/v1/public/events`, { headers: headersOf(''), signal: controller.signal })
      let text = ''
      const waiting: (() => void)[] = []
      const reading = (async () => {
        for await (const chunk of response.body ?? []) {
          text += Buffer.from(chunk).toString()
          for (const check of waiting.splice(0)) check()
        }
      })().catch(() => {})
      return {
        async until(part) {
          while (!text.includes(part)) await new Promise<void>((done) => waiting.push(done))
        },
        close() {
          controller.abort()
          void reading
        },
      }
    },
  }
}

function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body === undefined) return ''
  return typeof body === 'string' || body instanceof Uint8Array
    ? (body as Uint8Array<ArrayBuffer>)
    : JSON.stringify(body)
}

/** Starts a server that passes requests on, and changes the responses. */
async function startPlanting(target: string, plant: Plant) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const controller = new AbortController()
    response.on('close', () => controller.abort())
    const headers = { ...request.headers } as Record<string, string>
    delete headers['host']
    delete headers['connection']
    delete headers['content-length']
    const got = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      signal: controller.signal,
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    })
    response.statusCode = got.status
    for (const [name, value] of got.headers) {
      if (!['content-length', 'transfer-encoding', 'connection', 'keep-alive'].includes(name))
        response.setHeader(name, value)
    }
    if (got.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      response.flushHeaders()
      await passStream(got, response, (block) => plant(request, block, response)).catch(() => {})
      response.end()
      return
    }
    response.end(plant(request, await got.text(), response))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** Passes whole messages to `plant`, which may hold one back by returning an empty text. */
async function passStream(got: Response, response: ServerResponse, plant: (block: string) => string): Promise<void> {
  let rest = ''
  for await (const chunk of got.body ?? []) {
    rest += Buffer.from(chunk).toString()
    for (;;) {
      const end = rest.indexOf('\n\n')
      if (end < 0) break
      response.write(plant(rest.slice(0, end + 2)))
      rest = rest.slice(end + 2)
    }
  }
}

/** Starts sandboxes for the comparison, like the command. */
export const startReplaySandbox: StartSandbox = async ({ settings, now }) => {
  const sandbox = await assembleSandbox({
    settings,
    holdDeliveries: true,
    clock: { mode: 'frozen', now: now as SandboxTime },
    systemClock: createSystemClock(),
  })
  return {
    fetch: (url, { pieces: _, ...init }) => sandbox.fetch(new Request(url, init as RequestInit)),
    close: () => sandbox.close({ grace_ms: 0 }),
  }
}

/** Compares the calls with a sandbox, and passes each request of the public API to `onRequest`. */
export async function compareObserved(
  calls: Parameters<typeof compareRecording>[0]['calls'],
  settings: Settings,
  onRequest: (init: Parameters<Awaited<ReturnType<StartSandbox>>['fetch']>[1]) => void,
) {
  return await compareRecording({
    calls,
    settings,
    async start(options) {
      const sandbox = await startReplaySandbox(options)
      return {
        ...sandbox,
        async fetch(url, init) {
          if (url.includes('/v1/public/')) onRequest(init)
          return await sandbox.fetch(url, init)
        },
      }
    },
    systemClock: createSystemClock(),
    mask: createMasking({ key: Buffer.alloc(32, 7) }),
  })
}
