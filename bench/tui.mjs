// `npm run bench -- tui [--seconds=20] [--rate=500] [--stored=10000] [--sizes=80x24,200x50]`
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuTime, residentMemory } from './processes.mjs'
import { report } from './report.mjs'
import { HEADERS, PSP, serve } from './servers.mjs'

export const MEASURES = 'psp ui in a terminal: processor time and memory while much happens'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const SECONDS = Number(flags.seconds ?? 20)
const RATE = Number(flags.rate ?? 500)
const STORED = Number(flags.stored ?? 10_000)
const SIZES = (flags.sizes ?? '80x24,200x50').split(',')

const QUICK = ['--set', 'delays.session=200ms', '--set', 'delays.bank=200ms']

/** Each webhook is tried, refused, and waits for its next attempt. */
const NOBODY = 'http://127.0.0.1:9/'

/** A payment changes its status twice: to processing, to succeeded. */
const CREATES = RATE / 2
/** ms between two handfuls of creates. */
const BEAT = 20

const rows = []
for (const size of SIZES) rows.push(...(await measure(size)))
report('psp ui', rows, [
  `${STORED} payments stored and a webhook endpoint that nobody answers at; while busy ${CREATES} creates a second, each with two changes of status, an event and its attempts. ${SECONDS} s each.`,
  'Core: processor time of the view alone, all its threads, as a part of one core. The server is another process.',
])

async function measure(size) {
  const server = await serve([...QUICK, '--ephemeral', '--endpoint', NOBODY])
  const url = server.url
  await fill(url)
  const view = await openView(url, size)
  await sleep(4000)
  const idle = await cost(view.pid, async () => await sleep(SECONDS * 1000))
  const busy = await cost(view.pid, async () => await load(url))
  const after = await cost(view.pid, async () => await load(url))
  await view.close()
  await server.stop()
  return [
    { terminal: `${size}, nothing happens`, ...idle },
    { terminal: `${size}, ${RATE} changes/s`, ...busy },
    { terminal: `${size}, ${RATE} changes/s, later`, ...after },
  ]
}

async function cost(pid, during) {
  const [cpu, began] = [cpuTime(pid), performance.now()]
  const made = await during()
  const took = performance.now() - began
  return {
    'core %': Number(((100 * (cpuTime(pid) - cpu)) / took).toFixed(1)),
    'memory MB': Math.round(residentMemory(pid)),
    'changes/s': made === undefined ? 0 : Math.round((2000 * made) / took),
  }
}

/** Creates at an even rate, whatever the answers take. @returns how many were answered */
async function load(url) {
  const until = performance.now() + SECONDS * 1000
  const waiting = new Set()
  let made = 0
  let owed = 0
  let last = performance.now()
  while (performance.now() < until) {
    owed += ((performance.now() - last) / 1000) * CREATES
    last = performance.now()
    for (; owed >= 1 && waiting.size < 200; owed--) {
      const call = create(url, { amount: 150_000, method: 'sbp' }).then(() => {
        made++
        waiting.delete(call)
      })
      waiting.add(call)
    }
    await sleep(BEAT)
  }
  await Promise.all(waiting)
  return made
}

async function fill(url) {
  for (let left = STORED; left > 0; left -= 100) {
    const body = { amount: 10_001, method: 'sbp', metadata: { simulate: 'requires_action' } }
    await Promise.all(Array.from({ length: Math.min(100, left) }, () => create(url, body)))
  }
}

async function create(url, body) {
  const reply = await fetch(`${url}/v1/public/payments`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(body),
  })
  await reply.arrayBuffer()
}

/** `script` gives the view a terminal of its own, whose size `stty` sets. */
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
