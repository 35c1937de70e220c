// `psp store`: saving, resetting, importing and exporting the state of a sandbox.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import { createTestDir, jsonOf, psp, startPsp, startTestServer, type TestServer, waitUntil } from './helpers.ts'

test('a state can be saved, reset, restored, exported and imported', async () => {
  const testServer = await startTestServer()
  const run = async (line: string) => jsonOf(await testServer.psp(`${line} --json`))
  const folder = createTestDir()
  const count = async () => ((await run('payments list --limit 1000')) as { items: unknown[] }).items.length
  try {
    await run('payments create --amount 100')
    const before = await count()
    expect((await testServer.psp('store snapshot one')).code).toBe(0)
    const exported = await testServer.psp(['store', 'export', 'state.json'], { cwd: folder.path })
    expect(exported).toMatchObject({ code: 0, stdout: 'written to state.json; it contains secrets\n' })
    await testServer.psp('store reset')
    expect(await count()).toBe(0)
    await testServer.psp('store restore one')
    expect(await count()).toBe(before)
    await testServer.psp('store reset --all')
    expect((await testServer.psp(['store', 'import', 'state.json'], { cwd: folder.path })).code).toBe(0)
    expect(await count()).toBe(before)
    expect((await testServer.psp('store snapshots')).stdout).toContain('one')
    expect((await testServer.psp('store forget one')).code).toBe(0)
    const gone = await testServer.psp('store restore one')
    expect(gone).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/no snapshot one\.\n`psp store snapshots` lists/),
    })
    expect((await testServer.psp(['store', 'import', 'nowhere.json'], { cwd: folder.path })).code).toBe(2)
    const toStdout = await testServer.psp('store export -')
    expect(JSON.parse(toStdout.stdout)).toHaveProperty('tables')
  } finally {
    folder.remove()
    await testServer.close()
  }
})

