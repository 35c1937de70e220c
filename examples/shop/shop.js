// A small shop in plain Node: it sells one thing, takes money through the payment service, and trusts webhooks alone.
import { createServer } from 'node:http'
import { verifyWebhook } from 'psp-sandbox/webhooks'

/** What a payment can become: a later state never gives way to an earlier one, in whatever order webhooks come. */
const STATES = ['pending', 'processing', 'expired', 'cancelled', 'failed', 'succeeded', 'refunded']
const rank = (status) => STATES.indexOf(status)
const isPaid = ({ status }) => rank(status) >= rank('succeeded')
const isClosed = ({ status }) => rank(status) > rank('processing')

/** An answer to the caller that is not the one he wished for. */
export class ShopError extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/**
 * @param {object} options
 * @param {string} options.pspUrl base url of the payment service, without a slash at its end
 * @param {string} options.apiKey `sk_…`
 * @param {string} options.webhookSecret `whs_…`
 * @param {() => string} [options.hooksUrl] where webhooks of its payments go; absent: to the endpoints of the dashboard
 */
export function createShop({ pspUrl, apiKey, webhookSecret, hooksUrl }) {
  // Tables of a database, in a shop that sells: what was ordered, what the service last told of each payment, and which
  // payment a refund is of.
  const orders = new Map()
  const payments = new Map()
  const refunds = new Map()
  const paymentsOf = (id) => [...payments.values()].filter(({ order }) => order === id)

  /** Asking again for an order asks for the same payment, until that one is closed. */
  async function order(id, amount) {
    if (!Number.isSafeInteger(amount) || amount < 1) throw new ShopError(400, 'amount is a whole number of kopeks.')
    // Stored before the request: the webhook may come before the answer, and the answer may never come.
    if (!orders.has(id)) orders.set(id, { id, amount })
    const { amount: agreed } = orders.get(id)
    if (agreed !== amount) throw new ShopError(409, `Order ${id} is for ${agreed}.`)
    const tries = paymentsOf(id)
    if (tries.some(isPaid)) return view(id)
    // One key for one try: a retry after a broken connection must not make a second payment.
    const { payment, payment_url } = await call('/payments', `${id}-${tries.filter(isClosed).length + 1}`, {
      amount,
      method: 'sbp',
      order_id: id,
      ...(hooksUrl && { webhook_url: hooksUrl() }),
    })
    keep(payment)
    orders.get(id).pay_at = payment_url
    return view(id)
  }

  /** @param key the refund's own id: two clicks with one pay back once. @param amount absent: all that is left */
  async function refund(id, key, amount) {
    const own = `${id}-${key}`
    const open = paymentsOf(id).find((payment) => isPaid(payment) && payment.refunded < payment.amount)
    const payment = refunds.get(own) ?? open?.id
    if (payment === undefined) throw new ShopError(409, `Nothing of order ${id} can be paid back.`)
    refunds.set(own, payment)
    return await call(`/payments/${payment}/refund`, `refund-${own}`, amount === undefined ? {} : { amount })
  }

  /** Answers the HTTP status for a webhook: 2xx once what it says is kept, and only then. */
  function webhook(rawBody, headers) {
    const result = verifyWebhook(rawBody, headers, webhookSecret)
    if (!result.valid) return 400
    // Names that a later version sends are taken, too. Coming twice does no harm: what is kept is a state, not a sum.
    if (result.event.event.startsWith('payment.')) keep(result.event.data)
    return 200
  }

  /** Also of an order nobody placed here: its money came, and a person must look at it. */
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

  /** What there is to say of an order; nothing where there is none. */
  function view(id) {
    const order = orders.get(id)
    const tries = paymentsOf(id)
    if (order === undefined && tries.length === 0) return undefined
    const paid = tries.filter(isPaid)
    const received = sum(paid, 'amount')
    const refunded = sum(paid, 'refunded')
    const status = statusOf(order, tries, received, refunded)
    // Paid in two tabs: what is too much is paid back.
    const due_back = Math.max(0, received - refunded - (order?.amount ?? 0))
    return { ...order, id, status, received, refunded, due_back, payments: tries }
  }

  async function call(path, key, body) {
    let reply
    let answer
    try {
      reply = await fetch(`${pspUrl}/v1/public${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify(body),
      })
      answer = await reply.json()
    } catch {
      throw new ShopError(503, 'The payment service did not answer. Try again: nothing is paid twice.')
    }
    if (reply.ok) return answer
    const { message } = answer.error
    if (reply.status === 429 || reply.status >= 500) throw new ShopError(503, `Try again later: ${message}`)
    // A key or signature of ours that is wrong is nothing a buyer can mend.
    throw new ShopError(reply.status === 401 || reply.status === 403 ? 500 : reply.status, message)
  }

  /** What is in the till, over all orders. */
  const balance = () => [...payments.values()].filter(isPaid).reduce((left, one) => left + one.amount - one.refunded, 0)

  return { order, refund, webhook, view, balance }
}

const sum = (payments, field) => payments.reduce((total, payment) => total + payment[field], 0)

function statusOf(order, tries, received, refunded) {
  if (received > 0 && refunded === received) return 'refunded'
  if (received > 0 && order === undefined) return 'unclaimed'
  if (received > 0) return received >= order.amount ? 'paid' : 'underpaid'
  // A try that failed or ran out closes itself, and the order waits for another.
  return tries.length > 0 && tries.every(isClosed) ? 'declined' : 'waiting'
}

/** `POST /orders/<id>` `{amount}`, `POST /orders/<id>/refunds/<refund>` `{amount?}`, `GET /orders/<id>`, `GET /balance`, `POST /hooks`. */
export function serveShop(shop) {
  return createServer(async (request, response) => {
    const answer = (status, value) =>
      response.writeHead(status).end(value === undefined ? value : JSON.stringify(value))
    try {
      const parts = []
      for await (const part of request) parts.push(part)
      await route(shop, request, Buffer.concat(parts), answer)
    } catch (error) {
      if (error instanceof ShopError) return answer(error.status, { error: error.message })
      // After a 500 the service sends the webhook again.
      console.error(error)
      answer(500, { error: 'This is a fault of ours.' })
    }
  })
}

async function route(shop, { method, url, headers }, body, answer) {
  if (method === 'POST' && url === '/hooks') return answer(shop.webhook(body, headers))
  if (method === 'GET' && url === '/balance') return answer(200, shop.balance())
  const [, id, refund] = /^\/orders\/([\w-]{1,40})(?:\/refunds\/([\w-]{1,16}))?$/.exec(url) ?? []
  if (method === 'POST' && refund) return answer(201, await shop.refund(id, refund, amountIn(body)))
  if (method === 'POST' && id) return answer(201, await shop.order(id, amountIn(body)))
  const view = method === 'GET' && !refund ? shop.view(id) : undefined
  answer(view === undefined ? 404 : 200, view)
}

function amountIn(body) {
  try {
    return body.length === 0 ? undefined : JSON.parse(body).amount
  } catch {
    throw new ShopError(400, 'The body is no JSON.')
  }
}
