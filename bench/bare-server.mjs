// The minimal server on node:http for comparison. It parses a JSON body and responds with a payment and a new UUID.
// `node bench/bare-server.mjs PORT [hono]`. With `hono`, it uses Hono and its Node server.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

const [, , port, kind] = process.argv
const SHOP = randomUUID()

/** Creates an object of the size of a payment of the sandbox. */
function payment(id, { amount, currency, order_id, metadata }) {
  const now = new Date().toISOString()
  return {
    id,
    merchant_id: SHOP,
    shop_id: SHOP,
    shop_name: 'Demo shop',
    terminal_id: SHOP,
    terminal_name: 'Demo shop',
    order_id,
    amount,
    amount_refunded: 0,
    amount_usdt: amount / 8000,
    currency,
    method: 'any',
    status: 'pending',
    created_at: now,
    expires_at: now,
    metadata: { ...metadata, mode: 'test', simulator_outcome: 'succeeded' },
    refunds: [],
  }
}

const created = (body) => {
  const id = randomUUID()
  const payment_url = `http://127.0.0.1:${port}/pay/${id}`
  return { payment: payment(id, body), payment_url, mode: 'test', idempotent: false, simulator: 'succeeded' }
}
const STORED = payment(randomUUID(), { amount: 150_000, currency: 'RUB', order_id: 'A-1', metadata: {} })

if (kind === 'hono') {
  const [{ Hono }, { serve }] = await Promise.all([import('hono'), import('@hono/node-server')])
  const app = new Hono()
  app.post('/v1/public/payments', async (c) => c.json(created(await c.req.json()), 201))
  app.get('/v1/public/payments/:id', (c) => c.json({ ...STORED, id: c.req.param('id') }))
  serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' }, () => console.log('ready'))
} else {
  createServer((request, response) => {
    if (request.method === 'GET') {
      respond(response, 200, { ...STORED, id: request.url.slice(request.url.lastIndexOf('/') + 1) })
      return
    }
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => respond(response, 201, created(JSON.parse(Buffer.concat(chunks).toString()))))
  }).listen(Number(port), '127.0.0.1', () => console.log('ready'))
}

function respond(response, status, body) {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}
