// Signals, pipes, full disks and other facts of the process that runs psp.
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { isRunning, waitUntil } from '../cli/helpers.ts'
import { BIN, createWorkspace, isExecutable, isInRoot } from './helpers.ts'

let workspace: ReturnType<typeof createWorkspace>
beforeEach(() => {
  workspace = createWorkspace()
})
afterEach(() => workspace.remove())

/** Runs a shell line in which `psp` is the built program. */
const shell = (line: string, env: Record<string, string> = {}) =>
  execa('bash', ['-o', 'pipefail', '-c', `psp() { "${BIN}" "$@"; }; ${line}`], {
    cwd: workspace.cwd,
    reject: false,
    timeout: 150_000,
    env: { NO_COLOR: '1', ...env },
  })

interface Ready {
  readonly url: string
  readonly api_key: string
}

const create = ({ url, api_key }: Ready, body: object = { amount: 100 }) =>
  fetch(`${url}/v1/public/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Starts a server that never responds, and resolves `reached` at its first request. */
async function startSilentServer() {
  const server = createServer(() => {})
  const reached = new Promise<void>((resolve) => server.once('request', () => resolve()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reached }
}

test.each([1, 2])('after Ctrl-C %d times, an exploration leaves no process of its probe command', async (times) => {
  const app = createServer((_, response) => response.end())
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    app.closeAllConnections()
    app.close()
  })
  const { port } = app.address() as AddressInfo
  const file = join(workspace.cwd, `probe-${times}.pids`)
  const command = `sleep 600 & echo $! $$ > ${file}; wait`
  const args = ['audit', `127.0.0.1:${port}/`, '--explore', '60s', '--lanes', '1', '--probe-cmd', command]
  const audit = execa(BIN, args, { cwd: workspace.cwd, reject: false, timeout: 30_000, killSignal: 'SIGKILL' })
  await waitUntil(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))
  const pids = readFileSync(file, 'utf8').trim().split(' ').map(Number)
  for (let sent = 0; sent < times; sent++) audit.kill('SIGINT')
  expect((await audit).exitCode).toBe(130)
  await waitUntil(() => !pids.some(isRunning))
})

describe('pipes', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'a second signal, %s, ends an audit whose report goes to a pipe without a reader',
    async (second) => {
      const { url, reached } = await startSilentServer()
      await shell('mkfifo report')
      const audit = execa(BIN, ['audit', url, '--only', 'valid', '--junit', 'report'], {
        cwd: workspace.cwd,
        reject: false,
        timeout: 20_000,
        killSignal: 'SIGKILL',
      })
      await reached
      audit.kill('SIGINT')
      // Longer than the interval of a doubled signal, and shorter than the time limit of the cleanup.
      await sleep(500)
      audit.kill(second)
      const { exitCode, signal } = await audit
      expect([exitCode, signal]).toEqual([second === 'SIGINT' ? 130 : 143, undefined])
    },
  )

  test('a list in a pipe is complete, and ends quietly if its reader closes the pipe', async () => {
    const { ready } = await workspace.serve('--quiet')
    await Promise.all(Array.from({ length: 150 }, () => create(ready, { amount: 100, description: 'x'.repeat(800) })))
    const cut = await shell(`psp payments list --limit 300 --json --url ${ready.url} | head -c 1`)
    expect([cut.exitCode, cut.stderr]).toEqual([0, ''])
    const whole = await shell(`psp payments list --limit 300 --json --url ${ready.url} | cat`)
    expect(JSON.parse(whole.stdout).items).toHaveLength(150)
  })

  test('a stream ends with 0 if its reader closes the pipe, and revokes its key', async () => {
    const { ready } = await workspace.serve('--quiet')
    let isOver = false
    const tail = shell(`psp tail --json --url ${ready.url} | head -1`).finally(() => {
      isOver = true
    })
    while (!isOver) await create(ready)
    const { exitCode, stdout } = await tail
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty('kind')
    const { items } = JSON.parse((await workspace.psp('keys', 'list', '--json')).stdout)
    expect(items.filter((key: { revoked_at: string | null }) => key.revoked_at === null)).toHaveLength(1)
  })

  test('`psp sign -` reads the bytes of stdin', async () => {
    const { stdout } = await shell(`printf 'a\\r\\nb' | psp sign --secret whs_secret12 - --timestamp 1764547200`)
    const v2 = createHmac('sha256', 'whs_secret12').update('1764547200.a\r\nb').digest('hex')
    expect(stdout).toContain(`v2=${v2}`)
  })

  test('a server continues if the reader of its log closes the pipe', async () => {
    const { ready, child } = await workspace.serve()
    child.stdout.destroy()
    for (let i = 0; i < 3; i++) expect((await create(ready)).status).toBe(201)
    child.kill('SIGTERM')
    expect((await child).exitCode).toBe(0)
  })
})

describe('signals', () => {
  test('two SIGINT at once, as npm sends them, count as one and the server ends cleanly', async () => {
    const server = await workspace.serve('--quiet')
    server.child.kill('SIGINT')
    server.child.kill('SIGINT')
    expect((await server.child).exitCode).toBe(0)
    expect(existsSync(join(workspace.cwd, '.psp', 'lock'))).toBe(false)
  })

  test('a second SIGINT ends a server that waits for a webhook, and it exits with 130', async () => {
    const receiver = await startSilentServer()
    const server = await workspace.serve('--quiet', '--endpoint', `${receiver.url}/`)
    await create(server.ready, { amount: 10_073, method: 'sbp' })
    await receiver.reached
    let isOver = false
    server.child.finally(() => {
      isOver = true
    })
    // Signals that follow the first one immediately do not count.
    while (!isOver) {
      server.child.kill('SIGINT')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect((await server.child).exitCode).toBe(130)
  })

  test.each([
    ['payments', 'list', '--url'],
    ['audit', '--secret', 'whs_0123456789', '--timeout', '10m'],
    ['doctor', '--url'],
  ])('SIGINT ends `psp %s` while it waits for a response, and it exits with 130', async (...argv) => {
    const { url, reached } = await startSilentServer()
    const child = spawn(BIN, [...argv, url], { cwd: workspace.cwd, stdio: 'ignore' })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await reached
    child.kill('SIGINT')
    expect(await ended).toBe(130)
  })
})

describe('a full disk', () => {
  test.each(['--version', '--help', 'serve --help', 'banks', 'openapi'])(
    '`psp %s` with stdout on a full disk exits with 1 and two lines',
    async (line) => {
      const { exitCode, stderr } = await shell(`psp ${line} > /dev/full`)
      expect(exitCode).toBe(1)
      expect(stderr.split('\n').slice(-2)).toEqual([
        'error ENOSPC: no space left on device, write',
        'This is an error of the operating system. `psp doctor` checks the usual causes.',
      ])
    },
  )

  test.runIf(process.platform === 'linux')(
    'a server whose log is on a full disk says so once and continues',
    async () => {
      const file = join(workspace.cwd, 'ready.json')
      const line = `exec "$0" serve --ephemeral --port 0 --ready-file "$1" > /dev/full`
      const child = execa('sh', ['-c', line, BIN, file], { cwd: workspace.cwd, reject: false, env: { NO_COLOR: '1' } })
      onTestFinished(() => void child.kill('SIGKILL'))
      await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('}\n')).toBe(true)
      const ready: Ready = JSON.parse(readFileSync(file, 'utf8'))
      for (let i = 0; i < 3; i++) expect((await create(ready)).status).toBe(201)
      child.kill('SIGTERM')
      const { exitCode, stderr } = await child
      const message = 'stdout cannot be written: the disk is full. The command continues without this output.'
      expect([exitCode, stderr.split(message).length]).toEqual([0, 2])
    },
  )
})

// A change of the root directory also changes the working directory.
test.skipIf(isInRoot)('a command in a removed directory exits with an error of two lines', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'psp-removed-'))
  const line = `rmdir "$PWD"; exec "$0" payments list`
  const { exitCode, stdout, stderr } = await execa('sh', ['-c', line, BIN], { cwd, reject: false })
  expect([exitCode, stdout]).toEqual([1, ''])
  expect(stderr.split('\n')).toEqual([
    'error The working directory does not exist any more.',
    'Change to another directory and run the command again.',
  ])
})

test.skipIf(isExecutable).each(['', '--json '])(
  '`psp payments list %s` fails if the event loop ends before the response',
  async (json) => {
    const silence = [
      "import http from 'node:http'",
      "import { EventEmitter } from 'node:events'",
      'http.request = () => Object.assign(new EventEmitter(), { end() {} })',
      'const { setTimeout: start } = globalThis',
      'globalThis.setTimeout = (...given) => start(...given).unref()',
      "(await import('node:module')).syncBuiltinESMExports()",
    ].join(';\n')
    const { exitCode, stdout, stderr } = await shell(`psp payments list ${json}--url http://127.0.0.1:9`, {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(silence)}`,
    })
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('psp payments ended before it was done')
    if (json !== '') expect(JSON.parse(stderr).error.code).toBe('internal_error')
  },
)
