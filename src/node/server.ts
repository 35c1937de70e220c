// The adapter for sockets: a node:http server around `sandbox.fetch`.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { EventStream } from '../delivery/sse.ts'
import type { ConnectionAbortedError } from '../http/connection-aborted.ts'
import { withBrackets } from '../http/host-header.ts'
import type { SocketBindings } from '../http/node-fast-path.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import {
  type ClientErrorHandler,
  createClientErrorHandler,
  refuseExpectation,
  refuseIfAmbiguous,
  respondWithInternalError,
} from './client-errors.ts'
import type { FetchHandler, FetchListener } from './fetch-listener.ts'
import { createOpenStreams, type OpenStreams } from './open-streams.ts'
import { lowercaseScheme, reachableUrl, setDefaultHost } from './reachable-address.ts'
import { abortResponse, closeInStages, responseClass } from './response.ts'

/** Options of a server. */
export interface ServerOptions {
  /** The port; 0 for a free one. */
  readonly port: number
  /** The host, such as `127.0.0.1`. Other machines can reach a host that is not a loopback address. */
  readonly host: string
  /** The timers of the system clock: `createSystemClock()`. */
  readonly systemClock: Pick<SystemClock, 'setTimeout'>
  /**
   * Replaces the global Request and Response by lighter ones, which doubles the request rate. Use it only if the
   * process runs no other code, such as a test suite.
   */
  readonly replaceGlobals?: boolean
  /** False: the server and its connections do not keep the process alive. Default: true. */
  readonly keepProcessAlive?: boolean
}

/** A server that is listening. */
export interface RunningServer {
  /** The URL, without a slash at the end. */
  readonly url: string
  /** The URL for other machines. It differs from `url` only if the server listens on all addresses of this machine. */
  readonly sharedUrl: string
  readonly port: number
  /** Stops accepting connections, closes streams, and closes the remaining connections after `grace_ms`. */
  close(options: { readonly grace_ms: number }): Promise<void>
}

