import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace, startVerifyingReceiver } from './helpers.ts'

const BIN = new URL('../../bin/psp.js', import.meta.url).pathname

let folder: ReturnType<typeof createWorkspace>

beforeEach(() => {
  folder = createWorkspace()
})
afterEach(() => folder.remove())

/** A shell line in the folder; `psp` is the built one. */
const shell = (line: string) =>
  execa('bash', ['-o', 'pipefail', '-c', `psp() { node ${BIN} "$@"; }; ${line}`], {
    cwd: folder.cwd,
    reject: false,
    timeout: 150_000,
    env: { NO_COLOR: '1' },
  })

describe('pipes', () => {
  test('| head ends quietly, and nothing is cut off without it', async () => {
    const server = await folder.serve('--quiet')
    const many = await folder.psp(
      'payments',
      'create',
      '--amount',
      '100',
      '--count',
      '300',
      '--concurrency',
      '16',
      '--json',
    )
    expect([many.exitCode, many.stdout.split('\n').length]).toEqual([0, 300])
    const head = await shell(`psp payments list --limit 300 --url ${server.ready.url} | head -1`)
    expect([head.exitCode, head.stderr]).toEqual([0, ''])
    const whole = await shell(`psp payments list --limit 300 --json --url ${server.ready.url} | cat`)
    expect(JSON.parse(whole.stdout).items).toHaveLength(300)
  })

  test('a stream whose reader goes away ends with 0', async () => {
    const server = await folder.serve('--quiet')
    let over = false
    const tail = shell(`psp tail --json --url ${server.ready.url} | head -1`).finally(() => {
      over = true
    })
    while (!over) await folder.psp('payments', 'create', '--amount', '100')
    const made = await tail
    expect(made.exitCode).toBe(0)
    expect(JSON.parse(made.stdout)).toHaveProperty('kind')
    const { items } = JSON.parse((await folder.psp('keys', 'list', '--json')).stdout)
    expect(items.filter((key: { revoked_at: string | null }) => key.revoked_at === null)).toHaveLength(1)
  })

  test('bodies come from stdin byte for byte', async () => {
    const { stdout } = await shell(`printf 'a\\r\\nb' | psp sign --secret whs_secret12 - --timestamp 1764547200`)
    const verified = await shell(
      `printf 'a\\r\\nb' | psp verify --secret whs_secret12 --signature '${stdout}' --now 2025-12-01T00:00:00Z -`,
    )
    expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringMatching(/^valid/)])
  })
})

