// A sandbox in this process with calls to both APIs. Each response must be one that its route documents.
import { connect } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { RESPONSES } from '../../src/http/control/response-schemas.ts'
import type { ControlRoute } from '../../src/http/control/route.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import type { FetchHandler } from '../../src/node/fetch-listener.ts'
import { type RunningServer, startServer } from '../../src/node/server.ts'
import { assembleSandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { expectDocumentedCode } from '../contract/documented-codes.ts'
import { receiver } from '../delivery/receiver.ts'

export const BASE = 'http://127.0.0.1:7770'

export interface CallResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
  readonly body: any
  readonly headers: Headers
}

/** Opens a sandbox with a frozen clock, so that only due webhooks are sent by themselves. */
export async function openSandbox(options: SandboxOptions = {}) {
  const sandbox = await assembleSandbox({ clock: { mode: 'frozen' }, ...options })
  onTestFinished(() => sandbox.close())

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await sandbox.fetch(
      new Request(`${BASE}${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    const reply: CallResponse = {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    }
    expectDocumentedCode(method, path, reply.body)
    if (path.startsWith('/_psp/')) expectDocumented(method, path, reply)
    return reply
  }

  const control = {
    get: (path: string) => call('GET', `/_psp${path}`),
    post: (path: string, body?: unknown) => call('POST', `/_psp${path}`, body),
    put: (path: string, body?: unknown) => call('PUT', `/_psp${path}`, body),
    patch: (path: string, body?: unknown) => call('PATCH', `/_psp${path}`, body),
    remove: (path: string) => call('DELETE', `/_psp${path}`),
  }

  return {
    sandbox,
    call,
    ...control,
    shop: sandbox.defaultShop().shop_id,
    /** The public API with the start shop's key, or another. */
    ask: (method: string, path: string, body?: unknown, key = sandbox.defaultShop().api_key) =>
      call(method, path, body, { authorization: `Bearer ${key}` }),
    /** Creates a payment. Returns its id. */
    async pay(input: object = {}, key = sandbox.defaultShop().api_key): Promise<string> {
      const made = await call(
        'POST',
        '/v1/public/payments',
        { amount: 100, ...input },
        { authorization: `Bearer ${key}` },
      )
      expect(made.status).toBe(201)
      return made.body.payment.id
    },
    /** Adds an endpoint with a receiver that responds with the given statuses in turn, then with 200. */
    async hooks(...statuses: number[]) {
      const hook = await receiver((response) => {
        response.statusCode = statuses.shift() ?? 200
        response.end('seen')
      })
      const { body } = await control.post(`/shops/${sandbox.defaultShop().shop_id}/endpoints`, { url: hook.url })
      return { ...hook, endpoint: body as { id: string; secret: string } }
    },
    idle: () => control.post('/clock/advance', { until: 'idle' }),
  }
}

/** Serves a sandbox, or another handler, on a free port. */
export function serve(handler: FetchHandler, host = '127.0.0.1'): Promise<RunningServer> {
  return startServer(handler, { port: 0, host, systemClock: createSystemClock() })
}

/** Expects a status and a body that the route documents. */
function expectDocumented(method: string, path: string, { status, body }: CallResponse): void {
  const route = routeOf(method, path)
  if (route === undefined) expect([404, 405]).toContain(status)
  else if (status < 400) expectResponse(`${method} ${path} gets ${status}`, route.responses[status], body)
}

function expectResponse(what: string, name: ControlRoute['responses'][number] | undefined, body: unknown): void {
  expect(name, what).toBeDefined()
  if (name === 'nothing') expect(body, what).toBeUndefined()
  else if (name !== undefined && name !== 'stream') {
    expect(RESPONSES[name].safeParse(body).error?.issues, `${what} with a ${name}`).toBeUndefined()
  }
}

function routeOf(method: string, path: string): ControlRoute | undefined {
  const plain = path.replace(/\?.*$/, '').replace(/^\/_psp/, '')
  return CONTROL_ROUTES.find(
    (route) => route.method === method && new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(plain),
  )
}

/**
 * Writes bytes to a socket, because HTTP clients refuse to send malformed requests. Returns the text until the server ends
 * the connection, or the head of an event stream.
 * @param half ends the sending side after the bytes
 */
export function raw(port: number, bytes: Uint8Array, half = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (half) socket.end(bytes)
      else socket.write(bytes)
    })
    let got = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      got += chunk
      // A stream has no end.
      if (/\r\ncontent-type: text\/event-stream\r\n(.|\r\n)*?\r\n\r\n/i.test(got)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(got))
  })
}
