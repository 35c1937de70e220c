// `npm run bench -- store [rows …]`, default 1000 100000 1000000.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { JSONFilePreset } from 'lowdb/node'
import { report } from './report.mjs'
import { buildStore } from './store-build.mjs'
import { commit, createCommit, payment, settleCommit } from './store-rows.mjs'

export const MEASURES = 'what the store costs, by how much is stored, beside lowdb alone'

const sizes = process.argv.slice(2).map(Number)
if (sizes.length === 0) sizes.push(1000, 100_000, 1_000_000)
const START = fileURLToPath(new URL('./store-start.mjs', import.meta.url))

const built = await buildStore()
const { openStore } = await import(built.path)
const base = mkdtempSync(join(process.env.PSP_BENCH_DIR ?? tmpdir(), 'psp-bench-'))
const rows = []
try {
  for (const size of sizes) rows.push(await measure(size))
  report('By rows stored', rows)
} finally {
  rmSync(base, { recursive: true, force: true })
  built.remove()
}

async function measure(size) {
  const folder = join(base, String(size))
  const open = () => openStore({ folder, wall: { now: Date.now }, notice: (text) => console.error(text) })
  const store = await open()
  for (let n = 0; n < size; n += 5000) {
    const some = Array.from({ length: Math.min(5000, size - n) }, (_, i) => ['payments', payment(n + i)])
    store.append(Date.now(), 'fill', commit(some))
    await sleep(0)
  }
  const filling = performance.now()
  await store.checkpoint()
  const filled = performance.now() - filling
  const create = cost(store, 20_000, size)
  const loop = await delayDuringCheckpoint(store, size)
  await store.close()
  const { ms, rss } = JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', START, built.path, folder], { encoding: 'utf8' }),
  )
  const empty = JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', START, built.path, join(base, 'none')], { encoding: 'utf8' }),
  )
  return {
    rows: size,
    'commit µs': create.mean,
    'p99 µs': create.p99,
    'max ms': create.max,
    'lowdb alone ms': await lowdbAlone(size),
    'checkpoint s': round(filled / 1000),
    'delay p99.9 ms': loop.p999,
    'delay max ms': loop.max,
    'start ms': round(ms),
    'bytes/row': Math.round((rss - empty.rss) / size),
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
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  return {
    mean: round(mean * 1000),
    p99: round(times[Math.floor(times.length * 0.99)] * 1000),
    max: round(times.at(-1)),
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
  if (size > 300_000) return 'fails (string limit)'
  process.env.NODE_ENV = 'bench'
  const db = await JSONFilePreset(join(base, `lowdb-${size}.json`), {
    payments: Array.from({ length: size }, (_, n) => payment(n)),
  })
  const start = performance.now()
  for (let i = 0; i < 3; i++) await db.update(({ payments }) => payments.push(payment(size + i)))
  return round((performance.now() - start) / 3)
}

function round(value) {
  return Math.round(value * 100) / 100
}
