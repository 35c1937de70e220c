// `npm run bench -- start [--rounds=15] [--stored=100000] [--other=FOLDER]`
// With --other, another built checkout of psp runs in the same rounds.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFilledDirectory } from './filled-directory.mjs'
import { residentMemory } from './processes.mjs'
import { formatSpread, ratios, report, spread } from './report.mjs'
import { newFolder, PSP, serve } from './servers.mjs'

export const MEASURES = 'the duration of commands, the time until a server is ready, and its memory then'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const ROUNDS = Number(flags.rounds ?? 15)
const STORED = Number(flags.stored ?? 100_000)

const server = await serve(['--clock', 'frozen'])
const filled = await createFilledDirectory(STORED)
const cases = [
  { name: 'node -e 0', run: () => command('-e', '0') },
  { name: 'npx psp --version', run: () => program('npx', 'psp', '--version') },
  ...casesOf('psp', PSP),
  ...(flags.other === undefined ? [] : casesOf('other psp', join(flags.other, 'bin/psp.js'))),
  { name: `psp serve to ready, ${STORED} payments`, run: () => startUntilReady(PSP, filled) },
]
for (const each of cases) Object.assign(each, { elapsed: [], cpu: [], memory: [] })

for (let round = -1; round < ROUNDS; round++) {
  for (const each of cases) {
    const before = cpuOfChildren()
    const start = performance.now()
    const { at, memory } = await each.run()
    // The first round only fills the file cache.
    if (round < 0) continue
    each.elapsed.push(at - start)
    each.cpu.push(cpuOfChildren() - before)
    if (memory !== undefined) each.memory.push(memory)
  }
}
await server.stop()

const [node] = cases
report(
  'Start times',
  cases.map(({ name, elapsed, cpu, memory }) => ({
    command: name,
    ms: formatSpread(spread(elapsed)),
    ratio: formatSpread(ratios(elapsed, node.elapsed), 2),
    'CPU ms': mean(cpu),
    'CPU ratio': (mean(cpu) / mean(node.cpu)).toFixed(2),
    'MB when ready': memory.length > 0 ? formatSpread(spread(memory)) : '',
  })),
  [
    `${ROUNDS} rounds, in turn. Ratios are to node -e 0 of the same round; a lower ratio is better. CPU is the mean processor time (user and system) of the whole process, for a server including its shutdown.`,
  ],
)

function casesOf(name, file) {
  const to = ['--url', server.url, '--json']
  return [
    { name: `${name} --version`, run: () => command(file, '--version') },
    { name: `${name} --help`, run: () => command(file, '--help') },
    { name: `${name} payments create`, run: () => command(file, 'payments', 'create', '--amount', '1500', ...to) },
    { name: `${name} payments list`, run: () => command(file, 'payments', 'list', ...to) },
    { name: `${name} serve to ready, new folder`, run: () => startUntilReady(file, newFolder()) },
  ]
}

function command(...args) {
  return program(process.execPath, ...args)
}

function program(file, ...args) {
  const { status, stderr } = spawnSync(file, args, { encoding: 'utf8' })
  const at = performance.now()
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`)
  return { at }
}

async function startUntilReady(file, folder) {
  const args = [file, 'serve', '--port', '0', '--data', folder, '--json', '--quiet', '--clock', 'frozen']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('exit', (code) => reject(new Error(`psp serve exited with ${code}`)))
  })
  const at = performance.now()
  const memory = process.platform === 'linux' ? residentMemory(child.pid) : undefined
  child.kill('SIGTERM')
  await ended
  return { at, memory }
}

/** Returns the processor time of exited child processes in ms. */
function cpuOfChildren() {
  if (process.platform !== 'linux') return Number.NaN
  const text = readFileSync('/proc/self/stat', 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

function mean(values) {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
}
