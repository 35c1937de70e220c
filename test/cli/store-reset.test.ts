// `psp store reset` brings back the seed of `psp serve --seed`: at the server, without one, and after a restart.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDir, jsonOf, psp, startPsp, waitUntil } from './helpers.ts'

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

test('at the server, without one, and after a restart, both kinds of reset bring the seed back', async () => {
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

test('a seed for a folder with data is applied by the next reset, and the server says so', async () => {
  await run('shops create --name Mine')
  const server = await serve('--seed', 'seed.json')
  expect(server.errors()).toContain('To apply it, run: psp store reset --all.')
  await run('store reset --all')
  expect(await look()).toEqual(SEEDED)
  await server.stop()
})