describe('an import', () => {
  const folder = createTestDir()
  let testServer: TestServer
  let good: string

  beforeAll(async () => {
    testServer = await startTestServer()
    await testServer.psp('payments create --amount 100')
    await testServer.psp('store export state.json', { cwd: folder.path })
    good = readFileSync(join(folder.path, 'state.json'), 'utf8')
  })
  afterAll(async () => {
    await testServer.close()
    folder.remove()
  })

  test.each<[string, (text: string) => string | Buffer, RegExp]>([
    ['a value left out', (text) => text.replace('"amount":100', '"amount":'), /^bad\.json:(\d+):(\d+): not JSON: /],
    ['a row cut in a text', (text) => text.replace(/("order_id":"..).*/, '$1'), /^bad\.json:(\d+):(\d+): not JSON: /],
    ['an empty file', () => '', /^bad\.json: expected a JSON object, got nothing\.$/],
    ['a list', () => '[]', /^bad\.json: expected a JSON object, got an array\.$/],
    ['a byte order mark', (text) => `\ufeff${text}`, /^bad\.json:(1):1: it begins with a byte order mark/],
    [
      'Latin-1',
      (text) => Buffer.from(text.replace('"amount"', '"ü":1,"amount"'), 'latin1'),
      /^bad\.json:(\d+):(\d+): .*not UTF-8/,
    ],
    [
      'a wrong row',
      (text) => text.replace('"amount":100', '"amount":"x"'),
      /^bad\.json:(\d+): tables\.payments\[0\]\.amount: /,
    ],
    [
      'another format',
      (text) => text.replace('psp-sandbox/1', 'other'),
      /^bad\.json:1: format: expected psp-sandbox\/1/,
    ],
    [
      'an unknown table',
      (text) => text.replace('"rules":', '"ruels":'),
      /^bad\.json:\d+: tables\.ruels: this table does not exist \(did you mean rules\?\)/,
    ],
    [
      'an unknown key',
      (text) => text.replace('"version":', '"verion":'),
      /^bad\.json:1: verion: unknown key \(did you mean version\?\)/,
    ],
    [
      'a misspelt tables key',
      (text) => text.replace('"tables":', '"tabels":'),
      /^bad\.json:\d+: tabels: unknown key \(did you mean tables\?\)/,
    ],
    [
      'an unknown field of a row',
      (text) => text.replace('"amount":100', '"amount":100,"amuont":1'),
      /^bad\.json:(\d+): tables\.payments\[0\]: expected no field amuont/,
    ],
  ])('`psp store import` names the place of %s', async (what, damage, place) => {
    const bad = damage(good)
    writeFileSync(join(folder.path, 'bad.json'), bad)
    const { code, stderr } = await testServer.psp('store import bad.json --json', { cwd: folder.path })
    const { message, hint } = JSON.parse(stderr).error
    expect(code).toBe(5)
    expect(message).toMatch(place)
    expect(hint).toBe('Correct the file, or create another with `psp store export FILE`.')
    const [, line] = place.exec(message) ?? []
    if (line === '1' || line === '' || line === undefined) return
    const first = good.split('\n').findIndex((row) => row.includes('"amount":100')) + 1
    expect([what, Number(line)]).toEqual([what, first])
  })

  test('an import reports that a shared server removed former secrets that are public', async () => {
    const token = 'a-control-token-of-a-test'
    const shared = await startTestServer({
      credentials: { api_key: 'sk_test_own001_0123456789abcdef', signing_secret: 'thm_own', webhook_secret: 'whs_own' },
      control: { host: '0.0.0.0', loopback: false, token },
    })
    onTestFinished(shared.close)
    const options = { cwd: folder.path, env: { PSP_CONTROL_TOKEN: token } }
    await shared.psp('store export own.json', options)
    const state = JSON.parse(readFileSync(join(folder.path, 'own.json'), 'utf8'))
    state.tables.shops[0].former_secrets = [DEFAULT_SHOP.webhook_secret]
    writeFileSync(join(folder.path, 'own.json'), JSON.stringify(state))
    const { code, stderr } = await shared.psp('store import own.json', options)
    expect([code, stderr]).toEqual([0, expect.stringContaining('removed a former secret that is public')])
  })
})

describe('a reset', () => {
  let folder: ReturnType<typeof createTestDir>
  beforeEach(() => {
    folder = createTestDir()
    writeFileSync(
      join(folder.path, 'seed.json'),
      JSON.stringify({
        shops: [{ name: 'Seeded', api_key: 'sk_test_shop01_0123456789abcdef' }],
        settings: { 'delays.bank': '7s' },
        rules: [{ plan: 'failed', match: { order_id: 'no-*' } }],
        payments: [{ amount: 100, order_id: 'seeded', outcome: 'pending' }],
      }),
    )
  })
  afterEach(() => folder.remove())

  const run = (line: string) =>
    psp(line, { cwd: folder.path, env: { PSP_PORT: '1', PSP_API_KEY: 'sk_test_shop01_0123456789abcdef' } })

  async function serve(...flags: string[]) {
    const running = startPsp(['serve', '--port', '0', '--json', ...flags], { cwd: folder.path })
    await waitUntil(() => running.output().includes('\n'))
    return {
      errors: running.errors,
      async stop() {
        running.signal('SIGTERM')
        expect((await running.ended).code).toBe(0)
      },
    }
  }

  async function look() {
    const list = async (line: string) =>
      (jsonOf(await run(`${line} --json`)) as { items: Record<string, unknown>[] }).items
    return {
      orders: (await list('payments list')).map(({ order_id }) => order_id),
      shops: (await list('shops list')).map(({ name }) => name).toSorted(),
      rules: (await list('rules list')).length,
      bank: (jsonOf(await run('settings delays.bank --json')) as Record<string, unknown>)['delays.bank'],
    }
  }

  const SEEDED = { orders: ['seeded'], shops: ['Local shop', 'Seeded'], rules: 1, bank: '7s' }

  async function use() {
    expect((await run('payments create --amount 5 --order-id mine')).code).toBe(0)
    await run('rules clear')
    await run('settings set delays.bank=9s')
  }

  test('`store reset` and `store reset --all` apply the seed with a server, without one, and after a restart', async () => {
    const first = await serve('--seed', 'seed.json')
    expect(await look()).toEqual(SEEDED)
    await use()
    expect((await run('store reset')).stdout).toBe('reset\n')
    expect(await look()).toEqual({ ...SEEDED, bank: '9s' })
    await use()
    expect((await run('store reset --all')).stdout).toBe('reset completely\n')
    expect(await look()).toEqual(SEEDED)
    await first.stop()

    await use()
    await run('store reset --all')
    expect(await look()).toEqual(SEEDED)
    await use()
    await run('store reset')
    expect(await look()).toEqual({ ...SEEDED, bank: '9s' })

    const second = await serve()
    await run('store reset --all')
    expect(await look()).toEqual(SEEDED)
    await second.stop()

    const third = await serve('--seed', 'seed.json')
    expect(third.errors()).not.toContain('seed')
    await use()
    await run('store reset --all')
    expect(await look()).toEqual(SEEDED)
    await third.stop()
  })

  test('a seed for a data directory with data is applied at the next reset, and the server says so', async () => {
    await run('shops create --name Mine')
    const server = await serve('--seed', 'seed.json')
    expect(server.errors()).toContain('To apply it, run `psp store reset --all`.')
    await run('store reset --all')
    expect(await look()).toEqual(SEEDED)
    await server.stop()
  })
})
