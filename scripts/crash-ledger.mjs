// What was acknowledged, and the checks that it is there, once.
import { Pool } from 'undici'
import { post } from './crash-http-writers.mjs'

/** Acknowledgements looked at after every kill; all of them are at the end. */
const NEWEST = 500

export function createBooks() {
  const kept = []
  const payments = []
  let paying = 0
  return {
    acknowledge(request, id) {
      kept.push({ ...request, id })
      if (request.kind === 'payments') payments.push(id)
    },
    /** One that had time to be paid. */
    somePayment: () => (payments.length < 200 ? undefined : payments[paying++ % (payments.length - 100)]),
    counts() {
      const counts = { payments: 0, refunds: 0, payouts: 0 }
      for (const { kind } of kept) counts[kind]++
      return counts
    },
    checkNewest: (url) => replayAll(url, kept.slice(-NEWEST)),
    async checkAll(url, receiver) {
      await replayAll(url, kept)
      await checkLists(url, kept, receiver)
    },
  }
}

/** Each key must answer with the object it was answered with. */
async function replayAll(url, requests) {
  const pool = new Pool(url, { connections: 32 })
  const queue = [...requests]
  const worker = async () => {
    for (let request = queue.pop(); request !== undefined; request = queue.pop()) {
      const { status, id } = await post(pool, request)
      if (status === 200 && id === request.id) continue
      throw new Error(`${request.kind} ${request.key}: acknowledged as ${request.id}, now ${status} ${id}`)
    }
  }
  await Promise.all(Array.from({ length: 32 }, worker))
  await pool.close()
}

/** No object more than was acknowledged; an event for each final payment and payout, one for each refund; all delivered. */
async function checkLists(url, kept, receiver) {
  const pool = new Pool(url, { connections: 4 })
  const advanced = await pool.request({
    method: 'POST',
    path: '/_psp/clock/advance',
    headers: { 'content-type': 'application/json' },
    body: '{"until":"idle"}',
  })
  await advanced.body.dump()
  const stored = {}
  for (const kind of ['payments', 'refunds', 'payouts', 'events', 'deliveries']) stored[kind] = await list(pool, kind)
  await pool.close()
  for (const kind of ['payments', 'refunds', 'payouts']) {
    const ids = new Set(kept.filter((each) => each.kind === kind).map(({ id }) => id))
    const known = new Set(stored[kind].map(({ id }) => id))
    if (known.size !== stored[kind].length) throw new Error(`${kind}: one is listed twice`)
    same(`${kind} acknowledged and stored`, ids.size, known.size)
    for (const id of ids) if (!known.has(id)) throw new Error(`${kind}: ${id} is lost`)
  }
  const orders = new Set(stored.payments.map(({ order_id }) => order_id))
  same('payments and orders', stored.payments.length, orders.size)

  const events = countBy(stored.events, ({ event, object_id }) => `${event} ${object_id}`)
  const refunds = countBy(stored.refunds, ({ payment_id }) => payment_id)
  for (const { id, status } of stored.payments) {
    if (status !== 'succeeded' && status !== 'refunded') throw new Error(`payment ${id} is ${status}`)
    same(`events payment.succeeded of ${id}`, events.get(`payment.succeeded ${id}`), 1)
    same(`events payment.refunded of ${id}`, events.get(`payment.refunded ${id}`) ?? 0, refunds.get(id) ?? 0)
  }
  for (const { id } of stored.payouts) same(`events payout.succeeded of ${id}`, events.get(`payout.succeeded ${id}`), 1)

  same('events and deliveries', stored.events.length, stored.deliveries.length)
  for (const { id, status } of stored.deliveries)
    if (status !== 'delivered') throw new Error(`delivery ${id} is ${status}`)
  for (const { id } of stored.events) if (!receiver.has(id)) throw new Error(`event ${id} never came to the receiver`)
  const known = new Set(stored.events.map(({ id }) => id))
  for (const id of receiver.ids()) if (!known.has(id)) throw new Error(`event ${id} came to the receiver and is lost`)
}

async function list(pool, kind) {
  const items = []
  for (let cursor; cursor !== null; ) {
    const query = cursor === undefined ? '' : `&cursor=${cursor}`
    const { body } = await pool.request({ method: 'GET', path: `/_psp/${kind}?limit=1000${query}` })
    const page = await body.json()
    items.push(...page.items)
    cursor = page.next_cursor
  }
  return items
}

function countBy(rows, key) {
  const counts = new Map()
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1)
  return counts
}

function same(what, one, other) {
  if (one !== other) throw new Error(`${what}: ${one} and ${other}`)
}
