import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly method: string
  readonly path: string
  /** Alternating names and values, as received. */
  readonly raw: readonly string[]
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

type Answer = (response: ServerResponse, request: Received, incoming: IncomingMessage) => void

/** Starts a receiver on a loopback port (0: a free one), closed with the test. Default response: 200. Rejects if it cannot listen. */
export async function receiver(answer: Answer = (response) => void response.end('ok'), host = '127.0.0.1', at = 0) {
  const received: Received[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = []
    try {
      for await (const part of incoming) parts.push(part as Buffer)
    } catch {
      return
    }
    const { method = '', url = '', rawHeaders, headers } = incoming
    const request = { method, path: url, raw: rawHeaders, headers, body: Buffer.concat(parts) }
    received.push(request)
    for (const { count, resolve } of waiting) if (received.length >= count) resolve()
    answer(response, request, incoming)
  })
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(at, host, resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => void server.close(resolve))
  }
  onTestFinished(close)
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/hooks`,
    received,
    /** Resolves after `count` requests. */
    got: (count: number) =>
      received.length >= count
        ? Promise.resolve()
        : new Promise<void>((resolve) => void waiting.push({ count, resolve })),
    close,
  }
}
