// A small merchant that verifies webhooks. It imports nothing from this project, so its check is independent.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly id: string
  readonly event: string
  readonly data: { readonly id: string; readonly status: string; readonly [field: string]: unknown }
  readonly verified: boolean
  readonly status: number
}

export interface Merchant {
  readonly url: string
  readonly received: readonly Received[]
  /** Responds 500 to the next `times` webhooks, like a shop without its database. */
  failNext(times: number): void
  close(): Promise<void>
}

/** The time of a signature may differ from the merchant's clock by this many seconds. */
const TOLERANCE = 300

/** @param now the system clock, in ms */
export async function startMerchant(secret: string, now: () => number): Promise<Merchant> {
  const received: Received[] = []
  let failuresLeft = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const verified = isVerified(body, request.headers, secret, now())
    const status = !verified ? 400 : failuresLeft > 0 ? 500 : 200
    if (status === 500) failuresLeft--
    const message = JSON.parse(body.toString('utf8')) as Pick<Received, 'id' | 'event' | 'data'>
    received.push({ id: message.id, event: message.event, data: message.data, verified, status })
    response.writeHead(status, { 'Content-Type': 'text/plain' }).end(status === 500 ? 'the database is down' : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    failNext(times) {
      failuresLeft = times
    },
    close: () => closeServer(server),
  }
}

function isVerified(body: Buffer, headers: IncomingHttpHeaders, secret: string, now: number): boolean {
  const [, t, v2] = /^t=(\d+),(?:v1=[0-9a-f]{64},)?v2=([0-9a-f]{64})$/.exec(String(headers['x-psp-signature'])) ?? []
  if (t === undefined || v2 === undefined) return false
  if (Math.abs(now / 1000 - Number(t)) > TOLERANCE) return false
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(v2, 'hex'))
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
