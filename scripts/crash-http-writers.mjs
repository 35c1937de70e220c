// Simulates 32 clients of a shop. Each creates payments, refunds and payouts as fast as it gets responses.
import { Pool } from 'undici'

const WRITERS = 32
const KEY = 'sk_test_local0_psp0development0key0not0a0secret'
const BASE = '/v1/public'

/** Sends a request with its idempotency key. If the response is lost, the request can be repeated. */
export async function post(pool, { path, key, body }) {
  const { statusCode, body: stream } = await pool.request({
    method: 'POST',
    path: BASE + path,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
  const json = await stream.json()
  return { status: statusCode, id: json.payment?.id ?? json.payout?.id ?? json.id, json }
}

export function createWriters(ledger) {
  let last = 0
  /** Requests without a response. */
  const unacknowledged = new Set()
  return { run, repeatUnacknowledged }

  /** Runs all writers until the server exits. */
  async function run(url) {
    const pool = new Pool(url, { connections: WRITERS })
    await Promise.all(Array.from({ length: WRITERS }, () => write(pool)))
    await pool.destroy()
  }

  /** Repeats each request without a response with the same key, as a shop would do. */
  async function repeatUnacknowledged(url) {
    const pool = new Pool(url, { connections: WRITERS })
    const requests = [...unacknowledged]
    await Promise.all(requests.map((request) => send(pool, request)))
    await pool.close()
    if (unacknowledged.size > 0)
      throw new Error(`${unacknowledged.size} requests got no response from a running server.`)
  }

  async function write(pool) {
    while (await send(pool, createRequest()));
  }

  function createRequest() {
    const key = `key-${++last}`
    const random = Math.random()
    const paid = random < 0.25 ? ledger.pickPayment() : undefined
    if (paid !== undefined) {
      return { kind: 'refunds', key, path: `/payments/${paid}/refund`, body: { amount: 1, reason: key } }
    }
    if (random > 0.85) {
      const recipient = { phone: '+79161234567', bank_id: '100000000004', full_name: 'Ivan' }
      return {
        kind: 'payouts',
        key,
        path: '/payouts',
        body: { amount: 10_000 + last, method: 'payouts_sbp', ...recipient },
      }
    }
    const payment = {
      amount: 1_000_000,
      currency: 'RUB',
      method: 'sbp',
      order_id: key,
      description: 'x'.repeat(last % 500),
    }
    return { kind: 'payments', key, path: '/payments', body: payment }
  }

  /**
   * Sends a request and records its result.
   * @returns false if the server has exited
   */
  async function send(pool, request) {
    unacknowledged.add(request)
    try {
      const { status, id, json } = await post(pool, request)
      unacknowledged.delete(request)
      if (status === 200 || status === 201) ledger.acknowledge(request, id)
      else if (status !== 409) throw new Error(`${request.path} responded with ${status}: ${JSON.stringify(json)}`)
      return true
    } catch (error) {
      if (error.message.includes(' responded with ')) throw error
      return false
    }
  }
}
