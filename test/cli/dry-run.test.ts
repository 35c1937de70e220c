// `--dry-run` prints the request and its response, and changes nothing.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSeed } from '../../src/sandbox.ts'
import { createTestDir, jsonOf, psp, startTestServer, type TestServer } from './helpers.ts'

interface DryRun {
  readonly dry_run: boolean
  readonly requests: readonly { method: string; url: string; headers: Record<string, string>; body?: unknown }[]
  readonly remarks: readonly string[]
}

let testServer: TestServer
let folder: ReturnType<typeof createTestDir>
let payment: string
let made: Record<'rule' | 'fault' | 'endpoint' | 'key', string>

const created = async (line: string) =>
  jsonOf(await testServer.psp(`${line} --json`)) as { id: string; payment: { id: string } }

beforeAll(async () => {
  folder = createTestDir()
  testServer = await startTestServer({
    settings: { 'delays.buyer': '0s', 'delays.session': '0s', 'delays.bank': '0s' },
  })
  payment = (await created('payments create --amount 150000 --method sbp --wait')).payment.id
  made = {
    rule: (await created('rules add failed:limit_exceeded')).id,
    fault: (await created('faults add api status:503 --match path=/nowhere')).id,
    endpoint: (await created('webhooks endpoints create http://127.0.0.1:9/hooks')).id,
    key: (await created('keys create')).id,
  }
  await testServer.psp('store snapshot before')
})
afterAll(async () => {
  await testServer.close()
  folder.remove()
})

async function dryRun(line: string): Promise<DryRun> {
  const before = await stateOf()
  const ran = await testServer.psp(`${line} --dry-run --json`, { cwd: folder.path })
  expect(ran, line).toMatchObject({ code: 0, stderr: '' })
  expect(await stateOf(), `${line} changed something`).toBe(before)
  return jsonOf(ran) as DryRun
}

async function stateOf(): Promise<string> {
  const { tables } = jsonOf(await testServer.psp('store export -')) as { tables: unknown }
  // `wall` is the time of the last read, which changes without a command.
  return JSON.stringify(tables, (name, value) => (name === 'wall' ? undefined : value))
}

