// A state that is larger than the heap of a command is streamed.
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BIN, createWorkspace, isExecutable } from './helpers.ts'

const PAYMENTS = 1170
/** The heap in MB, smaller than the file. A command needs about 20 MB. */
const HEAP = 32

// The executable takes no options of Node, so its heap is not limited.
const [PSP, LIMIT] = isExecutable ? [BIN, []] : ['node', [`--max-old-space-size=${HEAP}`, BIN]]

let workspace: ReturnType<typeof createWorkspace>
beforeEach(() => {
  workspace = createWorkspace()
})
afterEach(() => workspace.remove())

const limited = (...args: string[]) =>
  execa(PSP, [...LIMIT, ...args], {
    cwd: workspace.cwd,
    reject: false,
    stdin: 'ignore',
    timeout: 170_000,
  })

it('a state larger than the heap can be imported and exported by a command and through a server', async () => {
  const bytes = await writeState('large.json')
  expect(bytes).toBeGreaterThan(1.1 * HEAP * 1024 * 1024)

  const imported = await limited('store', 'import', 'large.json')
  expect([imported.exitCode, imported.stdout]).toEqual([0, 'imported the state from large.json'])
  expect(await count()).toBe(PAYMENTS)
  const exported = await limited('store', 'export', 'alone.json')
  expect([exported.exitCode, exported.stderr]).toEqual([0, expect.not.stringContaining('error')])
  expect(Math.abs(statSync(join(workspace.cwd, 'alone.json')).size - bytes)).toBeLessThan(10_000)

  const server = execa(PSP, [...LIMIT, 'serve', '--port', '0', '--json', '--quiet'], {
    cwd: workspace.cwd,
    reject: false,
    stdin: 'ignore',
    timeout: 170_000,
  })
  // The server prints its first line when it is ready.
  await once(server.stdout, 'data')
  expect((await limited('store', 'reset', '--all')).exitCode).toBe(0)
  expect((await limited('store', 'import', 'alone.json')).exitCode).toBe(0)
  expect(await count()).toBe(PAYMENTS)
  expect((await limited('store', 'snapshot', 'one')).exitCode).toBe(0)
  expect((await limited('store', 'restore', 'one')).exitCode).toBe(0)
  expect((await limited('store', 'export', 'served.json')).exitCode).toBe(0)
  expect(Math.abs(statSync(join(workspace.cwd, 'served.json')).size - bytes)).toBeLessThan(10_000)
  server.kill('SIGTERM')
  expect((await server).exitCode).toBe(0)
})

async function count(): Promise<number> {
  const { stdout } = await workspace.psp('request', 'GET', '/_psp/counts')
  return JSON.parse(stdout).payments
}

/** Writes an export with many payments, and returns its size in bytes. */
async function writeState(name: string): Promise<number> {
  await workspace.psp('payments', 'create', '--amount', '100')
  await workspace.psp('store', 'export', 'small.json')
  const [before = '', rest = ''] = readFileSync(join(workspace.cwd, 'small.json'), 'utf8').split('"payments":[\n')
  const [row = '', ...after] = rest.split('\n')
  const fd = openSync(join(workspace.cwd, name), 'w')
  writeSync(fd, `${before}"payments":[`)
  const filler = 'x'.repeat(32_000)
  for (let n = 0; n < PAYMENTS; n++) {
    const id = `5a0d0000-0000-4000-8000-${String(n).padStart(12, '0')}`
    // The payments are final, because a pending one has a timer in the heap.
    const settled = { status: 'succeeded', step: undefined, step_at: undefined }
    const payment = { ...JSON.parse(row.replace(/\],?$/, '')), ...settled, id, metadata: { filler: `${filler} ${n}` } }
    writeSync(fd, `${n === 0 ? '' : ','}\n${JSON.stringify(payment)}`)
  }
  writeSync(fd, `],\n${after.join('\n')}`)
  closeSync(fd)
  return statSync(join(workspace.cwd, name)).size
}
