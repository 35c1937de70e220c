// Explores correct handlers and those with planted bugs, for several seeds: handlers in this process, and shops in
// Node, Python, PHP, Go and Java over HTTP with `psp audit --explore`.
// `npm run bench -- explore --write`, or a part: `npm run bench -- explore --seeds=10 --correct-seeds=0 --shop-seeds=0`
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { CORRECT_DELIVERIES, exploreShops } from './explore-shops.mjs'
import { report, spread } from './report.mjs'

export const MEASURES = 'bugs that `psp audit --explore` finds, by seed and by bug, and the size of its cases'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    'correct-seeds': { type: 'string', default: '50' },
    'shop-seeds': { type: 'string', default: '10' },
    deliveries: { type: 'string', default: '2000' },
  },
})
const SEEDS = Array.from({ length: Number(values.seeds) }, (_, at) => at + 1)
const CORRECT_SEEDS = Array.from({ length: Number(values['correct-seeds']) }, (_, at) => at + 1)
const SHOP_SEEDS = Array.from({ length: Number(values['shop-seeds']) }, (_, at) => at + 1)
const DELIVERIES = Number(values.deliveries)
const TIME = 60_000
const REPLAYS = 10
/** Number of runs of the checks, each with another seed. */
const CHECK_RUNS = 5
/** A case with at most these numbers is small. */
const FEW_DELIVERIES = 4
const FEW_STEPS = 8

let partBegan = performance.now()
const { modules, remove } = await load()
const { CORRECT_HANDLERS, LATE_HANDLERS, PLANTED_BUGS, checkHandler, exploreHandler, onDrivenClock, replayHandler } =
  modules
try {
  if (SEEDS.length > 0) await reportBugs()
  if (CORRECT_SEEDS.length > 0) await reportCorrect()
  if (SHOP_SEEDS.length > 0) await reportShops()
} finally {
  remove()
}

async function reportBugs() {
  const runs = []
  for (const bug of PLANTED_BUGS) for (const seed of SEEDS) runs.push(await explored(bug, seed))
  const bySeed = SEEDS.map((seed) =>
    summary(
      { seed },
      runs.filter((run) => run.seed === seed),
    ),
  )
  report('By seed', bySeed, [
    `${DELIVERIES} deliveries for each handler. The column counts the deliveries until the first confirmed finding.`,
  ])
  const byBug = []
  for (const bug of PLANTED_BUGS) {
    const audit = await checkHandler(bug.create())
    const of = runs.filter((run) => run.bug === bug.name)
    byBug.push(summary({ bug: bug.name, 'failed checks': audit.join(', ') || '-' }, of))
  }
  report('By bug', byBug, [summaryText(runs, byBug), took()])
}

async function reportCorrect() {
  report('Correct handlers', await correctRows(), [
    'A finding here would be a false one. The last column has the runs of `psp audit` without `--explore` in which a check did not pass.',
    took(),
  ])
}

async function reportShops() {
  const rows = await exploreShops(modules, { seeds: SHOP_SEEDS, time: TIME, deliveries: DELIVERIES })
  report('Shops over HTTP', rows, [
    `\`psp audit --explore ${TIME / 1000}s --deliveries ${DELIVERIES}\`; a bug counts as found if the first finding appears in this time. A correct shop gets ${CORRECT_DELIVERIES} deliveries; a finding there would be a false one.`,
    took(),
  ])
}

/** Returns how long the table took. */
function took() {
  const now = performance.now()
  const seconds = Math.round((now - partBegan) / 1000)
  partBegan = now
  return `Took ${seconds} s.`
}

async function explored(bug, seed) {
  const began = performance.now()
  const result = await exploreHandler(bug.create(), { seed, maxFindings: 1, maxMessages: DELIVERIES })
  const [finding] = result.findings
  const ms = performance.now() - began
  if (finding === undefined) return { bug: bug.name, seed, ms }
  const isRace = finding.rate.of > 1
  let replays = 0
  for (let n = 0; n < REPLAYS; n++) if (await replayHandler(bug.create(), finding)) replays++
  return { bug: bug.name, seed, ms, finding, isRace, replays, after: result.firstFindingAfter }
}

