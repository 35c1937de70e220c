// Compares the processor time of creates between two builds of psp, to show the cost of a change.
// node bench/compare-builds.mjs OTHER_TREE [--lives | --reads | --refunds] [--rounds=10] [--requests=5000]
// The two trees must be built. A ratio is the time of the other build divided by that of this one. With `--lives`, a
// server with a running clock also continues each payment to its event. Its time minus that of a frozen clock is the
// cost of the steps.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { cpuTime, startServer, waitForIdle } from './processes.mjs'
import { formatSpread, spread } from './report.mjs'
import { create, HEADERS, PAYMENTS, read } from './servers.mjs'

const HERE = fileURLToPath(new URL('..', import.meta.url))
const CONNECTIONS = 32
const FLAG = { type: 'boolean' }
const options = { lives: FLAG, reads: FLAG, refunds: FLAG, rounds: { type: 'string' }, requests: { type: 'string' } }
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const ROUNDS = Number(values.rounds ?? 10)
const REQUESTS = Number(values.requests ?? 5000)
const [other] = positionals
if (other === undefined) throw new Error('Pass the folder of the other build: node bench/compare-builds.mjs ../before')

const folders = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function open(tree, flags) {
  const command = ['serve', '--quiet', ...flags, '--port']
  const server = await startServer((port) => [process.execPath, `${tree}/bin/psp.js`, ...command, String(port)])
  return { server, pool: new Pool(server.url, { connections: CONNECTIONS }) }
}

const openFrozen = (tree) => open(tree, ['--ephemeral', '--clock', 'frozen'])

/** Starts a server with a journal. Its clock runs, unless it is frozen. */
function openWithJournal(tree, clock = []) {
  const folder = mkdtempSync(join(tmpdir(), 'psp-compare-'))
  folders.push(folder)
  return open(tree, ['--data', folder, ...clock])
}

/** @returns the processor time of a request in µs, up to the last step of the payments if `waits` */
async function load({ server, pool }, waits, requests = [create()]) {
  const before = cpuTime(server.pid)
  let sent = 0
  const client = async () => {
    while (sent < REQUESTS) {
      const { statusCode, body } = await pool.request(requests[sent++ % requests.length])
      if (statusCode >= 300) throw new Error(`A request got the status ${statusCode}.`)
      await body.dump()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  if (waits) await waitForIdle(server)
  return ((cpuTime(server.pid) - before) * 1000) / REQUESTS
}

/** @returns the ids of new payments */
async function createPayments({ pool }, count, fields) {
  const ids = []
  while (ids.length < count) {
    const { body } = await pool.request(create(fields))
    ids.push((await body.json()).payment.id)
  }
  return ids
}

const MAX_REFUNDS = 45
const NO_DELAYS = ['buyer', 'session', 'bank', 'refund'].flatMap((step) => ['--set', `delays.${step}=0s`])

async function loadReads(server) {
  server.reads ??= (await createPayments(server, 200)).map((id) => read(`${PAYMENTS}/${id}`))
  return load(server, false, server.reads)
}

async function loadRefunds(server) {
  const ids = await createPayments(server, Math.ceil(REQUESTS / MAX_REFUNDS), { method: 'sbp' })
  await waitForIdle(server.server)
  const requests = ids.map((id) => ({
    ...create(),
    path: `${PAYMENTS}/${id}/refund`,
    headers: HEADERS,
    body: '{"amount":1}',
  }))
  return load(server, false, requests)
}

/** Opens the servers of a build, and measures one round. */
const measures = values.lives
  ? {
      open: async (tree) => [await openWithJournal(tree, ['--clock', 'frozen']), await openWithJournal(tree)],
      measure: async ([frozen, running]) => {
        const created = await load(frozen, false)
        const whole = await load(running, true)
        return { 'a create': created, 'the steps after it': whole - created, 'a whole life': whole }
      },
    }
  : values.refunds
    ? {
        open: async (tree) => [await open(tree, ['--ephemeral', ...NO_DELAYS])],
        measure: async ([server]) => ({ 'a refund': await loadRefunds(server) }),
      }
    : {
        open: async (tree) => [await openFrozen(tree)],
        measure: values.reads
          ? async ([server]) => ({ 'a read by id': await loadReads(server) })
          : async ([server]) => ({ 'a create': await load(server, false) }),
      }

const builds = [await measures.open(HERE), await measures.open(other)]
for (const build of builds) await measures.measure(build)
const rounds = []
for (let n = 0; n < ROUNDS; n++) {
  const [first, second] = n % 2 === 0 ? [0, 1] : [1, 0]
  const took = []
  took[first] = await measures.measure(builds[first])
  took[second] = await measures.measure(builds[second])
  rounds.push(took)
}
console.log(`Processor time in µs, and the ratio of the other build to this one, over ${ROUNDS} rounds:`)
for (const name of Object.keys(rounds[0][0])) {
  const [here, there] = [0, 1].map((build) => spread(rounds.map((took) => took[build][name])))
  const ratio = spread(rounds.map(([one, two]) => two[name] / one[name]))
  console.log(
    `${name}: this build ${formatSpread(here, 1)}, the other ${formatSpread(there, 1)}, ratio ${formatSpread(ratio, 2)}`,
  )
}
for (const { server, pool } of builds.flat()) {
  await pool.destroy()
  await server.stop()
}
