// `npm run bench -- executable [--rounds=15]`, after `npm run binary -- linux-x64`. Compares the executable with the npm package.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { formatSpread, ratios, report, spread } from './report.mjs'
import { PSP } from './servers.mjs'

export const MEASURES = 'the size of the executable, and its start next to the npm package'

const ROUNDS = Number(process.argv.find((each) => each.startsWith('--rounds='))?.slice('--rounds='.length) ?? 15)
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const EXECUTABLE = new URL(`../release/psp-${version}-linux-x64`, import.meta.url).pathname

if (existsSync(EXECUTABLE)) await measure()
else console.log('There is no executable to measure. Build it with `npm run binary -- linux-x64`.')

async function measure() {
  const cases = [
    ['--version', runVersion],
    ['serve to ready', serveUntilReady],
  ].map(([name, run]) => ({ name, run, npm: [], executable: [] }))
  // The first rounds write the code cache of the npm package, and fill the file cache.
  for (let round = -2; round < ROUNDS; round++) {
    for (const each of cases) {
      const npm = await timeOf(() => each.run(process.execPath, [PSP]))
      const executable = await timeOf(() => each.run(EXECUTABLE, []))
      if (round < 0) continue
      each.npm.push(npm)
      each.executable.push(executable)
    }
  }
  report(
    'Start of the executable',
    cases.map(({ name, npm, executable }) => ({
      command: name,
      'npm ms': formatSpread(spread(npm)),
      'executable ms': formatSpread(spread(executable)),
      ratio: formatSpread(ratios(executable, npm), 2),
      budget: '1.30',
    })),
    [`${ROUNDS} rounds, in turn. A lower ratio is better. The npm package runs in Node ${process.versions.node}.`],
  )
  const packed = Number(spawnSync('sh', ['-c', 'xz -c -T2 "$0" | wc -c', EXECUTABLE], { encoding: 'utf8' }).stdout)
  report('Size of the executable', [
    { form: 'file', MB: (statSync(EXECUTABLE).size / 1e6).toFixed(1), budget: '90' },
    { form: 'xz', MB: (packed / 1e6).toFixed(1), budget: '26' },
  ])
}

async function timeOf(run) {
  const start = performance.now()
  return (await run()) - start
}

function runVersion(file, args) {
  spawnSync(file, [...args, '--version'])
  return performance.now()
}

/** Returns the time of the first line, which the server prints when it is ready. It ends normally, which writes caches. */
async function serveUntilReady(file, args) {
  const child = spawn(file, [...args, 'serve', '--port', '0', '--ephemeral', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const at = performance.now()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.stdout.resume()
  child.kill('SIGTERM')
  await ended
  return at
}