function summary(first, runs) {
  const found = runs.filter(({ finding }) => finding !== undefined)
  const median = (of) => (found.length === 0 ? '-' : spread(found.map(of)).median)
  const steady = found.filter(({ isRace }) => !isRace)
  return {
    ...first,
    found: `${found.length}/${runs.length}`,
    deliveries: median(({ after }) => after),
    'case: deliveries': median(({ finding }) => finding.deliveries),
    'case: steps': median(({ finding }) => finding.steps),
    'replays 10/10': `${steady.filter(({ replays }) => replays === REPLAYS).length}/${steady.length}`,
    'rate of races': racesOf(found),
    seconds: Number(spread(runs.map(({ ms }) => ms / 1000)).median.toFixed(1)),
  }
}

function racesOf(found) {
  const races = found.filter(({ isRace }) => isRace).map(({ finding }) => finding.rate.failed / finding.rate.of)
  return races.length === 0 ? '-' : spread(races).median.toFixed(2)
}

function summaryText(runs, byBug) {
  const found = runs.filter(({ finding }) => finding !== undefined)
  const small = found.filter(({ finding }) => finding.deliveries <= FEW_DELIVERIES && finding.steps <= FEW_STEPS)
  const missed = byBug.filter((row) => row['failed checks'] === '-').length
  return `Found ${found.length} of ${runs.length}. Cases with at most ${FEW_DELIVERIES} deliveries and ${FEW_STEPS} steps: ${small.length} of ${found.length}. The checks of the audit miss ${missed} of ${byBug.length} bugs.`
}

async function correctRows() {
  const rows = []
  const checkSeeds = Array.from({ length: CHECK_RUNS }, (_, at) => at + 1)
  for (const handler of [...CORRECT_HANDLERS, ...LATE_HANDLERS]) {
    const results = []
    const checks = []
    for (const seed of CORRECT_SEEDS) results.push(await exploredCorrect(handler, seed))
    for (const seed of checkSeeds)
      checks.push(await timed(handler, (one, clock) => checkHandler(one, { seed, ...clock })))
    rows.push({
      handler: handler.name,
      seeds: results.length,
      deliveries: results.reduce((sum, result) => sum + result.deliveries, 0),
      findings: results.reduce((sum, { findings }) => sum + findings.length, 0),
      unconfirmed: results.reduce((sum, { unconfirmed }) => sum + unconfirmed, 0),
      'checks not passed': `${checks.filter((ids) => ids.length > 0).length}/${checks.length}`,
    })
  }
  return rows
}

function exploredCorrect(handler, seed) {
  const maxMessages = LATE_HANDLERS.includes(handler) ? 150 : 300
  return timed(handler, (one, clock) => exploreHandler(one, { seed, maxMessages, ...clock }))
}

/**
 * A handler that works after its response shares a simulated clock with the search, so a loaded machine changes
 * nothing.
 */
async function timed(handler, run) {
  if (!LATE_HANDLERS.includes(handler)) return await run(handler.create(), {})
  return (await onDrivenClock((systemClock, sleep) => run(handler.create(sleep), { systemClock }))).result
}

/** Bundles the handlers and the exploration, so that Node can run them. */
async function load() {
  const folder = mkdtempSync(join(tmpdir(), 'psp-bench-explore-'))
  const outfile = join(folder, 'handlers.mjs')
  const handlers = fileURLToPath(new URL('../test/explore/handlers/', import.meta.url))
  const names = ['correct', 'planted-bugs', 'explore-handler', '../shops/start-shop']
  await build({
    stdin: { contents: names.map((name) => `export * from './${name}.ts'`).join('\n'), resolveDir: handlers },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
  })
  return { modules: await import(outfile), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
