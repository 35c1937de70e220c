// A merchant's handler that does everything right, on a port: `/hooks` anywhere, `/balance`, `/orders/ID`.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { shop } from '../audit/shop.ts'

export async function startShop(secret: string) {
  const { fetch, books } = shop(secret, Date.now)
  const server = createServer(async (request, response) => {
    const url = request.url ?? '/'
    if (request.method === 'GET') {
      const order = url.match(/^\/orders\/(.+)$/)?.[1]
      response.end(order === undefined ? String(books.balance()) : (books.orderStatus(decodeURIComponent(order)) ?? ''))
      return
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const { status } = await fetch(url, { method: 'POST', headers, body: await bodyOf(request) })
    response.writeHead(status).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}