describe('on a server', () => {
  test('`payments create --dry-run` prints its request and the response', async () => {
    const { dry_run, requests } = await dryRun(
      'payments create --amount 100 --outcome pending --idempotency-key k-1 --metadata a=1',
    )
    expect([dry_run, requests]).toEqual([
      true,
      [
        {
          method: 'POST',
          url: `${testServer.url}/v1/public/payments`,
          headers: { 'X-PSP-Simulate': 'pending', 'Idempotency-Key': 'k-1' },
          body: { amount: 100, metadata: { a: '1' } },
          response: { status: 201, body: expect.objectContaining({ mode: 'test', idempotent: false }) },
        },
      ],
    ])
  })

  test.each([
    ['payments refund PAYMENT --amount 5000', 'POST', /is succeeded; 1\s500\.00 RUB of its 1\s500\.00 RUB is left/],
    [
      'store reset',
      'POST',
      /^Would clear: 1 payment, 0 refunds, 0 payouts, 1 event, \d+ deliver(y|ies), 1 rule, 1 fault\.$/,
    ],
    [
      'store reset --all',
      'POST',
      /1 rule, 1 fault\.\nWould also restore shops, keys, endpoints, settings and the clock\.$/,
    ],
    ['store restore before', 'POST', /snapshot before/],
    ['store forget before', 'DELETE', /snapshot before/],
    ['events replay --since 1h', 'POST', /^evt_\w+ {2}payment\.succeeded {2}/],
    ['rules remove RULE', 'DELETE', /Would remove rule rul_/],
    ['rules clear', 'DELETE', /Would remove rule rul_/],
    ['faults remove FAULT', 'DELETE', /Would remove fault flt_/],
    ['webhooks endpoints delete ENDPOINT', 'DELETE', /http:\/\/127\.0\.0\.1:9\/hooks/],
    ['keys revoke KEY', 'DELETE', /Would revoke a test key/],
    ['payments create --amount 100 --count 1000', 'POST', /1000 times/],
  ])('`%s --dry-run` prints a %s request and what it would change', async (line, method, remark) => {
    const whole = line
      .replace('PAYMENT', payment)
      .replace(/RULE|FAULT|ENDPOINT|KEY/, (name) => made[name.toLowerCase() as keyof typeof made])
    const { requests, remarks } = await dryRun(whole)
    expect(requests.map((request) => request.method)).toEqual([method])
    expect(remarks.join('\n')).toMatch(remark)
  })

  test('`rules remove --dry-run` names only the rule that it would remove', async () => {
    const other = (await created('rules add failed:card_expired')).id
    expect((await dryRun(`rules remove ${made.rule}`)).remarks).toEqual([`Would remove rule ${made.rule}.`])
    expect((await testServer.psp(`rules remove ${other}`)).code).toBe(0)
  })

  test('`store reset --dry-run` counts more rows than one page of a list has', async () => {
    const payments = Array.from({ length: 1203 }, () => ({ amount: 100 }))
    const many = await startTestServer({ seed: readSeed({ payments }) })
    const { remarks } = jsonOf(await many.psp('store reset --dry-run --json')) as DryRun
    expect(remarks).toEqual([
      'Would clear: 1203 payments, 0 refunds, 0 payouts, 0 events, 0 deliveries, 0 rules, 0 faults.',
      'Would apply the seed again.',
    ])
    await many.close()
  })

  test.each([
    'settings set buyer=manual',
    'clock advance 20m',
    'shops create --name New',
    'webhooks endpoints create http://127.0.0.1:9/other',
    'rules add succeeded',
    'request DELETE /_psp/rules',
  ])('`%s --dry-run` changes nothing', async (line) => {
    expect((await dryRun(line.replace('ID', payment))).requests).toHaveLength(1)
  })

  test.each([
    'payments refund 00000000-0000-4000-8000-000000000000',
    'store restore nowhere',
    'store forget nowhere',
    'rules remove rul_nowhere',
    'faults remove flt_nowhere',
    'webhooks endpoints delete we_nowhere',
    'keys revoke key_nowhere',
    'events replay evt_nowhere',
  ])('`%s --dry-run` exits with 4 because the object does not exist', async (line) => {
    expect(await testServer.psp(`${line} --dry-run`)).toMatchObject({ code: 4, stdout: '' })
  })

  test('a dry run of an action that the status forbids prints the same error as the action', async () => {
    const dry = await testServer.psp(`payments pay ${payment} --dry-run`)
    expect(dry).toMatchObject({ code: 5, stdout: '' })
    expect(await testServer.psp(`payments pay ${payment}`)).toMatchObject({ code: 5, stderr: dry.stderr })
  })

  test('`store import --dry-run` checks the state and imports nothing', async () => {
    await testServer.psp('store export state.json', { cwd: folder.path })
    const { requests, remarks } = await dryRun('store import state.json')
    expect(requests[0]?.body).toMatch(/^\d+ bytes$/)
    expect(remarks[0]).toMatch(/^Would import: 1 payment, /)
    writeFileSync(join(folder.path, 'bad.json'), '{"format":"psp-sandbox/1"}')
    const bad = await testServer.psp('store import bad.json --dry-run', { cwd: folder.path })
    expect([bad.code, bad.stderr]).toEqual([5, expect.stringContaining('tables')])
  })

  test('a dry run prints a readable request without the API key', async () => {
    const { stdout, stderr } = await testServer.psp('payments create --amount 100 --outcome pending --dry-run')
    expect(stdout).toMatch(
      /^POST http:\/\/127\.0\.0\.1:\d+\/v1\/public\/payments\nX-PSP-Simulate: pending\n\{\n {2}"amount": 100\n\}\n$/,
    )
    expect(stderr).toBe('Dry run: nothing was changed.\n')
  })
})

