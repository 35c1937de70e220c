// A small shop in plain Node: it sells one thing, takes money through the payment service, and trusts webhooks alone.
import { createServer } from 'node:http'
import { verifyWebhook } from 'psp-sandbox/webhooks'

/**
 * @param {object} options
 * @param {string} options.pspUrl base url of the payment service, without a slash at its end
 * @param {string} options.apiKey `sk_…`
 * @param {string} options.webhookSecret `whs_…`
 * @param {string} [options.hooksUrl] where webhooks of its payments go; absent: to the endpoints of the dashboard
 */
export function createShop({ pspUrl, apiKey, webhookSecret, hooksUrl }) {
  const orders = new Map()
  const handled = new Set()

  async function order(id, amount) {
    const reply = await fetch(`${pspUrl}/v1/public/payments`, {
      method: 'POST',
      // A retry after a broken connection must not make a second payment.
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', 'Idempotency-Key': id },
      body: JSON.stringify({ amount, method: 'sbp', order_id: id, ...(hooksUrl && { webhook_url: hooksUrl() }) }),
    })
    if (!reply.ok) throw new Error(`The payment service answered ${reply.status}.`)
    const { payment, payment_url } = await reply.json()
    orders.set(id, { id, amount, payment: payment.id, status: 'waiting', pay_at: payment_url })
    return orders.get(id)
  }

  /** Answers the HTTP status for a webhook. */
  function webhook(rawBody, headers) {
    const result = verifyWebhook(rawBody, headers, webhookSecret)
    if (!result.valid) return 400
    const { id, event, data } = result.event
    // The same event may come more than once.
    if (handled.has(id)) return 200
    handled.add(id)
    const known = orders.get(data.order_id)
    if (event === 'payment.succeeded' && known?.amount === data.amount) known.status = 'paid'
    if (event === 'payment.failed') known.status = 'declined'
    return 200
  }

  return { order, webhook, orders }
}

/** `POST /orders/<id>` with `{amount}`, `GET /orders/<id>`, `POST /hooks`. */
export function serveShop(shop) {
  return createServer(async (request, response) => {
    const parts = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts)
    const id = /^\/orders\/([\w-]+)$/.exec(request.url)?.[1]
    const answer = (status, value) => response.writeHead(status).end(value && JSON.stringify(value))
    if (request.url === '/hooks') return answer(shop.webhook(body, request.headers))
    if (id === undefined) return answer(404)
    if (request.method === 'POST') return answer(201, await shop.order(id, JSON.parse(body).amount))
    return answer(shop.orders.has(id) ? 200 : 404, shop.orders.get(id))
  })
}