describe('signals', () => {
  test('npm sends SIGINT twice at once: that is one, and the end is clean', async () => {
    const server = await folder.serve('--quiet')
    server.child.kill('SIGINT' as never)
    server.child.kill('SIGINT' as never)
    expect((await server.child).exitCode).toBe(0)
    expect(existsSync(join(folder.cwd, '.psp', 'lock'))).toBe(false)
  })

  test('a second signal ends at once with 130', async () => {
    const slow = createServer(() => {})
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const hooks = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`
    const server = await folder.serve('--quiet', '--endpoint', hooks)
    const reached = new Promise<void>((resolve) => slow.once('request', () => resolve()))
    await folder.psp('trigger', 'payment.failed')
    await reached
    let ended = false
    server.child.finally(() => {
      ended = true
    })
    // Those within a moment of the first one do not count.
    while (!ended) {
      server.child.kill('SIGINT' as never)
      await folder.psp('--version')
    }
    const result = await server.child
    slow.closeAllConnections()
    slow.close()
    expect(result.exitCode).toBe(130)
  })

  test('a short command that is interrupted ends with 130', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const asked = new Promise<void>((resolve) => silent.once('request', () => resolve()))
    const child = spawn('node', [BIN, 'payments', 'list', '--url', url], { cwd: folder.cwd, stdio: 'ignore' })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await asked
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    silent.closeAllConnections()
    silent.close()
  })
})

describe('serve', () => {
  test('a taken port: 9, and what to do', async () => {
    const other: Server = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const ran = await folder.psp('serve', '--port', String(port), '--json')
    other.close()
    expect([ran.exitCode, ran.stdout]).toEqual([9, ''])
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'port_in_use',
      hint: expect.stringContaining('--port 0'),
    })
  })

  test('refuses the credentials everybody knows on other hosts, and takes your own or new ones', async () => {
    const known = await folder.psp('serve', '--host', '0.0.0.0', '--port', '0')
    expect(known.exitCode).toBe(2)
    expect(known.stderr).toContain('--generate-credentials')
    const own = await folder.start(
      ['serve', '--host', '0.0.0.0', '--port', '0', '--json', '--generate-credentials', '--ephemeral', '--quiet'],
      /"type":"ready"/,
    )
    expect(JSON.parse(own.first).api_key).toMatch(/^sk_test_[a-z0-9]{6}_[a-z0-9]{32}$/)
    const { url } = JSON.parse(own.first)
    expect(await (await fetch(`${url}/_psp/health`)).json()).toEqual({ status: 'ok' })
    expect((await fetch(`${url}/_psp/settings`)).status).toBe(404)
  })

  test('ready means seeded; a bad seed makes nothing', async () => {
    writeFileSync(join(folder.cwd, 'bad.json'), '{"shops":[{"endpoints":[{"url":"http://a"},{"url":"b"}]}]}')
    const bad = await folder.psp('serve', '--port', '0', '--seed', 'bad.json')
    expect(bad.exitCode).toBe(2)
    expect(bad.stderr).toContain('shops[0].endpoints[1].url')
    expect(existsSync(join(folder.cwd, '.psp'))).toBe(false)
    const seed = {
      shops: [{ name: 'Мой магазин', api_key: 'sk_test_mykey0_secretsecret' }],
      settings: { 'delays.bank': '5s' },
      payments: [{ amount: 100, order_id: 'seeded', outcome: 'pending' }],
    }
    writeFileSync(join(folder.cwd, 'seed.json'), JSON.stringify(seed))
    const server = await folder.serve('--quiet', '--seed', 'seed.json')
    const { items } = (await (await fetch(`${server.ready.url}/_psp/payments`)).json()) as { items: object[] }
    expect(items).toMatchObject([{ order_id: 'seeded', shop_name: 'Мой магазин' }])
    const again = await folder.psp('payments', 'create', '--amount', '5', '--api-key', 'sk_test_mykey0_secretsecret')
    expect(again.exitCode).toBe(0)
  })

  test('reads the environment and psp.config.json', async () => {
    writeFileSync(join(folder.cwd, 'psp.config.json'), '{"data": "elsewhere", "settings": {"delays.bank": "7s"}}')
    const server = await folder.serve('--quiet')
    expect(existsSync(join(folder.cwd, 'elsewhere', 'lock'))).toBe(true)
    const settings = await (await fetch(`${server.ready.url}/_psp/settings`)).json()
    expect(settings).toMatchObject({ 'delays.bank': '7s' })
    writeFileSync(join(folder.cwd, 'psp.config.json'), '{"dta": "x"}')
    const slip = await folder.psp('payments', 'list')
    expect([slip.exitCode, slip.stderr]).toEqual([2, expect.stringContaining('"data"')])
  })
})

describe('exec', () => {
  test('gives the child a sandbox and takes its exit code', async () => {
    const line = 'psp exec --quiet --set delays.session=0s --set delays.bank=0s -- bash -c'
    const inner = `node ${BIN} payments create --amount 100 --method sbp --wait --json; test -n "$PSP_SIGNING_SECRET$PSP_WEBHOOK_SECRET"`
    const ran = await shell(`${line} '${inner}'`)
    expect([ran.exitCode, JSON.parse(ran.stdout).payment.status]).toEqual([0, 'succeeded'])
    expect(existsSync(join(folder.cwd, '.psp'))).toBe(false)
  })

  test.each([
    ['exit 5', 5],
    ['kill -9 $$', 137],
    ['kill -TERM $$', 143],
  ])('bash -c %j: %d', async (script, code) => {
    expect((await folder.psp('exec', '--', 'bash', '-c', script)).exitCode).toBe(code)
  })

  test('a program that is not there: 127', async () => {
    const ran = await folder.psp('exec', '--', 'no-such-program')
    expect([ran.exitCode, ran.stderr]).toEqual([127, expect.stringContaining('no-such-program was not found')])
  })

  test('a signal reaches the child, which decides', async () => {
    const running = await folder.start(
      [
        'exec',
        '--quiet',
        '--',
        'node',
        '-e',
        'process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); console.log("up")',
      ],
      /up/,
    )
    running.child.kill('SIGTERM' as never)
    expect((await running.child).exitCode).toBe(7)
  })
})

describe('listen', () => {
  test('survives a restart of the server, and brings what came meanwhile', async () => {
    const receiver = await startVerifyingReceiver()
    const first = await folder.serve('--quiet')
    const url = new URL(first.ready.url)
    const listener = await folder.start(
      ['listen', '--forward', `localhost:${receiver.port}/`, '--url', first.ready.url],
      /Ready/,
      'all',
    )
    first.child.kill('SIGKILL')
    await first.child
    await listener.line(/Connection lost/)
    await folder.psp('trigger', 'payment.failed', '--set', 'order_id=meanwhile')
    await folder.start(['serve', '--port', url.port, '--json', '--quiet'], /"type":"ready"/)
    await receiver.count(1)
    expect(receiver.received[0]?.valid).toBe(true)
    expect(receiver.received[0]?.body.toString()).toContain('meanwhile')
    listener.child.kill('SIGINT' as never)
    const { exitCode, stderr } = await listener.child
    expect(exitCode).toBe(0)
    expect(stderr.split('Ready.')).toHaveLength(2)
    receiver.close()
  })

  test('starts a whole server where none runs', async () => {
    const receiver = await startVerifyingReceiver()
    const listener = await folder.start(['listen', '--forward', String(receiver.port), '--json'], /"type":"ready"/)
    const { url } = JSON.parse(listener.first)
    expect((await folder.psp('trigger', 'payment.failed')).stderr).toBe('')
    await receiver.count(1)
    expect((await fetch(`${url}/_psp/health`)).status).toBe(200)
    listener.child.kill('SIGINT' as never)
    expect((await listener.child).exitCode).toBe(0)
    receiver.close()
  })
})

test('completion goes to stdout and works in bash', async () => {
  const { stdout, exitCode } = await folder.psp('completion', 'bash')
  expect(exitCode).toBe(0)
  const checked = await execa('bash', ['-n'], { input: stdout, reject: false })
  expect(checked.exitCode).toBe(0)
  expect((await folder.psp('complete', '--', 'payments', 'cr')).stdout).toContain('create')
})

test('a damaged folder: 1, and FILE:LINE on stderr', async () => {
  await folder.psp('payments', 'create', '--amount', '100')
  writeFileSync(join(folder.cwd, '.psp', 'state.json'), '{"format": 1, "seq": nonsense')
  const ran = await folder.psp('payments', 'list')
  expect([ran.exitCode, ran.stdout]).toEqual([1, ''])
  expect(ran.stderr).toMatch(/state\.json:\d+/)
  expect((await folder.psp('doctor')).stdout).toMatch(/^fail {2}data/m)
})