test('a dry run of a reset whose seed does not fit prints the same error as the reset', async () => {
  const payouts = [{ amount: 100, phone: '+79161234567', bank_id: '100000000111', full_name: 'Anna' }]
  const seeded = await startTestServer({ seed: readSeed({ payouts }) })
  const [shop] = (jsonOf(await seeded.psp('shops list --json')) as { items: { id: string }[] }).items
  await seeded.psp(`shops update ${shop?.id} --payout-route off`)
  const dry = await seeded.psp('store reset --dry-run')
  expect(dry).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('`psp store reset --all` also') })
  expect(await seeded.psp('store reset')).toMatchObject({ code: dry.code, stderr: dry.stderr })
  await seeded.close()
})

describe('a server without a dry run', () => {
  async function foreign(health: Record<string, string>) {
    const received: string[] = []
    const server = createServer((incoming, outgoing) => {
      received.push(`${incoming.method} ${incoming.url}`)
      const isHealth = incoming.url === '/_psp/health'
      outgoing
        .writeHead(200, { 'content-type': 'application/json', ...(isHealth ? health : {}) })
        .end('{"status":"ok"}')
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { url, received, close: () => void server.close() }
  }

  test('a server without a dry run gets no request that writes, and the command prints the request', async () => {
    const { url, received, close } = await foreign({})
    const ran = await psp(`payments create --amount 100 --dry-run --api-key sk_test_x --url ${url}`, {
      cwd: folder.path,
    })
    close()
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(`POST ${url}/v1/public/payments`) })
    expect(ran.stderr).toContain('The server has no dry run for it')
    expect(received.filter((line) => line.startsWith('POST'))).toEqual([])
  })

  test('a dry run fails if the server announces dry runs but does not mark its response', async () => {
    const { url, close } = await foreign({ 'X-PSP-Dry-Run': 'true' })
    const ran = await psp(`payments create --amount 100 --dry-run --api-key sk_test_x --url ${url}`, {
      cwd: folder.path,
    })
    close()
    expect([ran.code === 0, ran.stdout]).toEqual([false, ''])
  })
})

describe('without a server', () => {
  test('a dry run without a data directory creates none', async () => {
    const { code } = await psp('payments create --amount 100 --dry-run --data new', { cwd: folder.path })
    expect([code, existsSync(join(folder.path, 'new'))]).toEqual([0, false])
  })

  test('a dry run changes nothing in the data directory, not even timers that are due', async () => {
    const data = join(folder.path, 'kept')
    await psp('payments create --amount 100 --method sbp --data kept', { cwd: folder.path })
    const before = filesOf(data)
    const { code, stdout } = await psp('store reset --dry-run --data kept', { cwd: folder.path })
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 payment, ')])
    expect(filesOf(data)).toEqual(before)
  })
})

function filesOf(root: string): readonly (readonly [string, string])[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((name) => statSync(join(root, name)).isFile())
    .map((name) => [name, readFileSync(join(root, name), 'latin1')])
}

describe('psp trigger', () => {
  test('`trigger EVENT --dry-run` prints the request and the event', async () => {
    const { requests, remarks } = await dryRun('trigger payment.succeeded --set order_id=42')
    expect(requests).toEqual([
      expect.objectContaining({ method: 'POST', body: { event: 'payment.succeeded', set: { order_id: '42' } } }),
    ])
    expect(remarks).toEqual(['Would trigger payment.succeeded.'])
  })

  test('`trigger SCENARIO --dry-run` lists the steps', async () => {
    const { requests, remarks } = await dryRun('trigger partial-refunds')
    expect(requests).toEqual([])
    expect(remarks[0]).toMatch(/^Would run payments\.create \{/)
    expect(remarks.length).toBeGreaterThan(2)
  })
})

test('a dry run prints paths and no address if there is no server', async () => {
  const { stdout } = await psp('payments create --amount 100 --dry-run', { cwd: folder.path })
  expect(stdout).toMatch(/^POST \/v1\/public\/payments$/m)
  expect(stdout).not.toContain('http://127.0.0.1')
})
