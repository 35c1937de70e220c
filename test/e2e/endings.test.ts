import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { startPsp, waitUntil } from '../cli/helpers.ts'
import { createWorkspace } from './helpers.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'psp-endings-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

it('an idle listener ends at a signal', async () => {
  const folder = createWorkspace()
  try {
    const { child } = await folder.start(['listen', '--forward', '3999'], /^Ready/, 'stderr')
    child.kill('SIGINT')
    expect((await child).exitCode).toBe(0)
  } finally {
    await folder.remove()
  }
})

it('an idle listener ends at once: the time that a busy one may take would never be over', async () => {
  const systemClock = createSystemClock()
  const stopped: typeof systemClock = {
    ...systemClock,
    setTimeout: (run, ms) => (ms === 0 ? systemClock.setTimeout(run, 0) : { cancel: () => {}, unref: () => {} }),
  }
  const listener = startPsp(['listen', '--forward', '3999'], { cwd, systemClock: stopped })
  await waitUntil(() => /^Ready/m.test(listener.errors()))
  listener.signal('SIGINT')
  expect((await listener.ended).code).toBe(0)
})

it('a server ends although a fault holds a request, and does nothing for it any more', async () => {
  const folder = createWorkspace()
  try {
    const { ready, child } = await folder.serve()
    await folder.psp('faults', 'add', 'api', 'latency:10m')
    const held = fetch(`${ready.url}/v1/public/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready.api_key}`, 'content-type': 'application/json' },
      body: '{"amount":100}',
    }).catch(() => 'cut')
    for (let matched = 0; matched === 0; ) {
      const { items } = JSON.parse((await folder.psp('faults', 'list', '--json')).stdout)
      matched = items[0].matched
    }
    const asked = performance.now()
    child.kill('SIGTERM')
    expect((await child).exitCode).toBe(0)
    // Two seconds of grace, and room for a busy machine; the fault would hold it for ten minutes.
    expect(performance.now() - asked).toBeLessThan(120_000)
    expect(await held).toBe('cut')
    expect(JSON.parse((await folder.psp('payments', 'list', '--json')).stdout).items).toEqual([])
  } finally {
    await folder.remove()
  }
})

it('a closed terminal ends a server cleanly, with 129', async () => {
  const folder = createWorkspace()
  try {
    const { child } = await folder.serve()
    expect((await folder.psp('payments', 'create', '--amount', '100')).exitCode).toBe(0)
    child.kill('SIGHUP')
    expect((await child).exitCode).toBe(129)
    expect(readdirSync(join(folder.cwd, '.psp'))).not.toContain('lock')
  } finally {
    await folder.remove()
  }
})

it('a closed terminal is told to the command of exec', async () => {
  const folder = createWorkspace()
  try {
    const program = "process.on('SIGHUP', () => process.exit(7)); console.log('here'); setInterval(() => {}, 1000)"
    const { child } = await folder.start(['exec', '--', process.execPath, '-e', program], /^here/)
    child.kill('SIGHUP')
    expect((await child).exitCode).toBe(7)
  } finally {
    await folder.remove()
  }
})

it('an IPv6 address may stand in brackets, in a flag and in the environment', async () => {
  for (const [flags, env] of [
    [['--host', '[::1]'], {}],
    [[], { PSP_HOST: '[::1]' }],
  ] as const) {
    const server = startPsp(['serve', '--ephemeral', '--port', '0', '--json', ...flags], { cwd, env })
    const line = await Promise.race([waitUntil(() => /\n/.test(server.output()) && server.output()), server.ended])
    expect(line).toContain('"url":"http://[::1]:')
    server.signal('SIGINT')
    await server.ended
  }
})

it('a time of nothing is refused before anything starts', async () => {
  const ended = await startPsp(['listen', '--forward', '3999', '--timeout', '0s'], { cwd }).ended
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('--timeout: "0s"')
})

it('a folder given for a file is named so', async () => {
  const ended = await startPsp(['store', 'import', '.'], { cwd }).ended
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('it is a folder')
})

it('a removed working directory gives an error of two lines', async () => {
  const gone = mkdtempSync(join(tmpdir(), 'psp-gone-'))
  const bin = join(import.meta.dirname, '../../bin/psp.js')
  const ended = await execa('sh', ['-c', `rmdir "$PWD"; exec "$0" "$1" payments list`, process.execPath, bin], {
    cwd: gone,
    reject: false,
  })
  expect([ended.exitCode, ended.stdout]).toEqual([1, ''])
  expect(ended.stderr.split('\n')).toEqual([
    'error The working directory does not exist any more.',
    'Change to another directory and run the command again.',
  ])
})

