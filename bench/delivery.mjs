// What webhooks and the event stream carry. `node bench/delivery.mjs [rate | delay | stream | hanging …]`, default all four.
// Needs `npm run build`. Server, journal on, in a process of its own; receivers, readers and load share this one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { percentile, receiver, startServer, steadily, until } from './delivery-setup.mjs'
import { report, shown, spread } from './report.mjs'

/** Read by `bench/run.mjs`. */
export const MEASURES = 'webhook deliveries a second, delay of the first attempt, stream clients, hanging receivers'

const BARE = fileURLToPath(new URL('./bare-sender.mjs', import.meta.url))
const PAYMENTS = 20_000
const ROUNDS = 3
/** Of load before what counts, so that compiled code is measured. */
const WARM = 3
const SECONDS = 6
const PARTS = { rate, delay, stream, hanging }

const wanted = process.argv.slice(2).map((word) => word.replace(/^--/, ''))
const rows = []
for (const [name, part] of Object.entries(PARTS))
  if (wanted.length === 0 || wanted.includes(name)) rows.push(await part())
report('Webhooks and stream', rows, [
  'Delay: from the instant of the commit (`created_at`) to the last byte at the receiver, in whole ms. Of delays the best round counts.',
])
if (rows.some(({ held }) => held === 'no')) process.exitCode = 1

/** Every payment is due at one instant of a frozen clock: settled, its webhook sent, answered and recorded. */
async function rate() {
  const rates = []
  for (let round = 0; round < ROUNDS; round++) {
    const times = []
    const to = await receiver((_, at) => times.push(at))
    const server = await startServer(['--clock', 'frozen', '--endpoint', to.url])
    await steadily(2500, PAYMENTS / 2500, () => server.create())
    await server.call('POST', '/_psp/clock/advance', { by: '2s' })
    rates.push((times.length - 1) / ((times.at(-1) - times[0]) / 1000))
    if (times.length !== PAYMENTS) throw new Error(`${times.length} of ${PAYMENTS} webhooks arrived.`)
    await server.close()
    to.close()
  }
  const { median } = spread(rates)
  return row('deliveries to one local receiver', `${shown(spread(rates))} /s`, '>= 3000 /s', median >= 3000)
}

/** The best round counts: other work on the machine only ever adds to a delay. */
async function delay() {
  const [p50, p99, machine] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    machine.push(percentile(await bare(), 0.99))
    const delays = await run({ receivers: 1, hanging: 0 })
    p50.push(percentile(delays, 0.5))
    p99.push(percentile(delays, 0.99))
  }
  const text = `p50 ${shown(spread(p50))} ms, p99 ${shown(spread(p99))} ms; a bare sender p99 ${shown(spread(machine))} ms`
  return row('first attempt at 500 payments/s', text, 'p99 <= 50 ms', spread(p99).min <= 50)
}

/** What the machine itself takes at this rate. */
async function bare() {
  const delays = []
  const to = await receiver((body, at) => delays.push(at - Date.parse(JSON.parse(body).created_at)))
  const child = spawn(process.execPath, [BARE, to.url, '500', String(SECONDS)], { stdio: 'inherit' })
  await once(child, 'exit')
  to.close()
  return delays
}

/** In turn, the best round of each. */
async function hanging() {
  const [without, beside] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    without.push(percentile(await run({ receivers: 10, hanging: 0 }), 0.99))
    beside.push(percentile(await run({ receivers: 10, hanging: 1 }), 0.99))
  }
  const ratio = spread(beside).min / Math.max(1, spread(without).min)
  const text = `p99 ${shown(spread(beside))} ms beside it, ${shown(spread(without))} ms without: x${ratio.toFixed(2)}`
  return row('1 receiver in 10 hangs, 500 payments/s', text, '<= x1.5', ratio <= 1.5)
}

/** 500 payments/s in turn to each receiver's own url; the delays of those that answer, in ms. */
async function run({ receivers, hanging }) {
  const server = await startServer()
  const delays = []
  const places = []
  for (let i = 0; i < receivers; i++) {
    const hangs = i < hanging
    const arrived = (body, at) => hangs || delays.push(at - Date.parse(JSON.parse(body).created_at))
    places.push(await receiver(arrived, { hangs }))
  }
  const load = async (seconds) => {
    const expected = delays.length + 500 * seconds * ((receivers - hanging) / receivers)
    await steadily(500, seconds, (n) => server.create({ webhook_url: places[n % receivers].url }))
    if (await until(() => delays.length >= expected, 30_000)) return
    throw new Error(`${delays.length} of ${expected} webhooks arrived.`)
  }
  await load(WARM)
  delays.length = 0
  await load(SECONDS)
  for (const place of places) place.close()
  await server.close()
  return delays
}

/** 100 keys of one shop, each with a stream; three messages a payment, so that 500 events/s go to each. */
async function stream() {
  const server = await startServer()
  const clients = []
  for (let i = 0; i < 100; i++) {
    const { api_key } = await server.call('POST', `/_psp/shops/${server.shop_id}/keys`, { mode: 'test' })
    clients.push(await reader(server.url, api_key))
  }
  const perSecond = Math.ceil(500 / 3)
  await steadily(perSecond, SECONDS, () => server.create())
  const expected = perSecond * SECONDS * 3
  await until(() => clients.every(({ seen }) => seen() >= expected), 20_000)
  const total = clients.reduce((sum, { seen }) => sum + seen(), 0)
  const lost = expected * clients.length - total
  for (const client of clients) client.close()
  await server.close()
  return row('100 stream clients x 500 events/s', `${total} messages, ${lost} lost`, 'none lost', lost === 0)
}

function reader(url, key) {
  return new Promise((resolve, reject) => {
    let seen = 0
    let rest = ''
    const request = get(`${url}/v1/public/events`, { agent: false, headers: { authorization: `Bearer ${key}` } })
    request.on('error', reject)
    request.on('response', (response) => {
      response.setEncoding('utf8')
      response.on('error', () => {})
      response.on('data', (text) => {
        const messages = (rest + text).split('\n\n')
        rest = messages.pop() ?? ''
        for (const message of messages) if (message.startsWith('event: ')) seen++
      })
      resolve({ seen: () => seen, close: () => request.destroy() })
    })
  })
}

function row(what, measured, budget, held) {
  return { what, measured, budget, held: held ? 'yes' : 'no' }
}
