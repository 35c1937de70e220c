// `npm run bench -- http [--rounds=5] [--seconds=2] [--only=create,peers,operations,latency,growth]
// [--stored=100000,1000000]`

import { createFilledDirectory } from './filled-directory.mjs'
import { PEERS, versionOf, YARDSTICKS } from './peers.mjs'
import { CORES, cpuTime, runOnLoadCore, waitForIdle } from './processes.mjs'
import { formatSpread, ratios, report, spread } from './report.mjs'
import { ask, create, HEADERS, PAYMENTS, read, serve } from './servers.mjs'

export const MEASURES = 'the public API over HTTP: rates compared with a bare server and peers, latency, growth'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const ROUNDS = Number(flags.rounds ?? 5)
const SECONDS = Number(flags.seconds ?? 2)
const CONNECTIONS = 32
const only = flags.only?.split(',') ?? ['create', 'peers', 'operations', 'latency', 'growth']

/** Freezes the simulator, so that only the request is measured. */
const FROZEN = ['--clock', 'frozen']
/** The bank responds immediately, so that there are payments to refund. */
const QUICK = ['--set', 'delays.session=0s', '--set', 'delays.bank=0s', '--set', 'delays.buyer=0s']

/** A payment gets its event 4 s after its creation. */
const LIFE_SECONDS = 5

const refund = (id) => ({ method: 'POST', path: `${PAYMENTS}/${id}/refund`, headers: HEADERS, body: '{"amount":1}' })
const PAYOUT = {
  method: 'POST',
  path: '/v1/public/payouts',
  headers: HEADERS,
  body: '{"amount":100,"phone":"+79991234567","bank_id":"100000000111"}',
}

const METHOD = `${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, in turn. ${CORES}`
const CPU =
  'CPU µs are the processor time of the whole server process, including its threads and system calls. They are more reliable than rates if the machine has other work.'

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
      { name: 'psp serve, clock running', start: () => serve(), requests: [create()], leadIn: LIFE_SECONDS },
      { name: 'psp serve, clock frozen', start: () => serve(FROZEN), requests: [create()] },
      { name: 'psp serve, memory only, frozen', start: () => serve(['--ephemeral', ...FROZEN]), requests: [create()] },
      ...PEERS.filter(({ stateful }) => stateful === true).map(peerTarget),
    ],
    [
      `With a journal, except memory only. With the clock running, each payment continues by itself: the buyer picks a method after 2 s, a bank session opens, the bank responds, an event is recorded. The load runs for ${LIFE_SECONDS} s before each measurement. So during the measurement as many payments end as begin, and rate, delay and processor time include their whole life.`,
    ],
  )
}

async function measurePeers() {
  const sandbox = {
    name: 'psp serve, clock frozen',
    start: () => serve(FROZEN),
    requests: [create()],
    stores: 'payments in a data directory',
  }
  const all = [sandbox, ...PEERS.map(peerTarget)]
  await compare('Create, compared with other servers for tests', all, [
    `The others: ${PEERS.map(({ name, stores }) => `${versionOf(name)} stores ${stores}`).join('; ')}.`,
  ])
}

function peerTarget(peer) {
  return { ...peer, requests: peer.creates ?? [peer.create], warmUp: 3000 }
}

async function measureOperations() {
  const [bare, hono] = YARDSTICKS
  const sandbox = await serve(QUICK)
  const ids = await createSucceeded(sandbox.url, 12_000)
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
    ['The bare servers create a payment. The rates of refunds and payouts include their settlement and events.'],
  )
  await sandbox.stop()
}

/** Creates many paid payments, so that each gets few refunds: an event contains all refunds of its payment. */
async function createSucceeded(url, count) {
  const ids = []
  const createOne = async () => (await ask(url, create({ method: 'sbp', amount: 90_000_000 }))).payment.id
  while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: CONNECTIONS }, createOne))))
  await waitUntil(async () => (await ask(url, read(`${PAYMENTS}/${ids.at(-1)}`))).status === 'succeeded')
  return ids
}

/** Sends requests at fixed times, and measures the latency under a load that does not wait for the server. */
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
    const spreadOf = (name) => formatSpread(spread(runs.map((run) => run[name])), 1)
    rows.push({
      'creates/s': rate,
      'p50 ms': spreadOf('p50'),
      'p99 ms': spreadOf('p99'),
      'max ms': spreadOf('max'),
      failed: runs.reduce((sum, run) => sum + run.failed, 0),
    })
  }
  report('Latency of creates at fixed rates', rows, [
    'Open loop: each request is sent at a fixed time, and its latency counts from that time. With a journal and a running clock.',
  ])
}

async function measureGrowth() {
  const sizes = (flags.stored ?? '100000,1000000').split(',').map(Number)
  const targets = [{ name: '0 stored', start: () => serve(FROZEN) }]
  for (const size of sizes) {
    const folder = await createFilledDirectory(size)
    targets.push({ name: `${size} stored`, start: () => serve(FROZEN, { folder }) })
  }
  await compare(
    'Create, by number of stored payments',
    targets.map((target) => ({ ...target, requests: [create()] })),
    ['With a journal and a frozen clock.'],
  )
}

/** Measures each target once per round. Ratios are to the first target of the same round. */
async function compare(title, targets, notes) {
  const ready = []
  const missing = []
  for (const target of targets) {
    try {
      const server = await target.start()
      // Enough requests for the compiler to finish, even if the machine is busy.
      await load(server, target, { amount: target.warmUp ?? 10_000 })
      if (target.leadIn !== undefined) await waitForIdle(server)
      ready.push({ ...target, server, rates: [], cpu: [], p99: [], failed: 0 })
    } catch (error) {
      missing.push(`${target.name} was not measured: ${error.message.trim().split('\n')[0]}`)
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const each of ready) {
      if (each.leadIn !== undefined) await load(each.server, each, { seconds: each.leadIn })
      const before = cpuTime(each.server.pid)
      const result = await load(each.server, each, { seconds: SECONDS })
      const used = cpuTime(each.server.pid) - before
      // Otherwise the remaining steps would run during the measurement of another server.
      if (each.leadIn !== undefined) await waitForIdle(each.server)
      each.rates.push(result.rate)
      each.p99.push(result.p99)
      each.failed += result.failed
      each.cpu.push((used * 1000) / result.total)
    }
  }
  for (const { name, failed, server } of ready) {
    if (failed > 0) missing.push(`${name} failed ${failed} times. Last error: ${server.lastError() || 'none'}`)
    await server.stop()
  }
  const [first] = ready
  report(
    title,
    ready.map(({ name, rates, cpu, p99, failed }) => ({
      server: name,
      'per second': formatSpread(spread(rates)),
      ratio: formatSpread(ratios(rates, first.rates), 2),
      'CPU µs': formatSpread(spread(cpu), 1),
      'CPU ratio': formatSpread(ratios(first.cpu, cpu), 2),
      'p99 ms': formatSpread(spread(p99)),
      failed,
    })),
    [...notes, ...missing, `Ratios are to ${first.name}; a higher ratio is better. ${METHOD} ${CPU}`],
  )
}

function load({ url }, { requests }, limit) {
  return runOnLoadCore('http-load.mjs', { url, requests, connections: CONNECTIONS, ...limit })
}

async function waitUntil(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50))
}
