// Records acknowledged requests, and checks that each object is stored exactly once.
import { Pool } from 'undici'
import { post } from './crash-http-writers.mjs'

/** The number of acknowledged requests that are checked after a kill. At the end all are checked. */
const NEWEST = 500

export function createLedger() {
  const acknowledged = []
  const payments = []
  let nextPayment = 0
  return {
    acknowledge(request, id) {
      acknowledged.push({ ...request, id })
      if (request.kind === 'payments') payments.push(id)
    },
    /** Returns a payment that is old enough to be paid. */
    pickPayment: () => (payments.length < 200 ? undefined : payments[nextPayment++ % (payments.length - 100)]),
    counts() {
      const counts = { payments: 0, refunds: 0, payouts: 0 }
      for (const { kind } of acknowledged) counts[kind]++
      return counts
    },
    checkNewest: (url) => replayAll(url, acknowledged.slice(-NEWEST)),
    async checkAll(url, receiver) {
      await replayAll(url, acknowledged)
      await checkLists(url, acknowledged, receiver)
    },
  }
}

/** Repeats the requests. Each idempotency key must return the same object as before. */
async function replayAll(url, requests) {
  const pool = new Pool(url, { connections: 32 })
  const queue = [...requests]
  const worker = async () => {
    for (let request = queue.pop(); request !== undefined; request = queue.pop()) {
      const { status, id } = await post(pool, request)
      if (status === 200 && id === request.id) continue
      throw new Error(`${request.kind} ${request.key}: the first response had ${request.id}, this one ${status} ${id}`)
    }
  }
  await Promise.all(Array.from({ length: 32 }, worker))
  await pool.close()
}

/**
 * Checks that exactly the acknowledged objects are stored, that each payment, each refund and each payout has one event
 * of its success, and that all events are delivered.
 */
async function checkLists(url, acknowledged, receiver) {
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
    const ids = new Set(acknowledged.filter((each) => each.kind === kind).map(({ id }) => id))
    const storedIds = new Set(stored[kind].map(({ id }) => id))
    if (storedIds.size !== stored[kind].length) throw new Error(`${kind}: an object is listed twice`)
    assertEqual(`${kind} acknowledged and stored`, ids.size, storedIds.size)
    for (const id of ids) if (!storedIds.has(id)) throw new Error(`${kind}: ${id} is lost`)
  }
  const orders = new Set(stored.payments.map(({ order_id }) => order_id))
  assertEqual('payments and orders', stored.payments.length, orders.size)

  const events = countBy(stored.events, ({ event, object_id }) => `${event} ${object_id}`)
  const refunds = countBy(stored.refunds, ({ payment_id }) => payment_id)
  for (const { id, status } of stored.payments) {
    if (status !== 'succeeded' && status !== 'refunded') throw new Error(`payment ${id} is ${status}`)
    assertEqual(`events payment.succeeded of ${id}`, events.get(`payment.succeeded ${id}`), 1)
    assertEqual(`events payment.refunded of ${id}`, events.get(`payment.refunded ${id}`) ?? 0, refunds.get(id) ?? 0)
  }
  for (const { id } of stored.payouts)
    assertEqual(`events payout.succeeded of ${id}`, events.get(`payout.succeeded ${id}`), 1)

  assertEqual('events and deliveries', stored.events.length, stored.deliveries.length)
  for (const { id, status } of stored.deliveries)
    if (status !== 'delivered') throw new Error(`delivery ${id} is ${status}`)
  for (const { id } of stored.events) if (!receiver.has(id)) throw new Error(`the receiver never got event ${id}`)
  const eventIds = new Set(stored.events.map(({ id }) => id))
  for (const id of receiver.ids())
    if (!eventIds.has(id)) throw new Error(`the receiver got event ${id}, but it is lost`)
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

function assertEqual(what, a, b) {
  if (a !== b) throw new Error(`${what}: ${a} and ${b}`)
}
