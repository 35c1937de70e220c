// `psp doctor --ready` checks the server that is meant, not any server at the address.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDir, psp, type RunningPsp, startPsp, waitUntil } from '../helpers.ts'

const there = createTestDir()
let here: { path: string; remove(): void }
let another: RunningPsp
let url: string
let port: string

beforeAll(async () => {
  another = startPsp(['serve', '--port', '0', '--json'], { cwd: there.path })
  ;({ url } = await readyLine(another))
  port = new URL(url).port
})
afterAll(async () => {
  await stop(another)
  there.remove()
})
beforeEach(() => {
  here = createTestDir()
})
afterEach(() => here.remove())

const doctor = (line = '', env: Record<string, string> = {}) =>
  psp(`doctor --ready ${line}`, { cwd: here.path, env: { PSP_PORT: port, ...env } })

async function readyLine(server: RunningPsp): Promise<{ url: string }> {
  return JSON.parse(await waitUntil(() => server.output().includes('\n') && server.output().split('\n')[0]))
}
async function stop(server: RunningPsp) {
  server.signal('SIGINT')
  return await server.ended
}

describe('another server at the default address', () => {
  test('a server of another data directory is not ready for --data', async () => {
    const { code, stdout, stderr } = await doctor('--data d')
    expect([code, stdout]).toEqual([6, ''])
    expect(stderr).toContain('No server uses the data directory d.')
    expect((await doctor('', { PSP_DATA: 'd' })).code).toBe(6)
    const late = await doctor('--data d --wait --timeout 200ms')
    expect([late.code, late.stdout]).toEqual([7, ''])
    expect(late.stderr).toContain('The server of d was not ready within 200ms. No server uses the data directory d.')
  })

  test('a server of another data directory is ready without --data, and its directory is named', async () => {
    const { code, stdout, stderr } = await doctor()
    expect([code, stdout]).toEqual([0, `ready  ${url}\n`])
    expect(stderr).toContain(`The psp at ${url} has data directory ${join(there.path, '.psp')}. If it is not yours`)
    const asJson = await doctor('--json')
    expect(JSON.parse(asJson.stdout)).toEqual({ ready: true, url })
    expect((await doctor('--quiet')).stderr).toBe('')
  })
})

describe('--ready-file', () => {
  test('`doctor --ready-file` waits for the server that writes the file, on any port', async () => {
    const waiting = doctor('--wait --ready-file psp.json --json')
    const server = startPsp(['serve', '--port', '0', '--ephemeral', '--ready-file', 'psp.json', '--json'], {
      cwd: here.path,
    })
    const ready = await readyLine(server)
    expect(JSON.parse((await waiting).stdout)).toEqual({ ready: true, url: ready.url })
    expect(JSON.parse(readFileSync(join(here.path, 'psp.json'), 'utf8'))).toEqual(ready)
    expect(ready).toMatchObject({ port: Number(new URL(ready.url).port), data: null })
    expect((await stop(server)).code).toBe(0)
    expect(existsSync(join(here.path, 'psp.json'))).toBe(false)
    expect((await doctor('--ready-file psp.json')).code).toBe(6)
  })

  test('the ready file of an ended server is not accepted if another server has its port', async () => {
    writeFileSync(join(here.path, 'psp.json'), JSON.stringify({ type: 'ready', url, pid: 1 }))
    const { code, stderr } = await doctor('--ready-file psp.json')
    expect(code).toBe(6)
    expect(stderr).toContain(`psp.json is from process 1, but process ${process.pid} responds.`)
  })

  test('the variable PSP_READY_FILE overrides PSP_URL', async () => {
    const { code, stderr } = await doctor('', { PSP_URL: url, PSP_READY_FILE: 'psp.json' })
    expect(code).toBe(6)
    expect(stderr).toContain('psp.json does not contain the URL of its server yet.')
  })

  test('`serve --ready-file` does not replace a file of another program', async () => {
    writeFileSync(join(here.path, 'package.json'), '{"name":"mine"}')
    const { code, stderr } = await psp('serve --port 0 --ephemeral --ready-file package.json', { cwd: here.path })
    expect(code).toBe(2)
    expect(stderr).toContain('package.json exists, but psp did not write it')
    expect(readFileSync(join(here.path, 'package.json'), 'utf8')).toBe('{"name":"mine"}')
  })

  test('a server ends if its ready file cannot be written', async () => {
    const { code, stderr } = await psp('serve --port 0 --ephemeral --ready-file nowhere/psp.json', { cwd: here.path })
    expect(code).toBe(1)
    expect(stderr).toContain('nowhere/psp.json cannot be written: there is no such file or folder.')
  })
})