/** The server cannot listen on the address, for example because the port is in use. */
export class PortUnavailableError extends Error {
  override readonly name = 'PortUnavailableError'
  readonly code: string
  constructor(code: string, host: string, port: number) {
    const message =
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is in use.`
        : code === 'EACCES'
          ? `Port ${port} needs rights that this process does not have.`
          : `Cannot listen on ${host}:${port} (${code}).`
    super(message)
    this.code = code
  }
}

const LIMITS = {
  /** A client must send its headers within this many ms. */
  headersTimeout: 20_000,
  /** A client must send a whole request with its body within this many ms. */
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  noDelay: true,
  // The app rejects such a request, with the error object.
  requireHostHeader: false,
}

/** ms between two sweeps of idle connections while the server closes. */
const SWEEP_INTERVAL = 20

/** A server that is listening. Requests wait until {@link BoundServer.serve} sets their handler. */
interface BoundServer extends RunningServer {
  serve(handler: FetchHandler): void
}

/**
 * Serves a sandbox over HTTP.
 * @throws PortUnavailableError; if other machines can reach the host, ExposedCredentialsError for development
 *   credentials and WeakControlTokenError for a control token or view token that is too short
 */
export async function startServer(handler: FetchHandler, options: ServerOptions): Promise<RunningServer> {
  handler.beforeListen?.(options.host)
  const { serve, ...server } = await bindServer(options)
  serve(handler)
  return server
}

/**
 * Listens before there is a sandbox. If the port is unavailable, the start fails before it changes the data directory.
 * @throws PortUnavailableError
 */
export async function bindServer(options: ServerOptions): Promise<BoundServer> {
  const streams = createOpenStreams(options.systemClock)
  let handleRequest: ((bindings: Bindings) => void) | undefined
  const early: Bindings[] = []
  const closeUnread = (socket: Socket) => closeInStages(socket, options.systemClock)
  const clientErrors = createClientErrorHandler(closeUnread)
  let closing = false
  const ServerResponse = responseClass(closeUnread, () => closing)
  const server = createServer({ ...LIMITS, ServerResponse }, (incoming, outgoing) => handle(incoming, outgoing, false))
  // The client waits before it sends the body. After an early error response it need not send the body.
  server.on('checkContinue', (incoming, outgoing) => handle(incoming, outgoing, true))
  // Node silently drops headers after the 1,000th, such as the Idempotency-Key. The size limit (431) still applies.
  server.maxHeadersCount = 0
  server.on('clientError', clientErrors.refuse)
  server.on('checkExpectation', (incoming, outgoing) => {
    clientErrors.follow(incoming, outgoing)
    refuseExpectation(incoming, outgoing)
  })
  if (options.keepProcessAlive === false) server.unref().on('connection', (socket) => socket.unref())
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  const url = `http://${withBrackets(options.host)}:${port}`
  return { url, sharedUrl: reachableUrl(options.host, port), port, serve, close: ({ grace_ms }) => close(grace_ms) }

  function handle(incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue: boolean): void {
    clientErrors.follow(incoming, outgoing)
    if (refuseIfAmbiguous(incoming, outgoing)) return
    setDefaultHost(incoming)
    lowercaseScheme(incoming)
    const bindings = new Bindings(incoming, outgoing, { streams, clientErrors, expectsContinue })
    if (handleRequest === undefined) early.push(bindings)
    else handleRequest(bindings)
  }

  function serve(handler: FetchHandler): void {
    const fetchPath = viaFetch(handler, options.replaceGlobals === true)
    handleRequest = (bindings) => {
      if (handler.fastPath?.(bindings) !== true) fetchPath(bindings)
    }
    for (const bindings of early.splice(0)) handleRequest(bindings)
  }

  function close(grace_ms: number): Promise<void> {
    closing = true
    return new Promise((resolve) => {
      const cut = options.systemClock.setTimeout(() => server.closeAllConnections(), grace_ms)
      let next = options.systemClock.setTimeout(sweep, SWEEP_INTERVAL)
      server.close(() => {
        cut.cancel()
        next.cancel()
        resolve()
      })
      streams.cutAll()
      /** Closes connections whose request has ended. Otherwise they stay open for the next request. */
      function sweep(): void {
        server.closeIdleConnections()
        next = options.systemClock.setTimeout(sweep, SWEEP_INTERVAL)
      }
    })
  }
}

interface BindingsServer {
  readonly streams: OpenStreams
  readonly clientErrors: Pick<ClientErrorHandler, 'allowLong'>
  readonly expectsContinue: boolean
}

class Bindings implements SocketBindings {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly #server: BindingsServer
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, server: BindingsServer) {
    this.incoming = incoming
    this.outgoing = outgoing
    this.#server = server
  }

  sendContinueIfExpected(): void {
    if (this.#server.expectsContinue) this.outgoing.writeContinue()
  }

  allowLongBody(): void {
    this.#server.clientErrors.allowLong(this.outgoing)
  }

  onStream(stream: EventStream): void {
    this.#server.streams.add(this.outgoing, stream)
  }

  abort(error: ConnectionAbortedError): void {
    abortResponse(this.outgoing, error)
  }
}

/** Loads the fetch adapter with the first request that needs it, because loading it would slow the start by a tenth. */
function viaFetch(handler: FetchHandler, replaceGlobals: boolean): (bindings: Bindings) => void {
  let ready: FetchListener | undefined
  let loading: Promise<FetchListener> | undefined
  return (bindings) => {
    if (ready !== undefined) return void ready(bindings)
    loading ??= import('./fetch-listener.ts').then(({ fetchListener }) => fetchListener(handler, replaceGlobals))
    loading.then(
      (loaded) => {
        ready = loaded
        loaded(bindings)
      },
      () => {
        // The next request tries again, because an installation may be replacing the file now.
        loading = undefined
        respondWithInternalError(bindings.outgoing)
      },
    )
  }
}

function listen(server: Server, { host, port }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(new PortUnavailableError(error.code ?? '', host, port))
    server.once('error', refuse)
    server.listen({ host, port }, () => {
      server.off('error', refuse)
      resolve()
    })
  })
}
