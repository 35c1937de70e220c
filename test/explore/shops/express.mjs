// A shop in Express that keeps its orders in memory. The variable BUG plants one bug.
import express from 'express'

const BUG = process.env.BUG ?? ''
const FAILED = ['failed', 'expired', 'cancelled']
const RANK = [...FAILED, 'succeeded', 'refunded']
/** Payments by id. */
const payments = new Map()
/** The last status of each order, for a shop that keeps only this. */
const lastStatus = new Map()
const paidOut = new Map()
let surplus = 0

const pause = () => new Promise((resolve) => setTimeout(resolve, 2))

async function handle({ event, data }) {
  if (event.startsWith('payout.')) {
    if (event === 'payout.succeeded') paidOut.set(data.id, data.amount)
    return
  }
  const known = payments.get(data.id)
  if (BUG === 'credits each copy' && event === 'payment.succeeded' && known?.status === 'succeeded')
    surplus += data.amount
  if (BUG === 'writes back an old row') await pause()
  const status = RANK.indexOf(data.status) > RANK.indexOf(known?.status ?? '') ? data.status : known.status
  const refunded = Math.max(known?.refunded ?? 0, data.amount_refunded)
  payments.set(data.id, { order: data.order_id, amount: data.amount, refunded, status })
  lastStatus.set(data.order_id, data.status)
}

function view(order) {
  const all = [...payments.values()].filter((payment) => payment.order === order)
  if (all.length === 0) return undefined
  const paid = all.filter(({ status }) => !FAILED.includes(status))
  const received = paid.reduce((sum, { amount }) => sum + amount, 0)
  const refunded = paid.reduce((sum, one) => sum + one.refunded, 0)
  const isRefunded = received > 0 && paid.every((one) => one.refunded >= one.amount)
  const derived = received === 0 ? 'open' : isRefunded ? 'refunded' : refunded > 0 ? 'partly_refunded' : 'paid'
  return { status: BUG === 'shows the last status' ? lastStatus.get(order) : derived, received, refunded }
}

function balance() {
  const orders = new Set([...payments.values()].map(({ order }) => order))
  const sums = [...orders].map(view).reduce((sum, { received, refunded }) => sum + received - refunded, surplus)
  return sums - [...paidOut.values()].reduce((sum, amount) => sum + amount, 0)
}

const app = express()
app.post('/hooks', express.json(), async (request, response) => {
  await handle(request.body)
  response.sendStatus(200)
})
app.get('/orders/:id', (request, response) => {
  const order = view(request.params.id)
  if (order === undefined) response.sendStatus(404)
  else response.json(order)
})
app.get('/balance', (_, response) => response.json({ balance: balance() }))
const server = app.listen(0, '127.0.0.1', () => console.log(`PORT ${server.address().port}`))
