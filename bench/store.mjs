// `npm run bench -- store [rows …]`. The default is 1000 100000 1000000.
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
import { buildStore } from './build-store.mjs'
import { report } from './report.mjs'
import { commit, createCommit, payment, settleCommit } from './store-rows.mjs'

export const MEASURES = 'the cost of the store by number of stored payments, compared with lowdb alone'

/** The default retention of events and deliveries. */
const RETAINED_EVENTS = 100_000
const NO_LOWDB = 'fails (string limit)'
const START = fileURLToPath(new URL('./store-start.mjs', import.meta.url))
const built = await buildStore()
const { openStore } = await import(built.path)
const base = mkdtempSync(join(process.env.PSP_BENCH_DIR ?? tmpdir(), 'psp-bench-'))
setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')

const sizesFromArgs = process.argv.slice(2).map(Number)
await run(sizesFromArgs.length === 0 ? [1000, 100_000, 1_000_000] : sizesFromArgs)

async function run(sizes) {
  try {
    await warmUp()
    const empty = measureStart(built.path, join(base, 'none'))
    const stores = []
    for (const size of sizes) stores.push(await createFilledStore(size))
    const costs = measureCommits(stores)
    const storeRows = []
    for (const [i, each] of stores.entries()) storeRows.push({ ...(await measure(each, empty)), ...costs[i] })
    const lowdbRows = []
    for (const size of sizes) lowdbRows.push(await measureLowdb(size))
    report('The store, by number of stored payments', storeRows, [
      `All stored payments have succeeded. The newest ${RETAINED_EVENTS} have an event and a delivery with an attempt.`,
      'A commit creates a payment, or makes one succeed. The stores take turns, and the median of the fastest of ten rounds counts.',
      'Delay: event-loop delay while a checkpoint rewrites every page under 2,000 commits/s.',
      'Without: the same load without a checkpoint.',
      'Live: heap and buffers after a garbage collection. Start: time and memory of a process that opens the directory.',
    ])
    report('lowdb alone, by number of stored payments', lowdbRows, [
      'A file of payments without events. A change adds one payment.',
    ])
  } finally {
    rmSync(base, { recursive: true, force: true })
    built.remove()
  }
}

async function createFilledStore(size) {
  const folder = join(base, String(size))
  const before = liveBytes()
  const store = await open(folder)
  await fill(store, size)
  const start = performance.now()
  await store.checkpoint()
  const checkpoint = performance.now() - start
  await sleep(1000)
  return { size, folder, store, checkpoint, bytes: liveBytes() - before }
}

/** Measures the stores in turn, so that all run under the same conditions of the machine. */
function measureCommits(stores) {
  const rounds = Array.from({ length: 10 }, (_, round) =>
    stores.map(({ store, size }) => medianCommitTime(store, 2000, size + round * 2000)),
  )
  const best = stores.map((_, i) => Math.min(...rounds.map((round) => round[i])))
  return best.map((median) => ({ 'commit µs': round(median * 1000), 'ratio to the first': round(median / best[0]) }))
}

async function measure({ size, folder, store, checkpoint, bytes }, empty) {
  const { alone, during } = await delayDuringCheckpoint(store, size)
  await store.close()
  const { ms, rss } = measureStart(built.path, folder)
  rmSync(folder, { recursive: true })
  return {
    rows: size,
    'checkpoint s': round(checkpoint / 1000),
    'delay p99.9 ms': during.p999,
    'delay max ms': during.max,
    'without p99.9 ms': alone.p999,
    'live bytes/payment': Math.round(bytes / size),
    'start ms': round(ms),
    'start bytes/payment': Math.round((rss - empty.rss) / size),
  }
}

function open(folder) {
  return openStore({ folder, systemClock: { now: Date.now }, notice: (text) => console.error(text) })
}

/** Runs the code before the measurement, because new code is slow at any size. */
async function warmUp() {
  const store = await open(join(base, 'warm'))
  medianCommitTime(store, 20_000, 0)
  await store.close()
}

async function fill(store, size) {
  for (let n = 0; n < size; n++) {
    const settled = settleCommit(payment(n), n)
    if (n < size - RETAINED_EVENTS) settled.puts.length = 1
    store.append(Date.now(), 'fill', settled)
    if (n % 200 === 0) await sleep(0)
  }
}

/**
 * Commits the creations and successes of payments, `count` in total, half of each.
 * @returns the median time of a commit in ms
 */
function medianCommitTime(store, count, from) {
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
  return times[times.length >> 1]
}

/** Makes 2,000 commits per second in small bursts, for three seconds and then while every page is rewritten. */
async function delayDuringCheckpoint(store, from) {
  let n = from + 1_000_000
  for (const row of store.world.rows('payments')) {
    store.append(Date.now(), 'touch', commit([['payments', { ...row, description: 'touched' }]]))
    if (n++ % 500 === 0) await sleep(0)
    if (n - from > 1_100_000) break
  }
  await sleep(200)
  const alone = await delayUntil(sleep(3000))
  return { alone, during: await delayUntil(store.checkpoint()) }

  async function delayUntil(end) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    let done = false
    delay.enable()
    const ended = end.then(() => {
      done = true
    })
    while (!done) {
      for (let i = 0; i < 8; i++) store.append(Date.now(), 'create_payment', createCommit(n++))
      await sleep(4)
    }
    await ended
    delay.disable()
    return { p999: round(delay.percentile(99.9) / 1e6), max: round(delay.max / 1e6) }
  }
}

/** Measures a change with lowdb, which writes the whole file. */
async function measureLowdb(size) {
  if (size > 300_000)
    return { rows: size, 'change ms': NO_LOWDB, 'start ms': NO_LOWDB, 'start bytes/payment': NO_LOWDB }
  process.env.NODE_ENV = 'bench'
  const path = join(base, `lowdb-${size}.json`)
  const db = await JSONFilePreset(path, { payments: Array.from({ length: size }, (_, n) => payment(n)) })
  const start = performance.now()
  for (let i = 0; i < 3; i++) await db.update(({ payments }) => payments.push(payment(size + i)))
  const change = (performance.now() - start) / 3
  const empty = measureStart('lowdb', join(base, 'none.json'))
  const { ms, rss } = measureStart('lowdb', path)
  return {
    rows: size,
    'change ms': round(change),
    'start ms': round(ms),
    'start bytes/payment': Math.round((rss - empty.rss) / size),
  }
}

function measureStart(module, folder) {
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', START, module, folder], { encoding: 'utf8' }))
}

function liveBytes() {
  gc()
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function round(value) {
  return Math.round(value * 100) / 100
}
