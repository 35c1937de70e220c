// A data directory has one writer, also if servers and commands start at once or a server is killed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BIN, createWorkspace } from './helpers.ts'

let workspace: ReturnType<typeof createWorkspace>
beforeEach(() => {
  workspace = createWorkspace()
})
afterEach(() => workspace.remove())

it('at most one of several servers that start at once runs, and each reported payment is stored once', async () => {
  const reported: string[] = []
  const create = async (n: number) => {
    const { exitCode, stdout, stderr } = await workspace.psp(
      'payments',
      'create',
      '--amount',
      '100',
      '--order-id',
      `o-${n}`,
      '--json',
    )
    expect([0, 6, 9], stderr).toContain(exitCode)
    if (exitCode === 0) reported.push(JSON.parse(stdout).payment.id)
  }
  const serve = () => workspace.serve('--quiet').catch((error: Error) => error)
  const work = [1, 2, 3].map(create)
  const servers = [serve(), serve(), serve()]
  work.push(...[4, 5, 6].map(create))
  const outcomes = await Promise.all(servers)
  await Promise.all(work)
  const ready = outcomes.filter((outcome) => !(outcome instanceof Error))
  expect(ready.length).toBeLessThanOrEqual(1)
  for (const outcome of outcomes) {
    if (outcome instanceof Error) expect(outcome.message).toMatch(/The data directory .* is in use by process \d+/)
  }
  expect(reported.length).toBeGreaterThan(0)
  const { stdout } = await workspace.psp('payments', 'list', '--json')
  const stored = (JSON.parse(stdout).items as { id: string; order_id: string }[]).map(({ id }) => id)
  for (const id of reported) expect(stored.filter((each) => each === id)).toEqual([id])
  expect(new Set(stored).size).toBe(stored.length)
})

it('a second server exits with 9 and names pid and URL, and the lock of a killed server is replaced', async () => {
  const first = await workspace.serve('--quiet')
  const second = await workspace.psp('serve', '--port', '0')
  expect(second.exitCode).toBe(9)
  expect(second.stderr).toContain(`in use by process ${first.ready.pid} (${first.ready.url})`)
  expect(second.stdout).toBe('')
  first.child.kill('SIGKILL')
  await first.child
  const next = await workspace.serve('--quiet')
  next.child.kill('SIGKILL')
  await next.child
  // The pid of the killed server now belongs to another live process.
  const path = join(workspace.cwd, '.psp', 'lock')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), pid: process.pid }))
  const last = await workspace.serve('--quiet')
  expect(last.ready.pid).not.toBe(next.ready.pid)
})

/** Runs a command in a separate pid namespace, as in a container. */
const CONTAINER = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child']
const hasContainers = spawnSync(CONTAINER[0] ?? '', [...CONTAINER.slice(1), 'true']).status === 0

it.skipIf(!hasContainers)(
  'a server in a second container exits with 9, and starts after the first one is killed',
  async () => {
    const [unshare = '', ...flags] = CONTAINER
    const inContainer = (...args: string[]) =>
      execa(unshare, [...flags, BIN, ...args], {
        cwd: workspace.cwd,
        reject: false,
        stdin: 'ignore',
        timeout: 150_000,
      })
    const first = inContainer('serve', '--port', '0', '--json')
    await expect.poll(() => existsSync(join(workspace.cwd, '.psp', 'lock')), { timeout: 60_000 }).toBe(true)
    const second = await inContainer('serve', '--port', '0')
    expect(second.exitCode).toBe(9)
    expect(second.stderr).toMatch(/in use by process \d+.* of another container or machine/)
    expect((await workspace.psp('payments', 'list')).exitCode).toBe(9)
    first.kill('SIGKILL')
    await first
    const third = await workspace.serve('--quiet')
    expect(third.ready.url).toContain('http://')
  },
)

it('a server whose pages cannot be written exits with 1, and the next start has its data', async () => {
  const server = await workspace.serve('--quiet')
  expect((await workspace.psp('payments', 'create', '--amount', '100')).exitCode).toBe(0)
  const pages = join(workspace.cwd, '.psp', 'pages', 'payments')
  writeFileSync(pages, 'in the way')
  server.child.kill('SIGTERM')
  const { exitCode, stderr } = await server.child
  expect(exitCode).toBe(1)
  expect(JSON.parse(stderr.split('\n').at(-1) ?? '').error).toMatchObject({
    code: 'pages_not_written',
    message: expect.stringMatching(/The pages of .* could not be written: .*the journal has the missing changes/),
  })
  rmSync(pages)
  const { stdout } = await workspace.psp('payments', 'list', '--json')
  expect(JSON.parse(stdout).items).toHaveLength(1)
})

it('a server whose journal is truncated reports it, refuses changes and exits with 1', async () => {
  const server = await workspace.serve()
  expect((await workspace.psp('payments', 'create', '--amount', '100')).exitCode).toBe(0)
  truncateSync(join(workspace.cwd, '.psp', 'journal', '000000000001.ndjson'))
  await expect.poll(async () => (await workspace.psp('payments', 'create', '--amount', '100')).exitCode).not.toBe(0)
  const saved = await workspace.psp('store', 'export', 'saved.json', '--url', server.ready.url)
  expect(saved.exitCode).toBe(0)
  server.child.kill('SIGTERM')
  const { exitCode, stderr } = await server.child
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/000000000001\.ndjson was truncated while psp used it/)
})

it('a server whose data directory is removed refuses changes, does not disturb the next server, and exits with 1', async () => {
  const create = ({ url, api_key }: { url: string; api_key: string }) =>
    fetch(`${url}/v1/public/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: '{"amount":100}',
    })
  const first = await workspace.serve('--quiet')
  expect((await create(first.ready)).status).toBe(201)
  rmSync(join(workspace.cwd, '.psp'), { recursive: true })
  await expect.poll(async () => (await create(first.ready)).status).toBe(503)
  expect(existsSync(join(workspace.cwd, '.psp'))).toBe(false)
  const saved = await workspace.psp('store', 'export', 'saved.json', '--url', first.ready.url)
  expect([saved.exitCode, existsSync(join(workspace.cwd, 'saved.json'))]).toEqual([0, true])

  const second = await workspace.serve('--quiet')
  const kept = await Promise.all([1, 2, 3].map(async () => (await create(second.ready)).json()))
  first.child.kill('SIGTERM')
  const { exitCode, stderr } = await first.child
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/was removed or moved away while psp used it.*psp store export FILE --url/s)
  expect(stderr).toMatch(/The data directory was lost/)
  kept.push(await (await create(second.ready)).json())
  second.child.kill('SIGKILL')
  await second.child
  const { stdout } = await workspace.psp('payments', 'list', '--json')
  const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort()
  expect(ids(JSON.parse(stdout).items)).toEqual(ids(kept.map((each) => (each as { payment: { id: string } }).payment)))
})
