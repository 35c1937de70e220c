// `npm run bench -- store [rows …]`, default 1000 100000 1000000.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { JSONFilePreset } from 'lowdb/node'
import { report } from './report.mjs'
import { buildStore } from './store-build.mjs'
import { commit, createCommit, payment, settleCommit } from './store-rows.mjs'

export const MEASURES = 'what the store costs, by how much is stored, beside lowdb alone'

/** As many events and deliveries are kept by default. */
const KEPT_EVENTS = 100_000
const NO_LOWDB = 'fails (string limit)'
const START = fileURLToPath(new URL('./store-start.mjs', import.meta.url))
const built = await buildStore()
const { openStore } = await import(built.path)
const base = mkdtempSync(join(process.env.PSP_BENCH_DIR ?? tmpdir(), 'psp-bench-'))
setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')

const given = process.argv.slice(2).map(Number)
await run(given.length === 0 ? [1000, 100_000, 1_000_000] : given)

async function run(sizes) {
  const own = []
  const lowdb = []
  try {
    await warmUp()
    const empty = startOf(built.path, join(base, 'none'))
    for (const size of sizes) {
      own.push(await measure(size, empty))
      lowdb.push(await lowdbAlone(size))
    }
    const first = own[0]['commit µs']
    for (const row of own) row['against the first'] = round(row['commit µs'] / first)
    report('The store, by payments stored', own, [
      `Each payment is settled; the newest ${KEPT_EVENTS} have an event and a delivery with an attempt. A commit creates a`,
      'payment or settles one. Delay: of the event loop, while a checkpoint writes every page anew under 2,000 commits/s.',
      'Live: heap and buffers after a collection; start: of a process that opens the folder, and its resident memory.',
    ])
    report('lowdb alone, by payments stored', lowdb, [
      'A file of payments without events; a change is one payment more.',
    ])
  } finally {
    rmSync(base, { recursive: true, force: true })
    built.remove()
  }
}

async function measure(size, empty) {
  const folder = join(base, String(size))
  const before = live()
  const store = await open(folder)
  await fill(store, size)
  const filling = performance.now()
  await store.checkpoint()
  const filled = performance.now() - filling
  await sleep(1000)
  const memory = live() - before
  const create = cost(store, 20_000, size)
  const loop = await delayDuringCheckpoint(store, size)
  await store.close()
  const { ms, rss } = startOf(built.path, folder)
  rmSync(folder, { recursive: true })
  return {
    rows: size,
    'commit µs': create.median,
    'p99 µs': create.p99,
    'checkpoint s': round(filled / 1000),
    'delay p99.9 ms': loop.p999,
    'delay max ms': loop.max,
    'live bytes/payment': Math.round(memory / size),
    'start ms': round(ms),
    'start bytes/payment': Math.round((rss - empty.rss) / size),
  }
}

function open(folder) {
  return openStore({ folder, wall: { now: Date.now }, notice: (text) => console.error(text) })
}

/** Code that runs for the first time is slow, at any size. */
async function warmUp() {
  const store = await open(join(base, 'warm'))
  cost(store, 20_000, 0)
  await store.close()
}

async function fill(store, size) {
  for (let n = 0; n < size; n++) {
    const settled = settleCommit(payment(n), n)
    if (n < size - KEPT_EVENTS) settled.puts.length = 1
    store.append(Date.now(), 'fill', settled)
    if (n % 200 === 0) await sleep(0)
  }
}

/** A create commit and, for every other payment, its settlement. */
function cost(store, count, from) {
  const commits = []
  for (let n = 0; n < count / 2; n++) {
    const created = createCommit(from + n)
    commits.push(created, settleCommit(created.puts[0].row, from + n))
  }
  const times = commits.map((each) => {
    const start = performance.now()
    store.append(Date.now(), 'create_payment', each)
    return performance.now() - start
  })
  times.sort((a, b) => a - b)
  return {
    median: round(times[times.length >> 1] * 1000),
    p99: round(times[Math.floor(times.length * 0.99)] * 1000),
  }
}

/** 2,000 commits a second in small bursts, while every page is written anew. */
async function delayDuringCheckpoint(store, from) {
  let n = from + 1_000_000
  for (const row of store.world.rows('payments')) {
    store.append(Date.now(), 'touch', commit([['payments', { ...row, description: 'touched' }]]))
    if (n++ % 500 === 0) await sleep(0)
    if (n - from > 1_100_000) break
  }
  await sleep(200)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let done = false
  delay.enable()
  const checkpoint = store.checkpoint().finally(() => {
    done = true
  })
  while (!done) {
    for (let i = 0; i < 8; i++) store.append(Date.now(), 'create_payment', createCommit(n++))
    await sleep(4)
  }
  await checkpoint
  delay.disable()
  return { p999: round(delay.percentile(99.9) / 1e6), max: round(delay.max / 1e6) }
}

/** One change and one write of the whole file, as lowdb does it. */
async function lowdbAlone(size) {
  if (size > 300_000)
    return { rows: size, 'change ms': NO_LOWDB, 'start ms': NO_LOWDB, 'start bytes/payment': NO_LOWDB }
  process.env.NODE_ENV = 'bench'
  const path = join(base, `lowdb-${size}.json`)
  const db = await JSONFilePreset(path, { payments: Array.from({ length: size }, (_, n) => payment(n)) })
  const start = performance.now()
  for (let i = 0; i < 3; i++) await db.update(({ payments }) => payments.push(payment(size + i)))
  const change = (performance.now() - start) / 3
  const empty = startOf('lowdb', join(base, 'none.json'))
  const { ms, rss } = startOf('lowdb', path)
  return {
    rows: size,
    'change ms': round(change),
    'start ms': round(ms),
    'start bytes/payment': Math.round((rss - empty.rss) / size),
  }
}

function startOf(module, folder) {
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', START, module, folder], { encoding: 'utf8' }))
}

function live() {
  gc()
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function round(value) {
  return Math.round(value * 100) / 100
}
