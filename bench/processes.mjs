// Starts and stops the processes of a measurement. On Linux with two cores or more, the server runs on the first core
// and the load on the second.
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

/** A note for the report. */
export const CORES = PINS
  ? 'Server and load run on separate cores.'
  : 'Server and load share the cores, because this machine cannot pin them.'

const onCore = (core, command) => (PINS ? ['taskset', '-c', String(core), ...command] : command)

/** Starts a server and resolves when it responds to HTTP. `command` and `env` are functions of its port. */
export async function startServer(command, { env = () => ({}), timeout = 60_000 } = {}) {
  const port = await freePort()
  const [program, ...args] = onCore(0, command(port))
  const child = spawn(program, args, {
    env: { ...process.env, ...env(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-2000)
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + timeout
  while (!(await isResponding(url))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server exited: ${errors.trim().split('\n').at(-1)}`)
    if (Date.now() > deadline) throw new Error(`The server did not respond within ${timeout / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url,
    pid: child.pid,
    ended,
    kill: (signal) => child.kill(signal),
    /** Returns the last line of stderr. */
    lastError: () => errors.trim().split('\n').at(-1),
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await ended
      clearTimeout(timer)
      running.delete(child)
    },
  }
}

/**
 * Runs a script of bench/ that reads `input` as JSON from stdin.
 * @returns its output, parsed as JSON
 */
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

/** Returns the processor time of all threads of a process in ms, or `undefined` if the system does not provide it. */
export function cpuTime(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return undefined
  }
}

/** Waits until a process uses almost no processor time for 2.5 s, which is longer than any pause between two steps. */
export async function waitForIdle({ pid }) {
  let before
  do {
    before = cpuTime(pid)
    await new Promise((resolve) => setTimeout(resolve, 2500))
  } while (cpuTime(pid) - before > 25)
}

/** Returns the resident memory in MB. The field `VmHWM` is the peak. */
export function residentMemory(pid, field = 'VmRSS') {
  const kb = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) / 1024
}

async function isResponding(url) {
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
