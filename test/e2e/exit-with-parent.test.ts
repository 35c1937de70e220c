// A server with --exit-with-parent, and the process that started it, which SIGKILL ends without a word to its children.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BIN, createWorkspace } from './helpers.ts'

let folder: ReturnType<typeof createWorkspace>
beforeEach(() => {
  folder = createWorkspace()
})
afterEach(async () => {
  for (const pid of servers.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  await folder.remove()
})
const servers: number[] = []

/** The parent ends as soon as psp has run its first line. */
const EARLY_END = `
  let now = process.ppid
  const { getBuiltinModule } = process
  Object.defineProperty(process, 'ppid', { get: () => now })
  process.getBuiltinModule = (name) => {
    now = 1
    return getBuiltinModule(name)
  }
`

/** Starts a server as a test suite does, with pipes, and prints its first line. */
const PARENT = `
  const { spawn } = require('node:child_process')
  const server = spawn(process.execPath, process.argv.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] })
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

async function started(...flags: string[]) {
  const words = [BIN, 'serve', '--port', '0', '--json', '--ready-file', 'psp.json', ...flags]
  const { parent, line } = await startedBy(words)
  const ready = JSON.parse(line) as { url: string; pid: number; api_key: string }
  servers.push(ready.pid)
  return { parent, ready }
}

async function startedBy(words: readonly string[], variables: Record<string, string> = {}) {
  const parent = spawn(process.execPath, ['-e', PARENT, '--', ...words], {
    cwd: folder.cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder.cwd, ...variables },
  })
  const line = await new Promise<string>((resolve, reject) => {
    parent.stdout.once('data', (bytes) => resolve(String(bytes)))
    parent.once('exit', (code) => reject(new Error(`The parent ended with ${code}.`)))
  })
  return { parent, line }
}

async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise<void>((done) => setTimeout(done, 20))
}

test('a server with --exit-with-parent ends cleanly after SIGKILL of its parent', async () => {
  const { parent, ready } = await started('--exit-with-parent')
  const created = await fetch(`${ready.url}/v1/public/payments`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ready.api_key}`, 'Content-Type': 'application/json' },
    body: '{"amount":100}',
  })
  expect(created.status).toBe(201)
  parent.kill('SIGKILL')
  await gone(ready.pid)
  const data = join(folder.cwd, '.psp')
  expect(readdirSync(data)).not.toContain('lock')
  expect(existsSync(join(folder.cwd, 'psp.json'))).toBe(false)
  // A clean end leaves the rows in pages, so that the next start has no journal to replay.
  expect(readdirSync(join(data, 'pages')).join()).toContain('payments')
  const listed = await folder.psp('payments', 'list', '--json')
  expect(JSON.parse(listed.stdout).items).toHaveLength(1)
})

test('a server with --exit-with-parent ends if its parent ended while psp was loading', async () => {
  writeFileSync(join(folder.cwd, 'early-end.cjs'), EARLY_END)
  const words = ['--require', './early-end.cjs', BIN, 'serve', '--port', '0', '--exit-with-parent']
  const server = spawn(process.execPath, words, { cwd: folder.cwd, stdio: 'ignore' })
  servers.push(server.pid ?? 0)
  expect(await new Promise((done) => server.once('exit', done))).toBe(0)
})

test.each([
  ['the flag', ['--exit-with-parent'], {}],
  ['the variable', [], { PSP_EXIT_WITH_PARENT: '1' }],
])('`psp exec` with %s ends its command and itself after SIGKILL of its parent', async (_, flags, variables) => {
  const child = 'console.log(JSON.stringify([process.pid, process.ppid])); setInterval(() => {}, 1000)'
  const words = [BIN, 'exec', ...flags, '--', process.execPath, '-e', child]
  const { parent, line } = await startedBy(words, variables)
  const pids = JSON.parse(line) as number[]
  servers.push(...pids)
  parent.kill('SIGKILL')
  for (const pid of pids) await gone(pid)
})

test('a server without --exit-with-parent serves on after SIGKILL of its parent', async () => {
  const { parent, ready } = await started()
  const closed = new Promise((done) => parent.once('close', done))
  parent.kill('SIGKILL')
  await closed
  expect((await fetch(`${ready.url}/_psp/health`)).status).toBe(200)
})

test('a server with --exit-with-parent does not depend on its stdin', async () => {
  const server = await folder.serve('--exit-with-parent')
  expect((await fetch(`${server.ready.url}/_psp/health`)).status).toBe(200)
  server.child.kill('SIGTERM' as never)
  expect((await server.child).exitCode).toBe(0)
})
