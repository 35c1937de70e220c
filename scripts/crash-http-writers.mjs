// 32 shops' processes in one: each creates payments, refunds and payouts as fast as it is answered.
import { Pool } from 'undici'

const WRITERS = 32
const KEY = 'sk_test_local0_psp0development0key0not0a0secret'
const BASE = '/v1/public'

/** One request with a key of its own; its answer may be lost and is then asked for again. */
export async function post(pool, { path, key, body }) {
  const { statusCode, body: reply } = await pool.request({
    method: 'POST',
    path: BASE + path,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
  const answer = await reply.json()
  return { status: statusCode, id: answer.payment?.id ?? answer.payout?.id ?? answer.id, answer }
}

export function createWriters(books) {
  let last = 0
  /** Asked, but the answer never came. */
  const inDoubt = new Set()
  return { run, settle }

  /** Until the server is gone. */
  async function run(url) {
    const pool = new Pool(url, { connections: WRITERS })
    await Promise.all(Array.from({ length: WRITERS }, () => write(pool)))
    await pool.destroy()
  }

  /** What a shop does after a lost answer: the same request, with the same key. */
  async function settle(url) {
    const pool = new Pool(url, { connections: WRITERS })
    const requests = [...inDoubt]
    await Promise.all(requests.map((request) => perform(pool, request)))
    await pool.close()
    if (inDoubt.size > 0) throw new Error(`${inDoubt.size} requests got no answer from a server that runs.`)
  }

  async function write(pool) {
    while (await perform(pool, next()));
  }

  function next() {
    const key = `key-${++last}`
    const draw = Math.random()
    const paid = draw < 0.25 ? books.somePayment() : undefined
    if (paid !== undefined) {
      return { kind: 'refunds', key, path: `/payments/${paid}/refund`, body: { amount: 1, reason: key } }
    }
    if (draw > 0.85) {
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

  /** @returns false when the server is gone */
  async function perform(pool, request) {
    inDoubt.add(request)
    try {
      const { status, id, answer } = await post(pool, request)
      inDoubt.delete(request)
      if (status === 200 || status === 201) books.acknowledge(request, id)
      else if (status !== 409) throw new Error(`${request.path} answered ${status}: ${JSON.stringify(answer)}`)
      return true
    } catch (error) {
      if (error.message.includes(' answered ')) throw error
      return false
    }
  }
}
