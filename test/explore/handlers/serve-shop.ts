// Serves a handler over HTTP.
import { serveHandler } from '../../cli/helpers.ts'
import type { Handler } from './handler.ts'

/** Serves the handler with its probes, and `POST /orders`, which creates at most `limit` orders. */
export async function serveShop(handler: Handler, limit = Infinity): Promise<string> {
  let orders = 0
  return await serveHandler(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (path === '/orders') {
      if (orders >= limit) return void response.writeHead(500).end()
      const id = `shop-${++orders}`
      handler.create?.(id)
      return void response.end(JSON.stringify({ id }))
    }
    if (request.method === 'GET') {
      const value = path === '/balance' ? handler.balance() : handler.order(path.slice('/orders/'.length))
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return void response.writeHead(value === undefined ? 404 : 200).end(text)
    }
    const status = await handler.handle(JSON.parse(Buffer.concat(chunks).toString('utf8'))).catch(() => 500)
    response.writeHead(status).end()
  })
}
