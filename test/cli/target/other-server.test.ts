// A command names the server of another data directory at the default address.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualSystemClock } from '../../time/manual-system-clock.ts'
import { closeHandlers, createTestDir, psp, type RunningPsp, serveHandler, startPsp, waitUntil } from '../helpers.ts'

const there = createTestDir()
const here = createTestDir()
let server: RunningPsp
let url: string
let port: string

beforeAll(async () => {
  server = startPsp(['serve', '--port', '0', '--data', join(there.path, '.psp'), '--json'])
  url = JSON.parse(await waitUntil(() => server.output().includes('\n') && server.output().split('\n')[0])).url
  port = new URL(url).port
  // Loads the modules of a command. Otherwise their load could take up the time limit of the health check of the server.
  await psp('payments list', { cwd: here.path, env: { PSP_PORT: '1' } })
})
afterAll(async () => {
  server.signal('SIGINT')
  await server.ended
  closeHandlers()
  there.remove()
  here.remove()
})

const inHere = () => ({ cwd: here.path, env: { PSP_PORT: port } })

describe('a command whose folder has no server', () => {
  const note = () =>
    `A psp with another data directory (${join(there.path, '.psp')}) runs at ${url}. To use it, add --url ${url} or set PSP_URL.`

  test('a command names the server at the default address, and uses the data directory of its folder', async () => {
    const made = await psp('payments create --amount 100', inHere())
    expect(made.code).toBe(0)
    expect(made.stderr).toContain(note())
    expect(made.stderr).toContain('this command uses .psp directly')
  })

  test('the note about another psp is not on stdout, and --quiet omits it', async () => {
    const made = await psp('payments list --json', inHere())
    expect(Object.keys(JSON.parse(made.stdout))).toContain('items')
    expect(made.stderr).toContain(note())
    expect((await psp('payments list --quiet', inHere())).stderr).not.toContain('runs at')
  })

  test('`psp listen` and `psp wait` name the other psp', async () => {
    const listening = startPsp(['listen', '--forward', '3999'], inHere())
    await waitUntil(() => listening.errors().includes('Ready.'))
    listening.signal('SIGINT')
    expect((await listening.ended).stderr).toContain(note())
    const waited = await psp('wait payment.succeeded', inHere())
    expect(waited.code).toBe(6)
    expect(waited.stderr).toContain(note())
  })

  test('a command adds no note if no psp responds', async () => {
    const { stderr } = await psp('payments list', { cwd: here.path, env: { PSP_PORT: '1' } })
    expect(stderr).not.toContain('runs at')
  })
})

test('a second server on the port of a psp names its process, URL and data directory', async () => {
  const { code, stderr } = await psp(`serve --port ${port}`, { cwd: here.path })
  expect(code).toBe(9)
  expect(stderr).toContain(`Port ${port} is in use by another psp at ${url}, process ${process.pid}`)
  expect(stderr).toContain(`data directory ${join(there.path, '.psp')}`)
  expect(stderr).toContain(`--url ${url}`)
})

test('a psp on a busy machine is recognized if it responds within 2 s', async () => {
  const systemClock = manualSystemClock(Date.now())
  const address = await serveHandler(async (_, response) => {
    await systemClock.advance(1900)
    response.end('{"status":"ok","version":"0.1.0"}')
  })
  const busy = new URL(address).port
  const { code, stderr } = await psp(`serve --port ${busy}`, { cwd: here.path, systemClock })
  expect(code).toBe(9)
  expect(stderr).toContain(`Port ${busy} is in use by another psp`)
})

describe('doctor', () => {
  const portOf = async (env: Record<string, string>) => {
    const { stdout } = await psp('doctor --json', { cwd: here.path, env: { PSP_PORT: port, ...env } })
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'port')
  }

  test('`psp doctor` recognizes the psp of PSP_URL at its port', async () => {
    for (const given of [url, `${url}/`, url.replace('127.0.0.1', 'localhost'), `127.0.0.1:${port}`]) {
      expect(await portOf({ PSP_URL: given })).toMatchObject({ result: 'ok' })
    }
  })

  test('`psp doctor` names a psp of another data directory and how to use it', async () => {
    const found = await portOf({})
    expect(found).toMatchObject({ result: 'warn' })
    expect(found.found).toContain('is in use by psp')
    expect(found.fix).toContain(`--url ${url}`)
  })
})

test('a new data directory contains a .gitignore', async () => {
  expect(readFileSync(join(there.path, '.psp', '.gitignore'), 'utf8')).toBe('*\n')
  expect(existsSync(join(here.path, '.psp', '.gitignore'))).toBe(true)
})

test('`psp openapi` needs no server and creates no directory', async () => {
  const empty = createTestDir()
  for (const flag of ['', '--control']) {
    const { code, stdout, stderr } = await psp(`openapi ${flag}`, { cwd: empty.path, env: { PSP_PORT: '1' } })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0' })
    expect(stderr).toBe('')
  }
  expect(existsSync(join(empty.path, '.psp'))).toBe(false)
  empty.remove()
})

test('a command describes its sandbox in one line, and `psp doctor` does not report another server as the server of the data directory', async () => {
  const { stderr } = await psp('payments list', inHere())
  expect(stderr.split('\n').filter((line) => /No server is running|runs at/.test(line))).toHaveLength(1)
  const { checks } = JSON.parse((await psp('doctor --json', inHere())).stdout)
  const found = (name: string) => checks.find((check: { name: string }) => check.name === name)?.found
  expect(found('server')).toBe('no server is running here')
  expect(found('clock')).toBe('no server to compare with')
})
