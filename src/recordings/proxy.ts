// A reverse proxy in front of a real service. It forwards each message as it is received, and records a copy.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Forwarding, type RecorderOptions } from './forwarding.ts'
import { PROXY_PREFIX } from './forwarding-errors.ts'
import { createTarget, MAX_HEAD } from './upstream.ts'

export interface ProxyOptions extends RecorderOptions {
  /** The base URL of the service. */
  readonly target: string
  /** @param prefix the beginning of each error message */
  clientErrors(prefix: string): ClientErrors
}

/** Rejects bytes that are not HTTP, after the responses to the earlier requests of the connection. */
export interface ClientErrors {
  /** Called for each request. */
  follow(incoming: IncomingMessage, outgoing: ServerResponse): void
  /** Handles the `clientError` event of the server. */
  refuse(error: NodeJS.ErrnoException, socket: Duplex): void
}

export interface RecordingProxy {
  readonly server: Server
  /** Records the exchanges that are still open, such as event streams, and closes all connections. */
  stop(): Promise<void>
}

/** Creates the proxy. The caller calls `server.listen`. */
export function createRecordingProxy(options: ProxyOptions): RecordingProxy {
  const target = createTarget(options.target)
  const clientErrors = options.clientErrors(PROXY_PREFIX)
  const open = new Set<Forwarding>()
  const unreadable = new WeakSet<Duplex>()
  const busy = new WeakMap<Socket, number>()
  const count = (client: Socket, by: number) => busy.set(client, (busy.get(client) ?? 0) + by)
  const server = createServer({
    maxHeaderSize: MAX_HEAD,
    // The target decides about slow requests, idle connections and a missing Host.
    requestTimeout: 0,
    keepAliveTimeout: 0,
    requireHostHeader: false,
    noDelay: true,
  })
  server.maxHeadersCount = 0

  const handle = (expectsContinue: boolean) => (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const client = incoming.socket
    clientErrors.follow(incoming, outgoing)
    count(client, 1)
    const forwarding = new Forwarding({
      ...options,
      target,
      ownAddress: server.address(),
      incoming,
      outgoing,
      expectsContinue,
      isUnreadable: () => unreadable.has(client),
      onEnd() {
        open.delete(forwarding)
        count(client, -1)
      },
      onTargetClosed() {
        if (busy.get(client) === 0) client.end()
      },
    })
    open.add(forwarding)
    forwarding.begin()
  }
  server.on('request', handle(false))
  server.on('checkContinue', handle(true))
  server.on('checkExpectation', handle(false))
  server.on('clientError', (error: NodeJS.ErrnoException, client) => {
    if (isUnreadable(error)) unreadable.add(client)
    clientErrors.refuse(error, client)
  })
  server.on('connect', (_, client: Socket) => refuseTunnel(client))

  return {
    server,
    async stop() {
      for (const forwarding of open) forwarding.cut()
      await new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      })
    },
  }
}

/** Whether the parser rejected the bytes. It also reports a client that closes the connection during a request. */
function isUnreadable({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE'
}

/** Responds 405 and closes the connection, which Node's server no longer manages. */
function refuseTunnel(client: Socket): void {
  client.on('error', () => client.destroy())
  client.write(NO_TUNNELS)
  client.destroySoon()
}

const NO_TUNNELS = [
  'HTTP/1.1 405 Method Not Allowed',
  'Content-Type: text/plain',
  'Connection: close',
  '',
  '`psp record` is a reverse proxy and opens no tunnels. Use its URL as the base URL of the API.\n',
].join('\r\n')
