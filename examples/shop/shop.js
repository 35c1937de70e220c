// A small shop in plain Node: it requests payments from the payment service, and trusts only signed webhooks.
import { createServer } from 'node:http'
import { verifyWebhook } from 'psp-sandbox/webhooks'

/** The states of a payment, in order. An earlier state never replaces a later one, because webhooks may arrive in any order. */
const STATES = ['pending', 'processing', 'expired', 'cancelled', 'failed', 'succeeded', 'refunded']
const rank = (status) => STATES.indexOf(status)
const isPaid = ({ status }) => rank(status) >= rank('succeeded')
const isClosed = ({ status }) => rank(status) > rank('processing')

/** An error that the shop returns to its client, with an HTTP status. */
export class ShopError extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/**
 * @param {object} options
 * @param {string} options.pspUrl base URL of the payment service, without a final slash
 * @param {string} options.apiKey `sk_…`
 * @param {string} options.webhookSecret `whs_…`
 * @param {() => string} [options.hooksUrl] returns the URL for the webhooks of the shop's payments; default: the endpoints that the service knows
 */
export function createShop({ pspUrl, apiKey, webhookSecret, hooksUrl }) {
  // In a real shop these are tables of a database: the orders, the latest state of each payment, and the payment of each
  // refund.
  const orders = new Map()
  const payments = new Map()
  const refunds = new Map()
  const paymentsOf = (id) => [...payments.values()].filter(({ order }) => order === id)

  /** Creates a payment for the order. A repeated call returns the same payment until that one is closed. */
  async function order(id, amount) {
    if (!Number.isSafeInteger(amount) || amount < 1) throw new ShopError(400, 'amount is a whole number of kopeks.')
    // Store the order first: its webhook may arrive before the response, and the response may be lost.
    if (!orders.has(id)) orders.set(id, { id, amount })
    const { amount: agreed } = orders.get(id)
    if (agreed !== amount) throw new ShopError(409, `Order ${id} is for ${agreed}.`)
    const attempts = paymentsOf(id)
    if (attempts.some(isPaid)) return view(id)
    // Each attempt has one key, so that a retry after a broken connection does not create a second payment.
    const { payment, payment_url } = await call('/payments', `${id}-${attempts.filter(isClosed).length + 1}`, {
      amount,
      method: 'sbp',
      order_id: id,
      ...(hooksUrl && { webhook_url: hooksUrl() }),
    })
    keep(payment)
    orders.get(id).pay_at = payment_url
    return view(id)
  }

  /** @param key id of the refund; two clicks with the same key refund once. @param amount default: the remainder */
  async function refund(id, key, amount) {
    const refundId = `${id}-${key}`
    const open = paymentsOf(id).find((payment) => isPaid(payment) && payment.refunded < payment.amount)
    const payment = refunds.get(refundId) ?? open?.id
    if (payment === undefined) throw new ShopError(409, `Order ${id} has nothing left to refund.`)
    refunds.set(refundId, payment)
    return await call(`/payments/${payment}/refund`, `refund-${refundId}`, amount === undefined ? {} : { amount })
  }

  /** Returns the HTTP status for a webhook: 2xx only after its state is stored. */
  function webhook(rawBody, headers) {
    const result = verifyWebhook(rawBody, headers, webhookSecret)
    if (!result.valid) return 400
    // Accept unknown events of later versions. Duplicates do no harm, because a state is stored and not a sum.
    if (result.event.event.startsWith('payment.')) keep(result.event.data)
    return 200
  }

  /** Also stores payments for unknown orders: the money was received, and a person must check it. */
  function keep({ id, order_id, amount, amount_refunded, status }) {
    const known = payments.get(id)
    payments.set(id, {
      id,
      order: order_id,
      amount,
      refunded: Math.max(known?.refunded ?? 0, amount_refunded),
      status: known !== undefined && rank(known.status) > rank(status) ? known.status : status,
    })
  }

  /** Returns an order with its payments, or undefined if there is none. */
  function view(id) {
    const order = orders.get(id)
    const attempts = paymentsOf(id)
    if (order === undefined && attempts.length === 0) return undefined
    const paid = attempts.filter(isPaid)
    const received = sum(paid, 'amount')
    const refunded = sum(paid, 'refunded')
    const status = statusOf(order, attempts, received, refunded)
    // An order may be paid in two tabs. The excess must be refunded.
    const due_back = Math.max(0, received - refunded - (order?.amount ?? 0))
    return { ...order, id, status, received, refunded, due_back, payments: attempts }
  }

  async function call(path, key, body) {
    let response
    let result
    try {
      response = await fetch(`${pspUrl}/v1/public${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify(body),
      })
      result = await response.json()
    } catch {
      throw new ShopError(503, 'The payment service did not respond. Try again: nothing is paid twice.')
    }
    if (response.ok) return result
    const { message } = result.error
    if (response.status === 429 || response.status >= 500) throw new ShopError(503, `Try again later: ${message}`)
    // An invalid key or signature is an error of the shop, which a buyer cannot fix.
    throw new ShopError(response.status === 401 || response.status === 403 ? 500 : response.status, message)
  }

  /** The money received minus the money refunded, over all orders. */
  const balance = () => [...payments.values()].filter(isPaid).reduce((left, one) => left + one.amount - one.refunded, 0)

  return { order, refund, webhook, view, balance }
}

const sum = (payments, field) => payments.reduce((total, payment) => total + payment[field], 0)

function statusOf(order, attempts, received, refunded) {
  if (received > 0 && refunded === received) return 'refunded'
  if (received > 0 && order === undefined) return 'unclaimed'
  if (received > 0) return received >= order.amount ? 'paid' : 'underpaid'
  // A failed or expired payment is closed, and the buyer may pay again.
  return attempts.length > 0 && attempts.every(isClosed) ? 'declined' : 'waiting'
}

/** `POST /orders/<id>` `{amount}`, `POST /orders/<id>/refunds/<refund>` `{amount?}`, `GET /orders/<id>`, `GET /balance`, `POST /hooks`. */
export function serveShop(shop) {
  return createServer(async (request, response) => {
    const respond = (status, value) =>
      response.writeHead(status).end(value === undefined ? value : JSON.stringify(value))
    try {
      const parts = []
      for await (const part of request) parts.push(part)
      await route(shop, request, Buffer.concat(parts), respond)
    } catch (error) {
      if (error instanceof ShopError) return respond(error.status, { error: error.message })
      // After a 500 the service sends the webhook again.
      console.error(error)
      respond(500, { error: 'Internal error of the shop.' })
    }
  })
}

async function route(shop, { method, url, headers }, body, respond) {
  if (method === 'POST' && url === '/hooks') return respond(shop.webhook(body, headers))
  if (method === 'GET' && url === '/balance') return respond(200, shop.balance())
  const [, id, refund] = /^\/orders\/([\w-]{1,40})(?:\/refunds\/([\w-]{1,16}))?$/.exec(url) ?? []
  if (method === 'POST' && refund) return respond(201, await shop.refund(id, refund, amountIn(body)))
  if (method === 'POST' && id) return respond(201, await shop.order(id, amountIn(body)))
  const view = method === 'GET' && !refund ? shop.view(id) : undefined
  respond(view === undefined ? 404 : 200, view)
}

function amountIn(body) {
  try {
    return body.length === 0 ? undefined : JSON.parse(body).amount
  } catch {
    throw new ShopError(400, 'The body is not valid JSON.')
  }
}
