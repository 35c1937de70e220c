// Compares each form in which psp is released with the npm package: `npm run bench -- executable [--rounds=15]`. Before
// it, run `npm run binary -- linux-x64`, `npm run image` and `npm run packages`.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { EXECUTABLE, releaseForms } from './release-forms.mjs'
import { formatSpread, ratios, report, spread } from './report.mjs'

export const MEASURES =
  'the sizes and start times of the executable, the image and the packages, next to the npm package'

const ROUNDS = Number(process.argv.find((each) => each.startsWith('--rounds='))?.slice('--rounds='.length) ?? 15)
const CASES = [
  { name: '--version', key: 'version', run: runVersion },
  { name: 'serve to ready', key: 'serve', run: serveUntilReady },
]

if (existsSync(EXECUTABLE)) await measure()
else console.log('There is no executable to measure. Build it with `npm run binary -- linux-x64`.')

async function measure() {
  const forms = releaseForms()
  reportSizes(forms)
  await reportStarts(forms.filter(({ command }) => command !== undefined))
}

function reportSizes(forms) {
  const [npm] = forms
  const rows = forms.map(({ form, bytes, packed, unpacked }) => ({
    form,
    'file MB': megabytes(bytes),
    'to the npm package': (bytes / npm.bytes).toFixed(1),
    'unpacked MB': megabytes(unpacked),
    'xz MB': megabytes(packed),
    budget: { executable: '90, xz 26', image: 'unpacked 110' }[form] ?? '',
  }))
  report('Sizes', rows, [
    'The npm package also needs Node, hono and zod. The other forms contain them. Completion scripts and licences are included.',
  ])
}

async function reportStarts(forms) {
  const times = new Map(forms.map(({ form }) => [form, { version: [], serve: [] }]))
  // The first rounds write the code cache of the npm package, and fill the file cache.
  for (let round = -2; round < ROUNDS; round++) {
    for (const { key, run } of CASES) {
      for (const { form, command } of forms) {
        const [file, ...args] = command
        const time = await timeOf(() => run(file, args))
        if (round >= 0) times.get(form)[key].push(time)
      }
    }
  }
  const npm = times.get(forms[0].form)
  const rows = CASES.flatMap(({ name, key }) =>
    forms.map(({ form }) => ({
      command: `${name}, ${form}`,
      ms: formatSpread(spread(times.get(form)[key])),
      'to the npm package': formatSpread(ratios(times.get(form)[key], npm[key]), 2),
      budget: form === 'executable' ? '1.30' : '',
    })),
  )
  report('Start times', rows, [
    `${ROUNDS} rounds, in turn. A lower ratio is better. The npm package runs in Node ${process.versions.node}, the wheel starts Python first, and the image runs by chroot.`,
  ])
}

function megabytes(bytes) {
  return bytes === undefined ? '' : (bytes / 1e6).toFixed(1)
}

async function timeOf(run) {
  const start = performance.now()
  return (await run()) - start
}

function runVersion(file, args) {
  spawnSync(file, [...args, '--version'])
  return performance.now()
}

/** Returns the time at which the server is ready. The server ends normally, so that it writes its caches. */
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
