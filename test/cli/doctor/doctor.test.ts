// The findings of `psp doctor`, with cause, next step and exit code.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Finding } from '../../../src/cli/commands/doctor/finding.ts'
import type { WallTime } from '../../../src/domain/time.ts'
import { VERSION } from '../../../src/domain/version.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import {
  createTestDir,
  psp,
  type RunOptions,
  startPsp,
  startTestServer,
  type TestServer,
  waitUntil,
} from '../helpers.ts'

let folder: ReturnType<typeof createTestDir>
let testServer: TestServer
beforeAll(async () => {
  folder = createTestDir()
  testServer = await startTestServer({ clock: { mode: 'real' } })
})
afterAll(async () => {
  await testServer.close()
  folder.remove()
})
let made = 0
/** The working directory of the current test. */
let cwd = ''
const here = () => {
  cwd ||= join(folder.path, String(++made))
  mkdirSync(cwd, { recursive: true })
  return cwd
}
afterEach(() => {
  cwd = ''
})

interface DoctorRun {
  readonly code: number
  readonly finding: Finding
}

/** Returns the finding of a check, and expects the same in the text and the JSON output. */
async function doctor(name: string, options: RunOptions = {}, flags = ''): Promise<DoctorRun> {
  const given = { cwd: here(), ...options, env: { PSP_PORT: '0', ...options.env } }
  const asJson = await psp(`doctor --json ${flags}`, given)
  const { ok, checks } = JSON.parse(asJson.stdout) as { ok: boolean; checks: Finding[] }
  expect(asJson.code).toBe(ok ? 0 : 1)
  const finding = checks.find((check) => check.name === name)
  if (finding === undefined) throw new Error(`No check is called ${name}.`)
  const { code, stdout: coloured } = await psp(`doctor ${flags}`, given)
  const stdout = stripVTControlCharacters(coloured)
  expect(code).toBe(asJson.code)
  const [word = ''] = stdout.split('\n').filter((line) => line.slice(6, 16).trim() === name)
  expect(word.slice(0, 4).trim()).toBe(finding.result)
  if (finding.fix !== undefined) expect(stdout.replaceAll(/\s+/g, ' ')).toContain(finding.fix.replaceAll(/\s+/g, ' '))
  return { code, finding }
}

async function httpServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const portOf = (url: string) => new URL(url).port

test('`psp doctor` without findings exits with 0', async () => {
  const { code, stdout } = await psp('doctor', { cwd: here(), env: { PSP_PORT: '0' } })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ok {4}versions {4}psp \d+\.\d+\.\d+, Node \d+/m)
  expect(stdout).toMatch(/^ok {4}server {6}no server is running here$/m)
  expect(stdout).not.toMatch(/^fail/m)
  const names = stdout.split('\n').flatMap((line) => /^(?:ok|warn) +(\w+)/.exec(line)?.[1] ?? [])
  expect(names).toEqual([
    ...['versions', 'config', 'server', 'lock', 'port', 'disk', 'data', 'proxies', 'loopback', 'clock', 'webhooks'],
    'terminal',
  ])
})

test('the lines of `psp doctor` fit a terminal of 80 columns', async () => {
  const env = { PSP_PORT: '0', HTTP_PROXY: 'http://proxy:3128', HTTPS_PROXY: 'http://proxy:3128' }
  const { stdout } = await psp('doctor', { cwd: here(), env, terminal: true, columns: 80 })
  expect(stdout).toContain('NO_PROXY=localhost,127.0.0.1,::1')
  for (const line of stdout.split('\n')) expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(80)
})

