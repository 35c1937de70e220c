// Explores handlers with planted bugs, and correct ones, for several seeds. All handlers run in this process.
// npm run bench -- explore, or: node bench/explore.mjs --seeds=10 --correct-seeds=50
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { report, spread } from './report.mjs'

export const MEASURES = 'bugs that `psp audit --explore` finds, by seed and by bug, and the size of its cases'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    'correct-seeds': { type: 'string', default: '50' },
    deliveries: { type: 'string', default: '2000' },
  },
})
const SEEDS = Array.from({ length: Number(values.seeds) }, (_, at) => at + 1)
const CORRECT_SEEDS = Array.from({ length: Number(values['correct-seeds']) }, (_, at) => at + 1)
const DELIVERIES = Number(values.deliveries)
const TIME = 60_000
const REPLAYS = 10
/** The bars of a minimal case. */
const FEW_DELIVERIES = 4
const FEW_STEPS = 8

const { modules, remove } = await load()
const { CORRECT_HANDLERS, PLANTED_BUGS, auditHandler, exploreHandler, replayHandler } = modules
try {
  const runs = []
  for (const bug of PLANTED_BUGS) for (const seed of SEEDS) runs.push(await explored(bug, seed))
  report(
    'By seed',
    SEEDS.map((seed) =>
      summary(
        { seed },
        runs.filter((run) => run.seed === seed),
      ),
    ),
    [
      `${DELIVERIES} deliveries and ${TIME / 1000} s for each handler. Deliveries are those until the first confirmed finding.`,
    ],
  )
  const byBug = []
  for (const bug of PLANTED_BUGS) {
    const audit = await auditHandler(bug.create())
    const of = runs.filter((run) => run.bug === bug.name)
    byBug.push(summary({ bug: bug.name, '21 checks': audit.join(', ') || '-' }, of))
  }
  report('By bug', byBug, [summaryText(runs, byBug)])
  report('Correct handlers', await correctRows(), ['A finding here would be a false one.'])
} finally {
  remove()
}

async function explored(bug, seed) {
  const began = performance.now()
  const result = await exploreHandler(bug.create(), { seed, maxFindings: 1, deliveries: DELIVERIES, time: TIME })
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
  const isFixed = found.filter(({ isRace }) => !isRace)
  return {
    ...first,
    found: `${found.length}/${runs.length}`,
    deliveries: median(({ after }) => after),
    'case: deliveries': median(({ finding }) => finding.deliveries),
    'case: steps': median(({ finding }) => finding.steps),
    'replays 10/10': `${isFixed.filter(({ replays }) => replays === REPLAYS).length}/${isFixed.length}`,
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
  const missed = byBug.filter((row) => row['21 checks'] === '-').length
  return `Found ${found.length} of ${runs.length}. Cases with at most ${FEW_DELIVERIES} deliveries and ${FEW_STEPS} steps: ${small.length} of ${found.length}. The 21 checks miss ${missed} of ${byBug.length} bugs.`
}

async function correctRows() {
  const rows = []
  for (const { name, create, isRealTime } of CORRECT_HANDLERS) {
    // A handler with real timers is slow, so it gets fewer seeds.
    const seeds = isRealTime ? CORRECT_SEEDS.slice(0, Math.ceil(CORRECT_SEEDS.length / 10)) : CORRECT_SEEDS
    let findings = 0
    let deliveries = 0
    for (const seed of seeds) {
      const result = await exploreHandler(create(), {
        seed,
        deliveries: isRealTime ? 100 : 300,
        time: TIME,
        isRealTime,
      })
      findings += result.findings.length
      deliveries += result.deliveries
    }
    rows.push({ handler: name, seeds: seeds.length, deliveries, findings })
  }
  return rows
}

/** Bundles the handlers and the exploration, so that Node can run them. */
async function load() {
  const folder = mkdtempSync(join(tmpdir(), 'psp-bench-explore-'))
  const outfile = join(folder, 'handlers.mjs')
  const handlers = fileURLToPath(new URL('../test/explore/handlers/', import.meta.url))
  const names = ['correct', 'planted-bugs', 'explore-handler']
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
