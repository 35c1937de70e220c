// `npm run bench -- tui [--seconds=20] [--rate=500] [--stored=10000] [--sizes=80x24,200x50]`
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillWithPayments, loadEvenly } from './even-load.mjs'
import { cpuTime, residentMemory } from './processes.mjs'
import { report } from './report.mjs'
import { PSP, serve } from './servers.mjs'

export const MEASURES = 'the terminal view: processor time and memory under many changes'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const SECONDS = Number(flags.seconds ?? 20)
const RATE = Number(flags.rate ?? 500)
const STORED = Number(flags.stored ?? 10_000)
const SIZES = (flags.sizes ?? '80x24,200x50').split(',')

const QUICK = ['--set', 'delays.session=200ms', '--set', 'delays.bank=200ms']

/** Nothing listens there, so each webhook fails and waits for its next attempt. */
const UNREACHABLE = 'http://127.0.0.1:9/'

/** Each payment changes its status twice: to processing and to succeeded. */
const CREATES = RATE / 2

const rows = []
for (const size of SIZES) rows.push(...(await measure(size)))
report('psp ui', rows, [
  `${STORED} payments stored, and an unreachable webhook endpoint. Under load ${CREATES} creates per second, each with two changes of status, an event and its attempts. ${SECONDS} s each.`,
  'Core: processor time of all threads of the view, as a percentage of one core. The server is another process.',
])

async function measure(size) {
  const server = await serve([...QUICK, '--ephemeral', '--endpoint', UNREACHABLE])
  const url = server.url
  await fillWithPayments(url, STORED)
  const view = await openView(url, size)
  await sleep(4000)
  await listsAreRead(view.pid)
  const idle = await cost(view.pid, async () => await sleep(SECONDS * 1000))
  const busy = await cost(view.pid, async () => await loadEvenly(url, CREATES, SECONDS))
  const after = await cost(view.pid, async () => await loadEvenly(url, CREATES, SECONDS))
  await view.close()
  await server.stop()
  return [
    { terminal: `${size}, idle`, ...idle },
    { terminal: `${size}, ${RATE} changes/s`, ...busy },
    { terminal: `${size}, ${RATE} changes/s, later`, ...after },
  ]
}

/** Waits until the view has read its lists and needs less of the processor: that work would count as idle time. */
async function listsAreRead(pid) {
  for (let second = 0; second < 60; second++) {
    const before = cpuTime(pid)
    await sleep(1000)
    if (cpuTime(pid) - before < 20) return
  }
}

async function cost(pid, during) {
  const [cpu, start] = [cpuTime(pid), performance.now()]
  const created = await during()
  const took = performance.now() - start
  return {
    'core %': Number(((100 * (cpuTime(pid) - cpu)) / took).toFixed(1)),
    'memory MB': Math.round(residentMemory(pid)),
    'changes/s': created === undefined ? 0 : Math.round((2000 * created) / took),
  }
}

/** Runs the view in a terminal that `script` creates. `stty` sets its size. */
async function openView(url, size) {
  const folder = mkdtempSync(join(tmpdir(), 'psp-bench-tui-'))
  const [columns, lines] = size.split('x')
  const pidFile = join(folder, 'pid')
  const command = `stty cols ${columns} rows ${lines}; echo $$ > ${pidFile}; exec ${process.execPath} ${PSP} ui --url ${url}`
  const child = spawn('script', ['-qfec', command, '/dev/null'], { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const pid = await readPid(pidFile)
  return {
    pid,
    async close() {
      child.stdin.write('q')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function readPid(file) {
  for (;;) {
    try {
      const pid = Number(readFileSync(file, 'utf8'))
      if (pid > 0) return pid
    } catch {}
    await sleep(50)
  }
}
