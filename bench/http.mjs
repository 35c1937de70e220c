// `npm run bench -- http [--rounds=5] [--seconds=2] [--only=create,peers,operations,latency,growth] [--stored=100000,1000000]`
import { PEERS, versionOf, YARDSTICKS } from './peers.mjs'
import { CORES, cpuTime, runOnLoadCore } from './processes.mjs'
import { ratios, report, shown, spread } from './report.mjs'
import { ask, create, HEADERS, PAYMENTS, read, serve } from './servers.mjs'
import { fillFolder } from './filled-directory.mjs'

export const MEASURES = 'the public API over HTTP: rates beside a bare server and peers, latency, growth'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const ROUNDS = Number(flags.rounds ?? 5)
const SECONDS = Number(flags.seconds ?? 2)
const CONNECTIONS = 32
const only = flags.only?.split(',') ?? ['create', 'peers', 'operations', 'latency', 'growth']

/** The simulator stands still: what is measured is the request alone. */
const STILL = ['--clock', 'frozen']
/** A bank that answers at once: payments are there to be refunded. */
const QUICK = ['--set', 'delays.session=0s', '--set', 'delays.bank=0s', '--set', 'delays.buyer=0s']

const refund = (id) => ({ method: 'POST', path: `${PAYMENTS}/${id}/refund`, headers: HEADERS, body: '{"amount":1}' })
const PAYOUT = {
  method: 'POST',
  path: '/v1/public/payouts',
  headers: HEADERS,
  body: '{"amount":100,"phone":"+79991234567","bank_id":"100000000111"}',
}

const HOW = `${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, in turn. ${CORES}`
const CPU =
  'µs of processor time are of the whole server process, its threads and the system calls included; they say more than rates where the machine has other work.'

if (only.includes('create')) await measureCreate()
if (only.includes('peers')) await measurePeers()
if (only.includes('operations')) await measureOperations()
if (only.includes('latency')) await measureLatency()
if (only.includes('growth')) await measureGrowth()

async function measureCreate() {
  const [bare, hono] = YARDSTICKS
  await compare(
    'Create a payment',
    [
      { ...bare, requests: [bare.create] },
      { ...hono, requests: [hono.create] },
      { name: 'psp serve', start: () => serve(), requests: [create()], goesOn: true },
      { name: 'psp serve, clock frozen', start: () => serve(STILL), requests: [create()] },
      { name: 'psp serve, memory only, frozen', start: () => serve(['--ephemeral', ...STILL]), requests: [create()] },
    ],
    [
      'Journal on, unless memory only. With the clock running, each payment goes on by itself: the buyer picks a method after 2 s, a bank session opens, the bank answers, an event is recorded. Its processor time is counted until that is done.',
    ],
  )
}

async function measurePeers() {
  const sandbox = {
    name: 'psp serve, clock frozen',
    start: () => serve(STILL),
    requests: [create()],
    keeps: 'payments in a data folder',
  }
  const all = [sandbox, ...PEERS.map((peer) => ({ ...peer, requests: peer.creates ?? [peer.create], warm: 3000 }))]
  await compare('Create, beside other servers for tests', all, [
    `The others: ${PEERS.map(({ name, keeps }) => `${versionOf(name)} keeps ${keeps}`).join('; ')}.`,
  ])
}

async function measureOperations() {
  const [bare, hono] = YARDSTICKS
  const sandbox = await serve(QUICK)
  const ids = await succeeded(sandbox.url, 2000)
  const unrefunded = ids.splice(0, 200)
  const shared = { ...sandbox, stop: async () => {} }
  const start = () => shared
  await compare(
    'Reads',
    [
      { ...bare, requests: [bare.get] },
      { ...hono, requests: [hono.get] },
      { name: 'get payment', start, requests: unrefunded.map((id) => read(`${PAYMENTS}/${id}`)) },
      { name: 'list banks', start, requests: [read('/v1/public/banks/sbp')] },
      { name: 'list payments (control API, 20)', start, requests: [read('/_psp/payments?limit=20')] },
    ],
    ['The lists are larger than a payment: 218 banks, and 20 payments.'],
  )
  await compare(
    'Refunds and payouts',
    [
      { ...bare, requests: [bare.create] },
      { ...hono, requests: [hono.create] },
      { name: 'refund', start, requests: ids.map(refund) },
      { name: 'payout', start, requests: [PAYOUT] },
    ],
    ['The yardsticks create a payment. Refunds and payouts settle and record their events in the same rate.'],
  )
  await sandbox.stop()
}

