// The door for sockets: a node:http server around `sandbox.fetch`.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { EventStream } from '../delivery/sse.ts'
import type { ConnectionAbortedError } from '../http/connection-aborted.ts'
import { withBrackets } from '../http/host-header.ts'
import type { SocketBindings } from '../http/node-fast-path.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { abortResponse } from './abort-response.ts'
import { BufferedIncomingMessage } from './buffered-request.ts'
import {
  type ClientErrorHandler,
  createClientErrorHandler,
  refuseAmbiguous,
  refuseExpectation,
  respondWithInternalError,
} from './client-errors.ts'
import { setDefaultHost } from './default-host.ts'
import type { FetchHandler, FetchListener } from './fetch-listener.ts'
import { createOpenStreams, type OpenStreams } from './open-streams.ts'
import { reachableUrl } from './reachable-address.ts'
import { responseClass } from './response.ts'
import { closeInStages } from './staged-close.ts'

/** Where a server listens. */
export interface ServerOptions {
  /** 0 picks a free one. */
  readonly port: number
  /** `127.0.0.1`, say; others than loopback hosts are reached by others. */
  readonly host: string
  /** The machine's timers: `createSystemClock()`. */
  readonly systemClock: Pick<SystemClock, 'setTimeout'>
  /**
   * The process is the server and nothing else: its global Request and Response may be replaced by lighter ones, which
   * doubles the rate. Never where other people's code runs, such as a test suite.
   */
  readonly replaceGlobals?: boolean
  /** False: neither the server nor its connections keep the process from ending. Default: true. */
  readonly keepProcessAlive?: boolean
}

/** A server that listens. */
export interface RunningServer {
  /** Without a slash at its end. */
  readonly url: string
  /** The url for other machines; another one than `url` only if the server listens on all addresses of this machine. */
  readonly sharedUrl: string
  readonly port: number
  /** Accepts nothing more, lets requests end for up to `grace_ms`, then cuts what is left; streams are cut at once. */
  close(options: { readonly grace_ms: number }): Promise<void>
}

/** The address is taken, or may not be used. */
export class PortUnavailableError extends Error {
  override readonly name = 'PortUnavailableError'
  readonly code: string
  constructor(code: string, host: string, port: number) {
    const why =
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is in use.`
        : code === 'EACCES'
          ? `Port ${port} needs rights this process does not have.`
          : `Cannot listen on ${host}:${port} (${code}).`
    super(why)
    this.code = code
  }
}

const LIMITS = {
  /** A client that sends its headers this slowly is let go; ms. */
  headersTimeout: 20_000,
  /** A whole request, its body included; ms. */
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  noDelay: true,
  // Refused further on, with the error object.
  requireHostHeader: false,
  IncomingMessage: BufferedIncomingMessage,
}

/** ms between looks at what went idle while the server closes. */
const SWEEP = 20

/** A server that listens. Requests wait until {@link BoundServer.serve} names what answers them. */
interface BoundServer extends RunningServer {
  /** Called once. */
  serve(door: FetchHandler): void
}

/**
 * Lets a sandbox answer over HTTP.
 * @throws PortUnavailableError; ExposedCredentialsError or WeakControlTokenError if other machines can reach the host
 */
export async function startServer(handler: FetchHandler, options: ServerOptions): Promise<RunningServer> {
  handler.assertHostAllowed?.(options.host)
  const { serve, ...server } = await bindServer(options)
  serve(handler)
  return server
}

/**
 * Listens before there is a sandbox, so that a start can be refused for its port while the data folder is unchanged.
 * @throws PortUnavailableError
 */
export async function bindServer(options: ServerOptions): Promise<BoundServer> {
  const streams = createOpenStreams(options.systemClock)
  let answer: ((bindings: Bindings, isEarly: boolean) => void) | undefined
  const early: Bindings[] = []
  const closeUnread = (socket: Socket) => closeInStages(socket, options.systemClock)
  const bytes = createClientErrorHandler(closeUnread)
  let closing = false
  const ServerResponse = responseClass(closeUnread, () => closing)
  const server = createServer({ ...LIMITS, ServerResponse }, (incoming, outgoing) => handle(incoming, outgoing, false))
  // The client waits before it sends the body: a refusal that does not need the body saves sending it.
  server.on('checkContinue', (incoming, outgoing) => handle(incoming, outgoing, true))
  // Node would drop the 1,001st without a word, were it the Idempotency-Key. Their bytes have a limit, with a 431.
  server.maxHeadersCount = 0
  server.on('clientError', bytes.refuse)
  server.on('checkExpectation', refuseExpectation)
  if (options.keepProcessAlive === false) server.unref().on('connection', (socket) => socket.unref())
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  const url = `http://${withBrackets(options.host)}:${port}`
  return { url, sharedUrl: reachableUrl(options.host, port), port, serve, close: ({ grace_ms }) => close(grace_ms) }

  function handle(incoming: BufferedIncomingMessage, outgoing: ServerResponse, expectsContinue: boolean): void {
    bytes.follow(incoming, outgoing)
    if (refuseAmbiguous(incoming, outgoing)) return
    setDefaultHost(incoming)
    const bindings = new Bindings(incoming, outgoing, { streams, bytes, expectsContinue })
    if (answer === undefined) early.push(bindings)
    else answer(bindings, false)
  }

  function serve(door: FetchHandler): void {
    const standard = viaFetch(door, options.replaceGlobals === true)
    answer = (bindings, isEarly) => {
      // The short way takes over a body before its first byte, which an early request may have received.
      if (isEarly || door.fastPath?.(bindings) !== true) standard(bindings)
    }
    for (const bindings of early.splice(0)) answer(bindings, true)
  }

  function close(grace_ms: number): Promise<void> {
    closing = true
    return new Promise((resolve) => {
      const cut = options.systemClock.setTimeout(() => server.closeAllConnections(), grace_ms)
      let next = options.systemClock.setTimeout(sweep, SWEEP)
      server.close(() => {
        cut.cancel()
        next.cancel()
        resolve()
      })
      streams.cutAll()
      /** A connection whose request ended meanwhile would stay open for the next one. */
      function sweep(): void {
        server.closeIdleConnections()
        next = options.systemClock.setTimeout(sweep, SWEEP)
      }
    })
  }
}

interface BindingsServer {
  readonly streams: OpenStreams
  readonly bytes: Pick<ClientErrorHandler, 'allowLong'>
  readonly expectsContinue: boolean
}

class Bindings implements SocketBindings {
  readonly incoming: BufferedIncomingMessage
  readonly outgoing: ServerResponse
  readonly #server: BindingsServer
  constructor(incoming: BufferedIncomingMessage, outgoing: ServerResponse, server: BindingsServer) {
    this.incoming = incoming
    this.outgoing = outgoing
    this.#server = server
  }

  beforeBody(): void {
    if (this.#server.expectsContinue) this.outgoing.writeContinue()
  }

  beforeLongBody(): void {
    this.#server.bytes.allowLong(this.outgoing)
  }

  onStream(stream: EventStream): void {
    this.#server.streams.add(this.outgoing, stream)
  }

  abort(error: ConnectionAbortedError): void {
    abortResponse(this.outgoing, error)
  }
}

/** Loaded by the first request that needs it: it loads half of node's web API, which would cost the start a tenth. */
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
        // The next request may find what this one missed: a file that an installation is replacing.
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
