// Processes that a measurement starts and ends: the server on the first core, the load on the second, where the machine
// lets them be chosen.
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const PINS = availableParallelism() >= 2 && process.platform === 'linux'

/** For the notes below a table. */
export const CORES = PINS
  ? 'Server and load run on a core each.'
  : 'Server and load share the cores: this machine lets none be chosen.'

const onCore = (core, command) => (PINS ? ['taskset', '-c', String(core), ...command] : command)

/** Starts a server and resolves once it answers HTTP. `command` and `env` are made for the port it gets. */
export async function startServer(command, { env = () => ({}), timeout = 60_000 } = {}) {
  const port = await freePort()
  const [program, ...args] = onCore(0, command(port))
  const child = spawn(program, args, {
    env: { ...process.env, ...env(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(-2000)
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  const until = Date.now() + timeout
  while (!(await answers(url))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`It ended: ${complaint.trim().split('\n').at(-1)}`)
    if (Date.now() > until) throw new Error(`It did not answer within ${timeout / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url,
    pid: child.pid,
    /** The last line it wrote to stderr. */
    complaint: () => complaint.trim().split('\n').at(-1),
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await ended
      clearTimeout(timer)
      running.delete(child)
    },
  }
}

/** @param file of bench/, which reads `input` as JSON from stdin @returns what it printed, parsed */
export function runOnLoadCore(file, input) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const [program, ...args] = onCore(1, [process.execPath, path])
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      running.delete(child)
      if (error === null) resolve(JSON.parse(stdout))
      else reject(new Error(stderr || error.message))
    })
    running.add(child)
    child.stdin.end(JSON.stringify(input))
  })
}

/** Processor time that a process took so far, all threads, in ms; `undefined` where the system does not tell. */
export function cpuTime(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return undefined
  }
}

/** Resident memory in MB; `VmHWM`: the most it ever had. */
export function residentMemory(pid, field = 'VmRSS') {
  const kb = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) / 1024
}

async function answers(url) {
  try {
    await (await fetch(url, { signal: AbortSignal.timeout(2000) })).arrayBuffer()
    return true
  } catch {
    return false
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