describe('server', () => {
  test('a named server that does not respond is a failure', async () => {
    const { code, finding } = await doctor('server', { env: { PSP_URL: 'http://127.0.0.1:1' } })
    expect([code, finding.result]).toEqual([1, 'fail'])
    expect(finding.found).toContain('http://127.0.0.1:1 does not respond')
    expect(finding.fix).toBe('Start it, or correct --url and PSP_URL.')
  })

  test('a server of another version is a warning', async () => {
    const url = await httpServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ status: 'ok', version: '0.0.1', now: new Date().toISOString(), clock: 'real' }))
    })
    const { code, finding } = await doctor('server', { env: { PSP_URL: url } })
    expect([code, finding.result]).toEqual([0, 'warn'])
    expect(finding.found).toBe(`psp 0.0.1 runs at ${url}, but this is psp ${VERSION}`)
    expect(finding.fix).toContain('Restart the server')
  })
})

describe('webhooks', () => {
  test('are a warning if a receiver accepted none of the newest ones', async () => {
    const env = { PSP_URL: testServer.url }
    expect((await doctor('webhooks', { env })).finding).toEqual({
      name: 'webhooks',
      result: 'ok',
      found: 'none sent yet',
    })

    let status = 400
    const hooks = await httpServer((_, response) => void response.writeHead(status).end())
    const { id } = JSON.parse((await testServer.psp(`webhooks endpoints create ${hooks}/hooks --json`)).stdout)
    await testServer.psp(`webhooks endpoints test ${id}`)
    const { code, finding } = await doctor('webhooks', { env })
    expect([code, finding.result]).toEqual([0, 'warn'])
    expect(finding.found).toBe(
      `receivers accept none of them (0 of the last 1); the last response from ${hooks}/hooks was: 400`,
    )
    expect(finding.fix).toMatch(/psp webhooks deliveries get dlv_\w+` .*psp verify --delivery dlv_\w+ --explain/)

    status = 200
    await testServer.psp(`webhooks endpoints test ${id}`)
    expect((await doctor('webhooks', { env })).finding.found).toBe('receivers accept them (1 of the last 2)')
  })
})

test.each([
  ['no items', {}],
  ['deliveries without ids', { items: [{ url: '\u001b[2J' }] }],
  ['deliveries with another last attempt', { items: [{ id: 'dlv_1', url: 1, status: 'failed', last_attempt: 'x' }] }],
])('a server whose list of webhooks has %s is a warning', async (_, answer) => {
  const url = await httpServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ status: 'ok', version: VERSION, ...answer }))
  })
  const { finding } = await doctor('webhooks', { env: { PSP_URL: url } })
  expect(finding).toMatchObject({ result: 'warn', found: `${url} lists its webhooks in an unknown form` })
  expect(finding.fix).toContain('Check the address')
})

describe('the event stream of the server', () => {
  test('dropped messages of the event stream are a warning', async () => {
    const url = await httpServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      const event_streams = { connections: 1, sent: 900, dropped: 12 }
      response.end(
        JSON.stringify({ status: 'ok', version: VERSION, now: new Date().toISOString(), clock: 'real', event_streams }),
      )
    })
    const { finding } = await doctor('server', { env: { PSP_URL: url } })
    expect([finding.result, finding.found]).toEqual([
      'warn',
      expect.stringContaining('12 messages of the event stream'),
    ])
    expect(finding.fix).toContain('stream_queue')
  })
})

describe('config', () => {
  test('an invalid psp.config.json is a failure, and the other checks use the defaults', async () => {
    for (const [text, cause, step] of [
      ['{"port": 7770,}', 'psp.config.json is not JSON', 'no trailing commas'],
      ['{"prot": 7770}', 'unknown key "prot"', 'Did you mean "port"?'],
      ['{"port": "many"}', 'port must be a number', 'port of the server'],
    ] as const) {
      writeFileSync(join(here(), 'psp.config.json'), text)
      const { code, finding } = await doctor('config')
      expect([code, finding.result]).toEqual([1, 'fail'])
      expect(finding.found).toContain(cause)
      expect(finding.fix).toContain(step)
      expect((await doctor('disk')).finding.result).toBe('ok')
    }
  })

  test('an invalid psp.config.json ends `psp doctor --ready` and other commands with 2', async () => {
    writeFileSync(join(here(), 'psp.config.json'), '{"port": 7770,}')
    for (const line of ['doctor --ready', 'payments list']) {
      const { code, stdout, stderr } = await psp(line, { cwd: here() })
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('psp.config.json is not JSON')
    }
  })

  test('an unknown setting is a failure that names a similar one', async () => {
    writeFileSync(join(here(), 'psp.config.json'), '{"settings": {"delays.bnk": "1s"}}')
    const { code, finding } = await doctor('config')
    expect([code, finding.result]).toEqual([1, 'fail'])
    expect(finding.found).toContain('delays.bnk')
    expect(`${finding.found} ${finding.fix}`).toContain('delays.bank')
  })

  test('the keys of a valid psp.config.json are listed', async () => {
    writeFileSync(join(here(), 'psp.config.json'), '{"quiet": false, "settings": {"delays.bank": "1s"}}')
    expect((await doctor('config')).finding.found).toBe('psp.config.json sets quiet, delays.bank')
  })
})

test('a clock that was set back while the server ran is a warning', async () => {
  const health = {
    status: 'ok',
    version: VERSION,
    now: new Date().toISOString(),
    clock: 'real',
    clock_ahead_ms: 86_400_000,
  }
  const url = await httpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(health))
  })
  const { code, finding } = await doctor('clock', { env: { PSP_URL: url } })
  expect([code, finding.result]).toEqual([0, 'warn'])
  expect(finding.found).toContain('was set back while the server ran, so the sandbox clock is 24 h ahead')
})

describe('a server that cannot store changes', () => {
  test('a server that cannot store changes is a failure with the cause, and is not ready', async () => {
    const reason = 'The disk is full.'
    const now = new Date().toISOString()
    const health = { status: 'failing', store: 'refuses_changes', reason, version: VERSION, now, clock: 'real' }
    const url = await httpServer((_, response) => {
      response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify(health))
    })
    const { code, finding } = await doctor('server', { env: { PSP_URL: url } })
    expect([code, finding.result]).toEqual([1, 'fail'])
    expect(finding.found).toContain('rejects every change: The disk is full.')
    expect(finding.fix).toContain('psp store export')
    const ready = await psp(['doctor', '--ready'], { cwd: here(), env: { PSP_URL: url } })
    expect(ready.code).toBe(1)
    expect(ready.stderr).toContain('rejects every change: The disk is full.')
  })
})

describe('lock', () => {
  const locked = (lock: object) => {
    mkdirSync(join(here(), '.psp'), { recursive: true })
    writeFileSync(join(here(), '.psp', 'lock'), JSON.stringify({ started_at: Date.now(), ...lock }))
  }

  test('the lock of a live server is fine', async () => {
    const server = startPsp(['serve', '--port', '0', '--json'], { cwd: here() })
    const ready = await waitUntil(() => server.output().includes('\n') && server.output().split('\n')[0])
    const { url } = JSON.parse(ready) as { url: string }
    const { code, finding } = await doctor('lock')
    expect([code, finding.result, finding.found]).toEqual([
      0,
      'ok',
      `.psp is in use by process ${process.pid} at ${url}`,
    ])
    expect((await doctor('data')).finding.found).toBe('.psp is open in another process')
    server.signal('SIGINT')
    await server.ended
  })

  test('the lock of a live process that does not respond is a warning', async () => {
    locked({ pid: process.pid, url: 'http://127.0.0.1:1' })
    const { code, finding } = await doctor('lock')
    expect([code, finding.result]).toEqual([0, 'warn'])
    expect(finding.found).toContain(`in use by process ${process.pid} at http://127.0.0.1:1, which does not respond`)
    expect(finding.fix).toContain(`\`kill ${process.pid}\``)
  })

  test('the lock of a process that has exited is stale', async () => {
    locked({ pid: 0, url: 'http://127.0.0.1:1' })
    const { code, finding } = await doctor('lock')
    expect([code, finding.result]).toEqual([0, 'ok'])
    expect(finding.found).toContain('has a stale lock of process 0, which has exited')
  })

  test('the lock of a server in a container is a warning that suggests its URL', async () => {
    locked({ pid: 0, url: testServer.url })
    const { finding } = await doctor('lock')
    expect(finding.result).toBe('warn')
    expect(finding.fix).toContain(`--url ${testServer.url}`)
    expect((await doctor('data')).finding.found).toBe('.psp is open in another process')
  })

  test('the lock of another machine is live while it is renewed, and stale afterwards', async () => {
    locked({ pid: 1, url: 'http://127.0.0.1:1', place: 'another', host: 'box' })
    const alive = (await doctor('lock')).finding
    expect([alive.result, alive.found]).toEqual([
      'warn',
      '.psp is locked by process 1, in a container or on another machine (box), which may still be alive',
    ])
    expect((await doctor('data')).finding.found).toBe('.psp is open in another process')
    utimesSync(join(here(), '.psp', 'lock'), 1, 1)
    expect((await doctor('lock')).finding.found).toContain('has a stale lock of process 1, which has exited')
  })
})

describe('port', () => {
  test('a port that another program uses is a warning', async () => {
    const url = await httpServer((_, response) => response.end('hello'))
    const { code, finding } = await doctor('port', { env: { PSP_PORT: portOf(url) } })
    expect([code, finding.result]).toEqual([0, 'warn'])
    expect(finding.found).toBe(`127.0.0.1:${portOf(url)} is in use by another program`)
    expect(finding.fix).toContain('--port 0')
  })

  test('an address of another machine is a failure', async () => {
    const { code, finding } = await doctor('port', { env: { PSP_HOST: '192.0.2.1' } })
    expect([code, finding.result]).toEqual([1, 'fail'])
    expect(finding.found).toContain('192.0.2.1:0 cannot be used (EADDRNOTAVAIL)')
    expect(finding.fix).toBe('Choose another --host or --port.')
  })
})

describe('data', () => {
  test('a damaged data directory is a failure that names the file', async () => {
    mkdirSync(join(here(), '.psp'))
    writeFileSync(join(here(), '.psp', 'state.json'), '{"format": 1, nonsense')
    const { code, finding } = await doctor('data')
    expect([code, finding.result]).toEqual([1, 'fail'])
    expect(finding.found).toMatch(/state\.json:\d+/)
    expect(finding.fix).toContain('psp serve --data NEW')
  })

  test('a valid data directory can be opened', async () => {
    await psp('payments create --amount 100', { cwd: here(), env: { PSP_PORT: '1' } })
    expect((await doctor('data')).finding).toMatchObject({ result: 'ok', found: '.psp can be opened' })
  })

  test('a file in the place of the data directory is a failure', async () => {
    writeFileSync(join(here(), 'a-file'), '')
    const { code, finding } = await doctor('disk', {}, '--data a-file')
    expect([code, finding.result]).toEqual([1, 'fail'])
    expect(finding.found).toContain('a-file is a file, not a directory')
    expect(finding.fix).toContain('--data')
  })
})

describe('proxies', () => {
  test.each(['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])('the variable %s is a warning', async (name) => {
    const { code, finding } = await doctor('proxies', { env: { [name]: 'http://proxy:3128' } })
    expect([code, finding.result]).toEqual([0, 'warn'])
    expect(finding.found).toContain(`${name} set`)
    expect(finding.fix).toBe('Set NO_PROXY=localhost,127.0.0.1,::1.')
  })

  test('a proxy that excludes loopback is fine', async () => {
    const env = { HTTP_PROXY: 'http://proxy:3128', NO_PROXY: 'example.com, 127.0.0.1' }
    expect((await doctor('proxies', { env })).finding.result).toBe('ok')
  })
})

describe('clock', () => {
  const healthAt = (server: { date: number; now: number }) =>
    httpServer((_, response) => {
      response.setHeader('date', new Date(server.date).toUTCString())
      response.setHeader('content-type', 'application/json')
      const now = new Date(server.now).toISOString()
      response.end(JSON.stringify({ status: 'ok', version: VERSION, now, clock: 'real' }))
    })

  test('a machine with another time is a warning, because its signatures look stale', async () => {
    const hour = Date.now() - 3_600_000
    const { code, finding } = await doctor('clock', {
      env: { PSP_URL: await healthAt({ date: hour, now: hour }) },
    })
    expect([code, finding.result]).toEqual([0, 'warn'])
    expect(finding.found).toMatch(
      /^the clock of the server's machine differs from this machine's clock by (59 min \d+ s|1 h), so receivers here/,
    )
    expect(finding.fix).toContain('NTP')
  })

  test('a moved sandbox clock is reported and is fine', async () => {
    const url = await healthAt({ date: Date.now(), now: Date.now() + 86_400_000 })
    const { finding } = await doctor('clock', { env: { PSP_URL: url } })
    expect(finding.result).toBe('ok')
    expect(finding.found).toMatch(/(24 h|23 h 59 min|1 d) away .*signatures keep the real time/)
  })

  test('a sandbox clock that shows the system time is fine', async () => {
    const { finding } = await doctor('clock', { env: { PSP_URL: testServer.url } })
    expect(finding.found).toBe("the sandbox's clock is real and shows this machine's time")
  })
})

test('`psp doctor` reports no difference of clocks if the server needs long to respond', async () => {
  const clock = createSystemClock()
  let passed = 0
  const url = await httpServer((_, response) => {
    passed += 5000
    const now = new Date(Date.now() + passed).toISOString()
    response.end(JSON.stringify({ status: 'ok', version: VERSION, now, clock: 'real' }))
  })
  const systemClock = { ...clock, now: () => (clock.now() + passed) as WallTime }
  const { finding } = await doctor('clock', { env: { PSP_URL: url }, systemClock })
  expect(finding.found).toBe("the sandbox's clock is real and shows this machine's time")
})

describe('terminal', () => {
  const found = async (options: RunOptions) => (await doctor('terminal', options)).finding

  test('a terminal below 80 columns is a warning', async () => {
    expect(await found({ terminal: true, columns: 120 })).toMatchObject({
      result: 'ok',
      found: expect.stringContaining('120 columns'),
    })
    expect(await found({ terminal: true, columns: 60 })).toMatchObject({
      result: 'warn',
      fix: expect.stringContaining('Widen it to 80 columns'),
    })
    expect((await found({})).found).toContain('no terminal')
  })

  test.each([
    [{}, true, /, colour, Unicode$/],
    [{ NO_COLOR: '1' }, true, /NO_COLOR, no colour/],
    [{ TERM: 'dumb' }, true, /TERM dumb, no colour/],
    [{ FORCE_COLOR: '1' }, false, /FORCE_COLOR 1, colour/],
    [{}, false, /no terminal, TERM unset, no colour/],
  ])('the environment %j on a terminal (%s) gives the reported colour', async (env, terminal, wanted) => {
    expect((await found({ env, terminal })).found).toMatch(wanted)
  })

  test.each([
    [{ LANG: 'C' }, 'LANG=C.UTF-8'],
    [{ TERM: 'linux', LANG: 'C.UTF-8' }, 'another terminal'],
  ])('a terminal without Unicode, with the environment %j, is a warning', async (env, fix) => {
    expect(await found({ terminal: true, env })).toMatchObject({
      result: 'warn',
      found: expect.stringContaining('no Unicode'),
      fix: expect.stringContaining(fix),
    })
  })
})