describe.each([
  ['a shared server without the control API', []],
  ['a shared server with a token', ['--control-token', 'a-token-of-this-test']],
])('%s', (_, flags) => {
  let server: RunningPsp
  const SHARED = ['serve', '--port', '0', '--json', '--host', '0.0.0.0', '--generate-credentials']
  const run = (line: string, env: Record<string, string> = {}) => psp(line, { cwd: here.path, env })

  beforeEach(async () => {
    server = startPsp([...SHARED, ...flags], { cwd: here.path })
    await readyLine(server)
  })
  afterEach(async () => void (await stop(server)))

  test('a shared server is ready for `psp doctor --ready` with any token', async () => {
    const { url } = await readyLine(server)
    for (const env of [{}, { PSP_CONTROL_TOKEN: 'wrong' }, { PSP_CONTROL_TOKEN: 'a-token-of-this-test' }])
      expect(await run('doctor --ready', env)).toMatchObject({ code: 0, stdout: `ready  ${url}\n` })
    expect((await run(`doctor --ready --url ${url}`)).code).toBe(0)
  })

  test('`psp doctor` finds a shared server without the token', async () => {
    const { url } = await readyLine(server)
    const { stdout } = await run('doctor', { PSP_PORT: new URL(url).port, PSP_HOST: '0.0.0.0' })
    expect(stdout).toMatch(new RegExp(`^ok +server +psp runs at ${url}`, 'm'))
    expect(stdout).toMatch(/^ok +clock /m)
    expect(stdout).toMatch(/^ok +lock .*is in use by process/m)
    expect(stdout).not.toMatch(/undefined|does not answer|no server/)
  })

  test('a second server on the same port names the shared server', async () => {
    const { url } = await readyLine(server)
    const { port } = new URL(url)
    const { code, stderr } = await run(`serve --port ${port} --host 0.0.0.0 --generate-credentials --data other`)
    expect(code).toBe(9)
    expect(stderr).toContain(`Port ${port} is in use by another psp at ${url}`)
  })
})

test('a server of another program is not ready', async () => {
  const other = createServer((_, response) => void response.writeHead(404).end('{"error":{"code":"x","message":"y"}}'))
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const { code } = await psp(`doctor --ready --url http://127.0.0.1:${(other.address() as AddressInfo).port}`)
  other.close()
  expect(code).toBe(6)
})

describe('at the port of every psp, 7770', () => {
  // Tests cannot use port 7770, so the session says that it is the default.
  const unnamed = async () => {
    const { chooseExpectedServer } = await import('../../../src/cli/commands/doctor/ready.ts')
    const session = {
      values: { host: '127.0.0.1', port: 7770, data: '.psp', ephemeral: false },
      host: { cwd: here.path, paths: await import('node:path') },
      config: { origins: { port: 'default', host: 'default', data: 'default' } },
    } as unknown as Parameters<typeof chooseExpectedServer>[0]
    return await chooseExpectedServer(session)
  }

  test('a psp with another data directory is not the expected server', async () => {
    const verdict = (await unnamed()).checkIdentity({ pid: 1, data: '/elsewhere/.psp' })
    expect(verdict).toMatchObject({
      message: 'http://127.0.0.1:7770 is not the server of .psp.',
      hint: expect.stringContaining('another data directory (/elsewhere/.psp)'),
    })
  })

  test('a psp in memory may be the expected server, unless this directory has data', async () => {
    expect((await unnamed()).checkIdentity({ data: null })).toContain('has everything in memory. If it is not yours')
    mkdirSync(join(here.path, '.psp'))
    expect((await unnamed()).checkIdentity({ data: null })).toMatchObject({
      message: expect.stringContaining('is not the'),
    })
  })

  test('a psp that does not report its directory counts as the expected server', async () => {
    expect((await unnamed()).checkIdentity({})).toBeUndefined()
  })
})

test.each([
  ['--wait', '--wait needs --ready.'],
  ['--timeout 3s', '--timeout needs --ready --wait.'],
  ['--ready --timeout 3s', '--timeout needs --ready --wait.'],
])('`psp doctor %s` is wrong usage', async (flags, message) => {
  const { code, stderr } = await psp(`doctor ${flags}`)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})