/** Paid payments, so many that each gets a few refunds only: a payment's event holds all of them. */
async function succeeded(url, count) {
  const ids = []
  for (let n = 0; n < count; n++) ids.push((await ask(url, create({ method: 'sbp', amount: 90_000_000 }))).payment.id)
  await until(async () => (await ask(url, read(`${PAYMENTS}/${ids.at(-1)}`))).status === 'succeeded')
  return ids
}

/** Requests at fixed instants, answered or not: what a client waits for under a load that does not wait for the server. */
async function measureLatency() {
  const rows = []
  for (const rate of [500, 2000, 5000]) {
    const server = await serve()
    const runs = []
    for (let round = 0; round < Math.min(ROUNDS, 3); round++) {
      runs.push(
        await runOnLoadCore('http-open-loop.mjs', { url: server.url, request: create(), rate, seconds: SECONDS * 2 }),
      )
    }
    await server.stop()
    const of = (name) => shown(spread(runs.map((run) => run[name])), 1)
    rows.push({
      'creates/s': rate,
      'p50 ms': of('p50'),
      'p99 ms': of('p99'),
      'max ms': of('max'),
      failed: runs.reduce((sum, run) => sum + run.failed, 0),
    })
  }
  report('Latency of creates at fixed rates', rows, [
    'Open loop: a request is sent when its instant comes, and its wait counts from that instant. Journal on, the clock runs.',
  ])
}

async function measureGrowth() {
  const sizes = (flags.stored ?? '100000,1000000').split(',').map(Number)
  const targets = [{ name: '0 stored', start: () => serve(STILL) }]
  for (const size of sizes) {
    const folder = await fillFolder(size)
    targets.push({ name: `${size} stored`, start: () => serve(STILL, { folder }) })
  }
  await compare(
    'Create, by payments stored',
    targets.map((target) => ({ ...target, requests: [create()] })),
    ['Journal on, clock frozen.'],
  )
}

/** Every round measures each target once; ratios are to the first target of the same round. */
async function compare(title, targets, notes) {
  const ready = []
  const missing = []
  for (const target of targets) {
    try {
      const server = await target.start()
      // Until the compiler has done its work, also where the machine is busy.
      await load(server, target, { amount: target.warm ?? 10_000 })
      if (target.goesOn) await atRest(server)
      ready.push({ ...target, server, rates: [], cpu: [], p99: [], failed: 0 })
    } catch (error) {
      missing.push(`${target.name} was not measured: ${error.message.trim().split('\n')[0]}`)
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const each of ready) {
      const before = cpuTime(each.server.pid)
      const result = await load(each.server, each, { seconds: SECONDS })
      // Or it would be done beside the next server, and not be counted.
      if (each.goesOn) await atRest(each.server)
      each.rates.push(result.rate)
      each.p99.push(result.p99)
      each.failed += result.failed
      each.cpu.push(((cpuTime(each.server.pid) - before) * 1000) / result.total)
    }
  }
  for (const { name, failed, server } of ready) {
    if (failed > 0) missing.push(`${name} failed ${failed} times; its last words: ${server.complaint() || 'none'}`)
    await server.stop()
  }
  const [first] = ready
  report(
    title,
    ready.map(({ name, rates, cpu, p99, failed }) => ({
      server: name,
      'per second': shown(spread(rates)),
      ratio: shown(ratios(rates, first.rates), 2),
      'CPU µs': shown(spread(cpu), 1),
      'CPU ratio': shown(ratios(first.cpu, cpu), 2),
      'p99 ms': shown(spread(p99)),
      failed,
    })),
    [...notes, ...missing, `Ratios are to ${first.name}; a higher one is better. ${HOW} ${CPU}`],
  )
}

function load({ url }, { requests }, limit) {
  return runOnLoadCore('http-load.mjs', { url, requests, connections: CONNECTIONS, ...limit })
}

/** What requests began is done: no processor time for longer than any step waits for the next. */
async function atRest({ pid }) {
  let before
  do {
    before = cpuTime(pid)
    await new Promise((resolve) => setTimeout(resolve, 2500))
  } while (cpuTime(pid) - before > 25)
}

async function until(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50))
}
