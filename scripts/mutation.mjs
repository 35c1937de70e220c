// Changes the sources in small ways, one at a time, and counts the changes (mutants) that no test notices.
// npm run mutation -- FOLDER… [--part=K/N | --sample=K/N] [--static] [--timeout=SECONDS] [--concurrency=N]
// For example `npm run mutation -- webhooks http/guards`. Default: all folders, a timeout of 8 s, a concurrency of 2.
// On a busy machine a higher timeout avoids false timeouts.
// A part has about one N-th of the statements, and a sample one N-th of the declarations. A hash of their places
// chooses them, so the N parts of a folder contain all its statements.
// Results are kept in .mutation/, so the next run repeats only what has changed.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Stryker } from '@stryker-mutator/core'

/**
 * The folders of src, the tests that cover them, and the goal: the percentage of mutants that the tests must notice. A
 * folder does not include the folders below it that have their own entry. `except` names tests below `tests` that take
 * more than ten seconds for a mutant, or that test another folder. `only` names the modules to change, if they are not
 * all of the folder.
 */
const FOLDERS = {
  domain: { tests: ['test/domain', 'test/spec'], goal: 90 },
  engine: { tests: ['test/engine', 'test/spec'], goal: 90 },
  webhooks: { tests: ['test/webhooks'], goal: 90 },
  'http/guards': {
    // All of `test/http` calls the guards, but would take hours.
    tests: [
      'test/http/guards',
      'test/http/app.test.ts',
      'test/http/control/health.test.ts',
      'test/http/limits.test.ts',
      'test/http/path-hints.test.ts',
      'test/http/request-headers.test.ts',
      'test/spec/8-limits.test.ts',
    ],
    goal: 90,
  },
  delivery: {
    // The rest of `test/spec` reaches this folder through HTTP, and would take minutes for each mutant that hangs.
    tests: ['test/delivery', 'test/spec/6.2-stream.test.ts'],
    goal: 90,
  },
  'store/journal': {
    // The random crashes of `test/store/crash.test.ts` take a minute for each mutant.
    tests: [
      'test/store/journal',
      'test/store/journal-recovery.test.ts',
      'test/store/overlapping-journal.test.ts',
      'test/store/write-failures.test.ts',
      'test/store/folder/ownership.test.ts',
    ],
    goal: 90,
  },
  time: { tests: ['test/time'], goal: 90 },
  client: { tests: ['test/client'], goal: 90 },
  audit: { tests: ['test/audit'], goal: 80 },
  scenarios: { tests: ['test/scenarios'], goal: 80 },
  testing: { tests: ['test/testing'], goal: 80 },
  'receiver-client': { tests: ['test/receiver-client'], goal: 80 },
  'view-model': { tests: ['test/tui', 'test/view-model'], goal: 80 },
  explore: {
    // The other files search with whole handlers, and take more than ten seconds for each mutant.
    tests: [
      'test/explore/advice.test.ts',
      'test/explore/corpus.test.ts',
      'test/explore/create-finding.test.ts',
      'test/explore/finding-scenario.test.ts',
      'test/explore/finding.test.ts',
      'test/explore/judge-availability.test.ts',
      'test/explore/judge-run.test.ts',
      'test/explore/learn-from-simple-stories.test.ts',
      'test/explore/measures.test.ts',
      'test/explore/mutate-schedule.test.ts',
      'test/explore/replay-rate.test.ts',
      'test/explore/run-schedule.test.ts',
      'test/explore/save-finding.test.ts',
      'test/explore/schedule.test.ts',
      'test/explore/search.test.ts',
      'test/explore/shrink-case.test.ts',
      'test/explore/silent-probes.test.ts',
      'test/explore/situations.test.ts',
      'test/explore/story.test.ts',
    ],
    goal: 80,
  },
  recordings: {
    // The other files mask or replay hundreds of recorded messages, and take more than ten seconds for each mutant.
    tests: [
      'test/recordings/always-removed.test.ts',
      'test/recordings/change-periods.test.ts',
      'test/recordings/check-signature.test.ts',
      'test/recordings/collect-events.test.ts',
      'test/recordings/compare-json.test.ts',
      'test/recordings/compare-response.test.ts',
      'test/recordings/compare-streams.test.ts',
      'test/recordings/cut-off-request.test.ts',
      'test/recordings/difference-tally.test.ts',
      'test/recordings/encoded-request.test.ts',
      'test/recordings/event-times.test.ts',
      'test/recordings/exchange-entry.test.ts',
      'test/recordings/formats.test.ts',
      'test/recordings/har.test.ts',
      'test/recordings/har-messages.test.ts',
      'test/recordings/masking.test.ts',
      'test/recordings/misplaced-values.test.ts',
      'test/recordings/moved-clock.test.ts',
      'test/recordings/overlapping-calls.test.ts',
      'test/recordings/overlapping-reads.test.ts',
      'test/recordings/proxy.test.ts',
      'test/recordings/read-before-change.test.ts',
      'test/recordings/read-calls.test.ts',
      'test/recordings/recorded-key.test.ts',
      'test/recordings/replay-headers.test.ts',
      'test/recordings/replay-steps.test.ts',
      'test/recordings/replay.test.ts',
      'test/recordings/replayable.test.ts',
      'test/recordings/report-keys.test.ts',
      'test/recordings/service-clock.test.ts',
      'test/recordings/setting-rules.test.ts',
      'test/recordings/story-of-events.test.ts',
      'test/recordings/unusual-messages.test.ts',
    ],
    goal: 80,
  },
  'http/pages': { tests: ['test/http/pages'], goal: 80 },
  tui: { tests: ['test/tui', 'test/view-model'], goal: 80 },
  'cli/parsing': { tests: ['test/cli/parsing', 'test/cli/input'], goal: 80 },
  'cli/config': { tests: ['test/cli/config', 'test/cli/doctor', 'test/cli/input/read-input.test.ts'], goal: 80 },
  http: {
    // `test/http/openapi.test.ts` checks whole documents.
    tests: [
      'test/http',
      'test/sandbox',
      'test/spec/5-requests.test.ts',
      'test/spec/6.2-stream.test.ts',
      'test/spec/9-versioning.test.ts',
    ],
    except: ['test/http/control', 'test/http/pages', 'test/http/openapi.test.ts'],
    goal: 80,
  },
  'http/control': {
    // `page-size.test.ts` makes pages of megabytes.
    tests: ['test/http/control', 'test/http/match-fields.test.ts', 'test/sandbox'],
    except: ['test/http/control/page-size.test.ts'],
    goal: 80,
  },
  'http/public': {
    tests: ['test/http', 'test/sandbox', 'test/spec'],
    except: ['test/http/control', 'test/http/pages', 'test/http/openapi.test.ts'],
    goal: 80,
  },
  sandbox: {
    tests: [
      'test/sandbox',
      'test/create-sandbox.test.ts',
      'test/http/control/seed.test.ts',
      'test/http/control/state.test.ts',
    ],
    goal: 80,
  },
  // The random crashes of `test/store/crash.test.ts` take a minute for each mutant.
  store: { tests: ['test/store'], except: ['test/store/crash.test.ts'], goal: 80 },
  'store/folder': { tests: ['test/store'], except: ['test/store/crash.test.ts'], goal: 80 },
  'store/import': { tests: ['test/store/import', 'test/store/snapshots'], goal: 80 },
  'store/pages': { tests: ['test/store'], except: ['test/store/crash.test.ts'], goal: 80 },
  cli: { tests: ['test/cli'], goal: 80 },
  'cli/commands': { tests: ['test/cli'], goal: 80 },
  dashboard: {
    // The other modules use Preact or the browser. Only the browser tests reach them, with the built program.
    only: [
      'components/{list-query,table-layout}.ts',
      'detail/{commands,timeline-entries}.ts',
      'state/{rejected-token,resend-many,route,sent-text,tab-stream,verify-signature}.ts',
      'text/{error-text,visible-children}.ts',
      'views/{group-steps,order-state}.ts',
    ],
    tests: ['test/dashboard'],
    goal: 80,
  },
  terminal: { tests: ['test/cli/output/terminal-text.test.ts', 'test/terminal'], goal: 80 },
  node: { tests: ['test/node'], goal: 80 },
  msw: { tests: ['test/msw'], goal: 80 },
  vitest: { tests: ['test/vitest'], goal: 80 },
  'system-clock': { tests: ['test/system-clock'], goal: 80 },
  'package-files': { tests: ['test/package-files'], goal: 80 },
}

