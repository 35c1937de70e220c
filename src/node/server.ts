// The door for sockets: a node:http server around `sandbox.fetch`.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { DoorBindings } from '../http/app-env.ts'
import { ConnectionCut } from '../http/connection-cut.ts'
import { errorObject } from '../http/errors.ts'
import type { WallClock } from '../time/wall.ts'

export interface ServerOptions {
  /** 0 picks a free one. */
  readonly port: number
  readonly host: string
  readonly wall: Pick<WallClock, 'setTimeout'>
}

export interface RunningServer {
  /** Without a slash at its end. */
  readonly url: string
  readonly port: number
  /** Accepts nothing more, lets requests end for up to `grace_ms`, then cuts what is left; streams are cut at once. */
  close(options: { readonly grace_ms: number }): Promise<void>
}

export interface FetchDoor {
  fetch(request: Request, bindings?: DoorBindings): Promise<Response>
}

/** The address is taken, or may not be used. */
export class PortUnavailable extends Error {
  override readonly name = 'PortUnavailable'
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

/** A client that sends its headers this slowly is let go; ms. */
const HEADERS_TIMEOUT = 20_000
/** A whole request, its body included; ms. */
const REQUEST_TIMEOUT = 60_000
const KEEP_ALIVE = 65_000

/** @throws PortUnavailable */
export async function startServer(door: FetchDoor, options: ServerOptions): Promise<RunningServer> {
  const streams = new Set<ServerResponse>()
  const listener = getRequestListener(
    (request, env) => answer(door, request, env as DoorBindings & { outgoing: ServerResponse }, streams),
    { overrideGlobalObjects: false },
  )
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT, requestTimeout: REQUEST_TIMEOUT, keepAliveTimeout: KEEP_ALIVE, noDelay: true },
    (incoming, outgoing) => void listener(incoming, outgoing),
  )
  server.on('clientError', refuseBytes)
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  return { url: `http://${urlHost(options.host)}:${port}`, port, close: ({ grace_ms }) => close(grace_ms) }

  function close(grace_ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cut = options.wall.setTimeout(() => server.closeAllConnections(), grace_ms)
      server.close(() => {
        cut.cancel()
        resolve()
      })
      for (const outgoing of streams) outgoing.destroy()
      server.closeIdleConnections()
    })
  }
}

async function answer(
  door: FetchDoor,
  request: Request,
  { incoming, outgoing }: { incoming?: IncomingMessage; outgoing: ServerResponse },
  streams: Set<ServerResponse>,
): Promise<Response> {
  try {
    const response = await door.fetch(request, { outgoing, ...(incoming === undefined ? {} : { incoming }) })
    if (response.headers.get('content-type') === 'text/event-stream') {
      streams.add(outgoing)
      outgoing.on('close', () => streams.delete(outgoing))
    }
    return response
  } catch (error) {
    if (!(error instanceof ConnectionCut)) throw error
    breakOff(outgoing, error)
    return new Response(null, { headers: { 'x-hono-already-sent': '1' } })
  }
}

/** Half of the answer where some of it was to arrive, then the end of the connection. */
function breakOff(outgoing: ServerResponse, { partial }: ConnectionCut): void {
  const { socket } = outgoing
  if (partial === undefined || socket === null) {
    socket?.destroy()
    return
  }
  const bytes = Buffer.from(partial.body)
  outgoing.writeHead(partial.status, { ...partial.headers, 'Content-Length': bytes.length })
  outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => socket.destroy())
}

const STATUS_LINES: { readonly [code: string]: string } = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** What is not HTTP still gets the error object. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(errorObject('bad_request', `The request could not be read as HTTP (${error.code}).`))
  const line = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function listen(server: Server, { host, port }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new PortUnavailable(error.code ?? '', host, port)))
    server.listen({ host, port }, resolve)
  })
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
