// The fast path for plain requests to the public API. It passes Node's parsed request to the same handlers as `fetch`,
// but without the objects of the fetch standard, which take longer than most operations.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AdapterBindings, Exchange } from './app-env.ts'
import { ConnectionAbortedError } from './connection-aborted.ts'
import { loggedErrorResponse } from './errors.ts'
import { isPlainHost } from './host-header.ts'
import type { RequestHandler } from './public/handle-request.ts'
import type { PublicRoute } from './public/index.ts'
import type { LoggedRequest } from './request-log.ts'
import type { SerializedResponse } from './respond.ts'
import type { Services } from './services.ts'

export interface SocketBindings extends AdapterBindings {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** Breaks the connection as a fault requires. */
  abort(error: ConnectionAbortedError): void
}

/** Handles the request, or returns false if `fetch` must handle it. */
export type FastPath = (bindings: SocketBindings) => boolean

/** The maximum body in bytes. `fetch` handles requests with larger bodies. */
const MAX_BODY_BYTES = 64 * 1024

export function createFastPath(services: Services, routes: readonly PublicRoute[]): FastPath {
  const find = createRouteFinder(routes)
  let lastPlainHost: string | undefined

  return (bindings) => {
    const { incoming } = bindings
    const { url = '', method } = incoming
    const found = find(method ?? '', url)
    if (found === undefined || !isPlain(incoming) || !hasPlainHost(incoming)) return false
    const exchange = new SocketExchange(bindings, found.id)
    let response: SerializedResponse | Promise<SerializedResponse>
    try {
      response = found.handle(exchange)
    } catch (error) {
      fail(exchange, error)
      return true
    }
    if (response instanceof Promise) {
      response.then(
        (settled) => write(bindings.outgoing, settled),
        (error) => fail(exchange, error),
      )
    } else write(bindings.outgoing, response)
    return true
  }

  /** Compares with the host of the last request first, because parsing a host takes as long as finding the API key. */
  function hasPlainHost({ headers: { host } }: IncomingMessage): boolean {
    if (host === undefined || (host !== lastPlainHost && !isPlainHost(host))) return false
    lastPlainHost = host
    return true
  }

  function fail(exchange: SocketExchange, error: unknown): void {
    if (error instanceof ConnectionAbortedError) {
      exchange.env.abort(error)
      return
    }
    const response = loggedErrorResponse(error, exchange, services)
    if (response instanceof Promise) void response.then((settled) => write(exchange.env.outgoing, settled))
    else write(exchange.env.outgoing, response)
  }
}

function write(outgoing: ServerResponse, { status, headers, body }: SerializedResponse): void {
  if (typeof body !== 'string')
    throw new Error('The fast path cannot send a stream. Leave the route of a stream to fetch.')
  const length = Buffer.byteLength(body)
  // Object.assign, because adding a field to a spread object costs half a µs.
  outgoing.writeHead(status, Object.assign({ 'Content-Length': length }, headers))
  // The cork sends head and body immediately, in one write. Without it, `write` would delay the body until the next
  // turn. `end(text)` would add an empty second chunk, which costs a tenth of the time of a GET request.
  const { socket } = outgoing
  socket?.cork()
  // Only ASCII text has one byte per character, and needs no encoding.
  outgoing.write(body, length === body.length ? 'latin1' : 'utf8')
  socket?.uncork()
  outgoing.end()
}

/** Returns whether the request is HTTP/1.1 with no or a short body, and without Transfer-Encoding and Expect. */
function isPlain({ headers, httpVersion }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (
    httpVersion === '1.1' &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    (length === undefined || Number(length) <= MAX_BODY_BYTES)
  )
}

interface MatchedRoute {
  readonly handle: RequestHandler
  readonly id: string
}

const ID = /^[\w-]+$/

/** The returned function finds exact paths and paths with one id, but no target with a query or an escaped id. */
function createRouteFinder(routes: readonly PublicRoute[]): (method: string, url: string) => MatchedRoute | undefined {
  const exact = { GET: new Map<string, MatchedRoute>(), POST: new Map<string, MatchedRoute>() }
  const withId: {
    readonly method: string
    readonly head: string
    readonly tail: string
    readonly handle: RequestHandler
  }[] = []
  for (const { method, path, handle, stream } of routes) {
    if (stream) continue
    const [head = '', tail] = path.split(':id')
    if (tail === undefined) exact[method].set(path, { handle, id: '' })
    else withId.push({ method, head, tail, handle })
  }
  return (method, url) => {
    if (method !== 'GET' && method !== 'POST') return undefined
    const found = exact[method].get(url)
    if (found !== undefined) return found
    for (const route of withId) {
      if (route.method !== method || !url.startsWith(route.head) || !url.endsWith(route.tail)) continue
      const id = url.slice(route.head.length, url.length - route.tail.length)
      if (ID.test(id)) return { handle: route.handle, id }
    }
    return undefined
  }
}

class SocketExchange implements Exchange {
  readonly env: SocketBindings
  readonly #id: string
  #entry: LoggedRequest | undefined

  constructor(env: SocketBindings, id: string) {
    this.env = env
    this.#id = id
  }

  get req(): this {
    return this
  }
  get method(): string {
    return this.env.incoming.method ?? ''
  }
  get path(): string {
    return this.env.incoming.url ?? ''
  }
  get url(): string {
    return `http://${this.env.incoming.headers.host}${this.path}`
  }
  get raw(): Request {
    return new Request(this.url, { method: this.method })
  }
  param(): string {
    return this.#id
  }
  get(): LoggedRequest | undefined {
    return this.#entry
  }
  set(_: 'entry', entry: LoggedRequest): void {
    this.#entry = entry
  }
}
