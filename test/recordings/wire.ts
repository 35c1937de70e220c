// Servers and clients that send and receive exact bytes.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createClientErrorHandler } from '../../src/node/client-errors.ts'
import { closeInStages } from '../../src/node/response.ts'
import type { RecordedExchange } from '../../src/recordings/exchange.ts'
import { createRecordingProxy } from '../../src/recordings/proxy.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

export interface Wire {
  readonly socket: Socket
  /** The bytes so far, as Latin-1. */
  text(): string
  /** Resolves when the text contains `part`. */
  until(part: string): Promise<string>
  /** Resolves with the whole text when the other side has closed the connection. `reset`: with RST. */
  closed(): Promise<{ readonly text: string; readonly reset: boolean }>
}

function wire(socket: Socket): Wire {
  let text = ''
  let reset = false
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    reset = error.code === 'ECONNRESET'
  })
  return {
    socket,
    text: () => text,
    async until(part) {
      while (!text.includes(part)) {
        if (socket.destroyed || socket.readableEnded) throw new Error(`closed before ${JSON.stringify(part)}: ${text}`)
        await Promise.race([once(socket, 'data'), once(socket, 'close'), once(socket, 'end')])
      }
      return text
    },
    async closed() {
      if (!socket.closed) await new Promise((done) => socket.once('close', done))
      return { text, reset }
    },
  }
}

export interface RecordedTraffic {
  readonly port: number
  readonly exchanges: readonly RecordedExchange[]
  /** Resolves when there are `count` exchanges. */
  recorded(count: number): Promise<readonly RecordedExchange[]>
  /** Opens a connection to the proxy, and sends the text. */
  open(text?: string): Promise<Wire>
  stop(): Promise<void>
}

/**
 * Starts a proxy in front of `target`.
 * @param at its port, by default a free one
 */
export async function recordTraffic(
  target: string,
  bodyLimit = 1024 * 1024,
  at = 0,
  host = '127.0.0.1',
): Promise<RecordedTraffic> {
  const exchanges: RecordedExchange[] = []
  const waiting: (() => void)[] = []
  const systemClock = createSystemClock()
  const proxy = createRecordingProxy({
    target,
    systemClock,
    clientErrors: (prefix) => createClientErrorHandler((socket) => closeInStages(socket, systemClock), prefix),
    bodyLimit,
    onExchange(exchange) {
      exchanges.push(exchange)
      for (const check of waiting.splice(0)) check()
    },
  })
  const port = await listening(proxy.server, at, host)
  return {
    port,
    exchanges,
    async recorded(count) {
      while (exchanges.length < count) await new Promise<void>((done) => waiting.push(done))
      return exchanges
    },
    async open(text = '') {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      if (text !== '') socket.write(text, 'latin1')
      return wire(socket)
    },
    stop: proxy.stop,
  }
}

/** Starts a server that calls `accept` for each connection. */
export async function rawServer(
  accept: (wire: Wire) => void | Promise<void>,
): Promise<{ readonly url: string; readonly server: Server; close(): void }> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    void Promise.resolve(accept(wire(socket))).catch((error) => socket.destroy(error))
  })
  const port = await listening(server)
  const close = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  return { url: `http://127.0.0.1:${port}`, server, close }
}

async function listening(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
