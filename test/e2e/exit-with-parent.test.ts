// `--exit-with-parent` and a parent that SIGKILL ends. In-process tests of the flag are in test/cli/process.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BIN, createWorkspace, isExecutable, NODE } from './helpers.ts'

let workspace: ReturnType<typeof createWorkspace>
beforeEach(() => {
  workspace = createWorkspace()
})
afterEach(async () => {
  for (const pid of servers.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  await workspace.remove()
})
const servers: number[] = []

/** Simulates a parent that ends right after the first line of psp. */
const EARLY_END = `
  let now = process.ppid
  const { getBuiltinModule } = process
  Object.defineProperty(process, 'ppid', { get: () => now })
  process.getBuiltinModule = (name) => {
    now = 1
    return getBuiltinModule(name)
  }
`

/** A parent that starts psp with pipes, as a test suite does, and prints its first line. */
const PARENT = `
  const { spawn } = require('node:child_process')
  const server = spawn(process.argv[1], process.argv.slice(2), { stdio: ['pipe', 'pipe', 'pipe'] })
  server.stdout.once('data', (line) => process.stdout.write(line))
  server.stderr.resume()
`

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function startServer(...flags: string[]) {
  const words = [BIN, 'serve', '--port', '0', '--json', '--ready-file', 'psp.json', ...flags]
  const { parent, line } = await startWithParent(words)
  const ready = JSON.parse(line) as { url: string; pid: number; api_key: string }
  servers.push(ready.pid)
  return { parent, ready }
}

async function startWithParent(words: readonly string[]) {
  const parent = spawn(process.execPath, ['-e', PARENT, '--', ...words], {
    cwd: workspace.cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', HOME: workspace.cwd },
  })
  const line = await new Promise<string>((resolve, reject) => {
    parent.stdout.once('data', (bytes) => resolve(String(bytes)))
    parent.once('exit', (code) => reject(new Error(`The parent ended with ${code}.`)))
  })
  return { parent, line }
}

async function waitForEnd(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise<void>((done) => setTimeout(done, 20))
}

test('a server with --exit-with-parent ends cleanly after SIGKILL of its parent', async () => {
  const { parent, ready } = await startServer('--exit-with-parent')
  const created = await fetch(`${ready.url}/v1/public/payments`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ready.api_key}`, 'Content-Type': 'application/json' },
    body: '{"amount":100}',
  })
  expect(created.status).toBe(201)
  parent.kill('SIGKILL')
  await waitForEnd(ready.pid)
  const data = join(workspace.cwd, '.psp')
  expect(readdirSync(data)).not.toContain('lock')
  expect(existsSync(join(workspace.cwd, 'psp.json'))).toBe(false)
  // A clean end leaves the rows in pages, so that the next start has no journal to replay.
  expect(readdirSync(join(data, 'pages')).join()).toContain('payments')
  const listed = await workspace.psp('payments', 'list', '--json')
  expect(JSON.parse(listed.stdout).items).toHaveLength(1)
})

test.skipIf(isExecutable)(
  'a server with --exit-with-parent ends if its parent ended while psp was loading',
  async () => {
    writeFileSync(join(workspace.cwd, 'early-end.cjs'), EARLY_END)
    const words = ['--require', './early-end.cjs', BIN, 'serve', '--port', '0', '--exit-with-parent']
    const server = spawn(process.execPath, words, { cwd: workspace.cwd, stdio: 'ignore' })
    servers.push(server.pid ?? 0)
    expect(await new Promise((done) => server.once('exit', done))).toBe(0)
  },
)

test('`psp exec --exit-with-parent` ends its command and itself after SIGKILL of its parent', async () => {
  const child = 'console.log(JSON.stringify([process.pid, process.ppid])); setInterval(() => {}, 1000)'
  const { parent, line } = await startWithParent([BIN, 'exec', '--exit-with-parent', '--', NODE, '-e', child])
  const pids = JSON.parse(line) as number[]
  servers.push(...pids)
  parent.kill('SIGKILL')
  for (const pid of pids) await waitForEnd(pid)
})
