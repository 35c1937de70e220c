// The short way of the public API's plain requests: from node's parsed request to its response, by the same handlers as
// `fetch` and without the objects of the fetch standard, which cost more than most operations do.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AdapterBindings, BufferedBody, Exchange } from './app-env.ts'
import { ConnectionAbortedError } from './connection-aborted.ts'
import { loggedErrorResponse } from './errors.ts'
import { isPlainHost } from './host-header.ts'
import type { RequestHandler } from './public/handle-request.ts'
import type { PublicRoute } from './public/index.ts'
import type { LoggedRequest } from './request-log.ts'
import type { SerializedResponse } from './respond.ts'
import type { Services } from './services.ts'

export interface SocketBindings extends AdapterBindings {
  readonly incoming: IncomingMessage & Partial<BufferedBody>
  readonly outgoing: ServerResponse
  /** Carries out what the simulator wants done to the connection. */
  abort(error: ConnectionAbortedError): void
}

/** Takes the request and answers it, or returns false: it is for `fetch`. */
export type FastPath = (bindings: SocketBindings) => boolean

/** Bytes of a body that is read here; whoever sends more is `fetch`'s to deal with. */
const MAX_BODY_BYTES = 64 * 1024

export function createFastPath(services: Services, routes: readonly PublicRoute[]): FastPath {
  const find = createRouteFinder(routes)

  return (bindings) => {
    const { incoming } = bindings
    const { url = '', method } = incoming
    const found = find(method ?? '', url)
    if (found === undefined || !isPlain(incoming)) return false
    incoming.bufferBody?.()
    const exchange = new SocketExchange(bindings, found.id)
    let answer: SerializedResponse | Promise<SerializedResponse>
    try {
      answer = found.handle(exchange)
    } catch (error) {
      fail(exchange, error)
      return true
    }
    if (answer instanceof Promise) {
      answer.then(
        (sent) => write(bindings.outgoing, sent),
        (error) => fail(exchange, error),
      )
    } else write(bindings.outgoing, answer)
    return true
  }

  function fail(exchange: SocketExchange, error: unknown): void {
    if (error instanceof ConnectionAbortedError) {
      exchange.env.abort(error)
      return
    }
    const answer = loggedErrorResponse(error, exchange, services)
    if (answer instanceof Promise) void answer.then((sent) => write(exchange.env.outgoing, sent))
    else write(exchange.env.outgoing, answer)
  }
}

function write(outgoing: ServerResponse, { status, headers, body }: SerializedResponse): void {
  if (typeof body !== 'string') throw new Error('A stream is no plain answer: its route is not to be taken here.')
  const length = Buffer.byteLength(body)
  // No spread: a field added to one costs half a µs.
  outgoing.writeHead(status, Object.assign({ 'Content-Length': length }, headers))
  // Head and body leave in one piece, at once. `end(text)` would send a second, empty one and gather both: a tenth of
  // what a read costs. Without a cork of ours, `write` would hold the piece back until the next turn.
  const { socket } = outgoing
  socket?.cork()
  // Only ASCII has a byte for each character; it need not be encoded.
  outgoing.write(body, length === body.length ? 'latin1' : 'utf8')
  socket?.uncork()
  outgoing.end()
}

/** Nothing about it that the fetch standard has an opinion on. */
function isPlain({ headers, httpVersion }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (
    httpVersion === '1.1' &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined &&
    (length === undefined || Number(length) <= MAX_BODY_BYTES) &&
    isPlainHost(headers.host)
  )
}

interface MatchedRoute {
  readonly handle: RequestHandler
  readonly id: string
}

const ID = /^[\w-]+$/

/** Exact paths and those with one id in them; anything unusual, such as a query, is not found. */
function createRouteFinder(routes: readonly PublicRoute[]): (method: string, url: string) => MatchedRoute | undefined {
  const exact = { GET: new Map<string, MatchedRoute>(), POST: new Map<string, MatchedRoute>() }
  const open: {
    readonly method: string
    readonly head: string
    readonly tail: string
    readonly handle: RequestHandler
  }[] = []
  for (const { method, path, handle, stream } of routes) {
    if (stream) continue
    const [head = '', tail] = path.split(':id')
    if (tail === undefined) exact[method].set(path, { handle, id: '' })
    else open.push({ method, head, tail, handle })
  }
  return (method, url) => {
    if (method !== 'GET' && method !== 'POST') return undefined
    const found = exact[method].get(url)
    if (found !== undefined) return found
    for (const route of open) {
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