const NOTICED = ['Killed', 'Timeout']
const COUNTED = [...NOTICED, 'Survived', 'NoCoverage']

const withStatic = process.argv.includes('--static')
const part = option('part', /^\d+\/\d+$/) ?? '1/1'
const sample = option('sample', /^\d+\/\d+$/) ?? '1/1'
const timeout = Number(option('timeout', /^\d+$/) ?? 8)
const concurrency = Number(option('concurrency', /^[1-9]\d*$/) ?? 2)
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const unknown = asked.filter((name) => !Object.hasOwn(FOLDERS, name))
if (unknown.length > 0) {
  process.stderr.write(`Unknown: ${unknown.join(', ')}. Known folders: ${Object.keys(FOLDERS).join(', ')}.\n`)
  process.exit(2)
}

const rows = []
for (const name of asked.length > 0 ? asked : Object.keys(FOLDERS)) rows.push(await mutate(name, FOLDERS[name]))
console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])))
process.exitCode = rows.every(({ noticed, goal }) => noticed >= goal) ? 0 : 1

/** Returns the value of the option `--name=VALUE`. */
function option(name, form) {
  const start = `--${name}=`
  return process.argv.find((word) => word.startsWith(start) && form.test(word.slice(start.length)))?.slice(start.length)
}

async function mutate(name, { tests, except = [], only = ['**/*.{ts,tsx}'], goal }) {
  const otherFolders = Object.keys(FOLDERS).filter((other) => other.startsWith(`${name}/`))
  process.env.PSP_MUTATION_TESTS = tests.join(' ')
  process.env.PSP_MUTATION_EXCEPT = except.join(' ')
  process.env.PSP_MUTATION_PART = part
  process.env.PSP_MUTATION_SAMPLE = sample
  mkdirSync('.mutation', { recursive: true })
  const stryker = new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', fileURLToPath(new URL('mutation-part.mjs', import.meta.url))],
    ignorers: ['part'],
    // Vitest's search for related tests would leave out tests that reach the code through another module.
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    mutate: [...only.map((files) => `src/${name}/${files}`), ...otherFolders.map((other) => `!src/${other}/**/*`)],
    coverageAnalysis: 'perTest',
    concurrency,
    incremental: true,
    incrementalFile: `.mutation/${[name, part, ...(sample === '1/1' ? [] : ['sample', sample])].join('-').replaceAll('/', '-')}.json`,
    tempDirName: '.mutation/sandbox',
    ignorePatterns: ['dist', 'docs/pictures', 'bench', '.mutation'],
    reporters: ['survivors', 'progress-append-only'],
    // A change of a constant of a module needs all tests of the folder. `--static` includes these mutants.
    ignoreStatic: !withStatic,
    timeoutMS: timeout * 1000,
    dryRunTimeoutMinutes: 15,
  })
  const results = (await stryker.runMutationTest()).filter(({ status }) => COUNTED.includes(status))
  const noticed = results.filter(({ status }) => NOTICED.includes(status)).length
  return {
    name,
    mutants: results.length,
    survived: results.length - noticed,
    timedOut: results.filter(({ status }) => status === 'Timeout').length,
    noticed: Math.floor((100 * noticed) / results.length),
    goal,
  }
}
