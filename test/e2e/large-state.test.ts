// States that are larger than the memory a command may use: they are streamed.
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BIN, createWorkspace } from './helpers.ts'

const PAYMENTS = 60_000
/** MB of heap: less than the file, whose text alone would fill it. */
const HEAP = 48

let folder: ReturnType<typeof createWorkspace>
beforeEach(() => {
  folder = createWorkspace()
})
afterEach(() => folder.remove())

const limited = (...args: string[]) =>
  execa('node', [`--max-old-space-size=${HEAP}`, BIN, ...args], {
    cwd: folder.cwd,
    reject: false,
    stdin: 'ignore',
    timeout: 170_000,
  })

it('a state that is larger than the heap is exported and imported, by a command alone and through a server', async () => {
  const bytes = await writeState('large.json')
  expect(bytes).toBeGreaterThan(1.5 * HEAP * 1024 * 1024)

  const imported = await limited('store', 'import', 'large.json')
  expect([imported.exitCode, imported.stdout]).toEqual([0, 'imported the state from large.json'])
  expect(await count()).toBe(PAYMENTS)
  const exported = await limited('store', 'export', 'alone.json')
  expect([exported.exitCode, exported.stderr]).toEqual([0, expect.not.stringContaining('error')])
  expect(Math.abs(statSync(join(folder.cwd, 'alone.json')).size - bytes)).toBeLessThan(10_000)

  const server = execa('node', [`--max-old-space-size=${HEAP}`, BIN, 'serve', '--port', '0', '--json', '--quiet'], {
    cwd: folder.cwd,
    reject: false,
    stdin: 'ignore',
    timeout: 170_000,
  })
  // Its first line is written when it is ready.
  await once(server.stdout, 'data')
  expect((await limited('store', 'reset', '--all')).exitCode).toBe(0)
  expect((await limited('store', 'import', 'alone.json')).exitCode).toBe(0)
  expect(await count()).toBe(PAYMENTS)
  expect((await limited('store', 'snapshot', 'one')).exitCode).toBe(0)
  expect((await limited('store', 'restore', 'one')).exitCode).toBe(0)
  expect((await limited('store', 'export', 'served.json')).exitCode).toBe(0)
  expect(Math.abs(statSync(join(folder.cwd, 'served.json')).size - bytes)).toBeLessThan(10_000)
  server.kill('SIGTERM')
  expect((await server).exitCode).toBe(0)
})

async function count(): Promise<number> {
  const { stdout } = await folder.psp('request', 'GET', '/_psp/counts')
  return JSON.parse(stdout).payments
}

/** An export of a new folder, with many payments more. @returns its bytes */
async function writeState(name: string): Promise<number> {
  await folder.psp('payments', 'create', '--amount', '100')
  await folder.psp('store', 'export', 'small.json')
  const [before = '', rest = ''] = readFileSync(join(folder.cwd, 'small.json'), 'utf8').split('"payments":[\n')
  const [row = '', ...after] = rest.split('\n')
  const fd = openSync(join(folder.cwd, name), 'w')
  writeSync(fd, `${before}"payments":[`)
  const filler = 'x'.repeat(800)
  for (let n = 0; n < PAYMENTS; n++) {
    const id = `5a0d0000-0000-4000-8000-${String(n).padStart(12, '0')}`
    // Settled: a pending one would have a timer in the heap.
    const settled = { status: 'succeeded', step: undefined, step_at: undefined }
    const payment = { ...JSON.parse(row.replace(/\],?$/, '')), ...settled, id, description: `${filler} ${n}` }
    writeSync(fd, `${n === 0 ? '' : ','}\n${JSON.stringify(payment)}`)
  }
  writeSync(fd, `],\n${after.join('\n')}`)
  closeSync(fd)
  return statSync(join(folder.cwd, name)).size
}