it.each([
  [['payments', 'list', '--data', ''], '--data: "" is empty.'],
  [['payments', 'list', '--data='], '--data: "" is empty.'],
  [['payments', 'list', '--url='], '--url: "" is empty.'],
  [['serve', '--host='], '--host: "" is empty.'],
  [['serve', '--seed='], '--seed: "" is empty.'],
  [['serve', '--pay-url='], '--pay-url: "" is empty.'],
  [['openapi', '--out='], '--out: "" is empty.'],
  [['audit', '3999', '--junit='], '--junit: "" is empty.'],
  [['audit', '3999', '--only', '', '--strict'], '--only: "" is empty.'],
  [['audit', '3999', '--only=,'], '--only: the name of a check is empty.'],
  [['verify', '--delivery', ''], '--delivery: "" is empty.'],
  [['payments', 'create', '--amount', '100', '--order-id', ''], '--order-id: "" is empty.'],
  [['payments', 'list', '--order-id='], '--order-id: "" is empty.'],
  [['events', 'list', '--event', ''], '--event: "" is empty.'],
  [['events', 'replay', '--since', '10m', '--event', ''], '--event: "" is empty.'],
  [['tail', '--kinds', ''], '--kinds: "" is empty.'],
  [['wait', ''], 'The argument event is empty.'],
  [['audit', '3999', '--secret', 'thm_1'], 'webhooks are signed with the whs_ secret'],
  [['payments', 'create', '--amount', '9007199254740993'], 'too large: at most 9007199254740991'],
  [['listen', '--forward', '3999', '--events', ','], 'The name of an event is empty.'],
  [['settings', 'set'], 'The argument name=value is missing.'],
  [['settings', 'set', 'buyer'], 'such as delays.bank=0s'],
])('%j is wrong usage, and makes nothing', async (argv, message) => {
  const ended = await startPsp(argv, { cwd }).ended
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(message)])
  expect(readdirSync(cwd)).toEqual([])
})

it('an empty path in the configuration is wrong usage, too', async () => {
  writeFileSync(join(cwd, 'psp.config.json'), '{"data": ""}')
  const ended = await startPsp(['payments', 'list'], { cwd }).ended
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('psp.config.json: data: "" is empty.')])
  expect(readdirSync(cwd)).toEqual(['psp.config.json'])
})

it('a program that is not there leaves one JSON line', async () => {
  const ended = await startPsp(['exec', '--json', '--', 'no-such-program-here'], { cwd }).ended
  expect([ended.code, ended.stdout]).toEqual([127, ''])
  expect(JSON.parse(ended.stderr).error.code).toBe('no_such_program')
})

it('a wrong key is refused by tail, too', async () => {
  const folder = createWorkspace()
  try {
    await folder.serve('--quiet')
    expect(await folder.psp('tail', '--api-key', 'wrong')).toMatchObject({ exitCode: 3, stdout: '' })
  } finally {
    await folder.remove()
  }
})

it('a child that does not listen to SIGTERM is killed after its grace', async () => {
  const folder = createWorkspace()
  try {
    const stubborn = "process.on('SIGTERM', () => {}); console.log('here'); setInterval(() => {}, 1000)"
    const { child } = await folder.start(['exec', '--', process.execPath, '-e', stubborn], /^here/)
    child.kill('SIGTERM')
    expect((await child).exitCode).toBe(137)
  } finally {
    await folder.remove()
  }
})

const bin = join(import.meta.dirname, '../../bin/psp.js')
const run = (line: string, env: Record<string, string> = {}) =>
  execa('sh', ['-c', line.replace(/^psp/, `exec "${process.execPath}" "${bin}"`)], {
    cwd,
    reject: false,
    env: { NO_COLOR: '1', ...env },
  })

it.each([
  [['audit', '--only', 'valid'], 8, 'got       101'],
  [['payments', 'list', '--url'], 1, 'responded 101'],
  [['wait', 'payment.*', '--timeout', '10s', '--url'], 1, 'responded 101'],
  [['request', 'GET', '/', '--url'], 1, '101'],
])('%j of a server that switches protocols ends with a failure', async (argv, code, said) => {
  const server = createServer()
  server.on('upgrade', () => {})
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = createWorkspace()
  try {
    const ended = await folder.psp(...argv, url)
    expect([ended.exitCode, `${ended.stdout}\n${ended.stderr}`]).toEqual([code, expect.stringContaining(said)])
  } finally {
    server.close()
    server.closeAllConnections()
    await folder.remove()
  }
})

it.each(['', '--json '])('%sa command with nothing left to wait for did not succeed', async (json) => {
  const silent = [
    "import http from 'node:http'",
    "import { EventEmitter } from 'node:events'",
    'http.request = () => Object.assign(new EventEmitter(), { end() {} })',
    'const { setTimeout: start } = globalThis',
    'globalThis.setTimeout = (...given) => start(...given).unref()',
    "(await import('node:module')).syncBuiltinESMExports()",
  ].join(';\n')
  const ended = await run(`psp payments list ${json}--url http://127.0.0.1:9`, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(silent)}`,
  })
  expect([ended.exitCode, ended.stdout]).toEqual([1, ''])
  expect(ended.stderr).toContain('psp payments ended before it was done')
  if (json !== '') expect(JSON.parse(ended.stderr).error.code).toBe('internal_error')
})

it.each(['--help', '--version', '-V', 'payments --help', 'serve --help', '', 'help audit', 'banks', 'openapi'])(
  'psp %s on a full disk is told without a trace',
  async (line) => {
    const ended = await run(`psp ${line} > /dev/full`)
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr.split('\n').slice(-2)).toEqual([
      'error ENOSPC: no space left on device, write',
      'This is an error of the operating system. `psp doctor` checks the usual causes.',
    ])
  },
)
