// Both kinds of reset restore the objects of the seed, also after a restart.
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TABLE_NAMES, type TableName, type Tables } from '../../src/engine/tables.ts'
import { assembleSandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { openSandbox } from '../http/fixtures.ts'
import { temporaryFolder } from '../store/fixtures.ts'

const KEY = 'sk_test_shop01_a0key0of0the0seed'
const SEED = {
  shops: [
    { name: 'Seeded', api_key: KEY, webhook_secret: 'whs_seeded_secret', endpoints: [{ url: 'http://127.0.0.1:9/a' }] },
    { name: 'Second' },
  ],
  settings: { 'delays.bank': '7s' },
  rules: [
    { plan: 'failed', match: { order_id: 'no-*' } },
    { plan: 'pending', match: { order_id: 'never' } },
  ],
  faults: [{ target: 'api', fault: 'status:503', times: 1, match: { operation: 'banks' } }],
  payments: [
    { amount: 100, order_id: 'A-1', outcome: 'pending' },
    { amount: 200, order_id: 'no-1', method: 'sbp' },
    { amount: 300, order_id: 'A-3', outcome: 'refused:do_not_honor' },
  ],
  payouts: [{ amount: 500, phone: '+79161234567', bank_id: '100000000111', outcome: 'pending' }],
}

const open = (options: SandboxOptions) => openSandbox({ holdDeliveries: true, ...options })

type Box = Awaited<ReturnType<typeof openSandbox>>

const tablesOf = ({ sandbox: { engine } }: Pick<Box, 'sandbox'>) =>
  Object.fromEntries(TABLE_NAMES.map((name) => [name, [...engine.world.rows(name)]])) as unknown as {
    readonly [T in TableName]: readonly Tables[T][]
  }

/** Returns the stored rows without times and generated keys. */
function stateOf({ sandbox }: Pick<Box, 'sandbox'>): object {
  const { state, keys, ...tables } = tablesOf({ sandbox })
  const settings = state.filter(({ id }) => id === 'settings')
  const hints = keys.map(({ shop_id, hint }) => [shop_id, hint === 'sk_test_shop01' ? hint : 'any'])
  const text = JSON.stringify({ ...tables, settings, hints }, (name, value) =>
    /_at$|^due$|^seq$|_until$|^body$/.test(name) ? 'then' : value,
  )
  return JSON.parse(text)
}

/** Changes everything that a plain reset restores or keeps. */
async function use({ post, pay, sandbox, remove, get }: Box) {
  await sandbox.fetch(
    new Request('http://127.0.0.1/v1/public/banks/sbp', { headers: { authorization: `Bearer ${KEY}` } }),
  )
  await post('/rules', { plan: 'succeeded' })
  await post('/faults', { target: 'api', fault: 'latency:1s', match: { path: '/x' } })
  for (const { id } of (await get('/rules')).body.items.slice(-1)) await remove(`/rules/${id}`)
  await pay({ order_id: 'mine' })
  await pay({ order_id: 'mine-too' }, KEY)
  await post('/clock/advance', { until: 'idle' })
}

describe('a plain reset', () => {
  test('restores exactly the objects of the seed, each time', async () => {
    const box = await open({ seed: SEED })
    const start = JSON.stringify(tablesOf(box))
    for (let i = 0; i < 3; i++) {
      await box.post('/rules', { plan: 'succeeded' })
      await box.pay({ order_id: 'mine' })
      expect((await box.post('/reset')).status).toBe(200)
      const after = tablesOf(box)
      const timeless = (text: string) => text.replaceAll(/"seq":\d+/g, '')
      expect(timeless(JSON.stringify(after))).toBe(timeless(start))
    }
  })

  test('keeps shops, keys, endpoints and settings, and applies the seed to them', async () => {
    const box = await open({ seed: SEED })
    const { get, post, patch } = box
    const shop = (await get('/shops')).body.items.find(({ name }: { name: string }) => name === 'Seeded')
    await patch(`/shops/${shop.id}`, { name: 'Renamed' })
    await post(`/shops/${shop.id}/endpoints`, { url: 'http://127.0.0.1:9/b' })
    await post('/shops', { name: 'Third' })
    await patch('/settings', { 'delays.bank': '9s' })
    await use(box)
    await post('/reset')
    expect((await get('/settings')).body['delays.bank']).toBe('9s')
    const names = (await get('/shops')).body.items.map(({ name }: { name: string }) => name)
    expect(names.toSorted()).toEqual(['Local shop', 'Renamed', 'Second', 'Third'])
    expect((await get('/payments')).body.items.map(({ order_id }: { order_id: string }) => order_id)).toEqual([
      'A-3',
      'no-1',
      'A-1',
    ])
    // The refused payment sends its event to the endpoints that are there now.
    const urls = (await get('/deliveries')).body.items.map(({ url }: { url: string }) => url)
    expect(urls.toSorted()).toEqual(['http://127.0.0.1:9/a', 'http://127.0.0.1:9/b'])
    expect((await get('/rules')).body.items).toHaveLength(2)
    expect((await get('/faults')).body.items).toMatchObject([{ fault: 'status:503', times: 1, applied: 0 }])
  })

  test('changes nothing and names the next step if a changed shop refuses the seed', async () => {
    const box = await open({ seed: SEED })
    const { get, post, patch } = box
    const [{ id }] = (await get('/shops')).body.items.filter(({ name }: { name: string }) => name === 'Seeded')
    await patch(`/shops/${id}`, { payout_route: false })
    await box.pay({ order_id: 'mine' })
    const before = JSON.stringify(tablesOf(box))
    const refused = await post('/reset')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'not_allowed'])
    expect(refused.body.error.message).toMatch(/nothing was changed\. payouts\[0\]: .* \{"all": true\}/)
    expect(JSON.stringify(tablesOf(box))).toBe(before)
    expect((await post('/reset', { all: true })).status).toBe(200)
  })
})

test('a reset of everything restores shops, keys, secrets, endpoints, settings and ids of the seed', async () => {
  const box = await open({ seed: SEED })
  const { get, post, patch } = box
  const start = stateOf(box)
  const ids = async () => (await get('/payments')).body.items.map(({ id }: { id: string }) => id)
  const before = await ids()
  for (let i = 0; i < 3; i++) {
    await patch('/settings', { 'delays.bank': '9s', buyer: 'manual' })
    const shop = (await get('/shops')).body.items.find(({ name }: { name: string }) => name === 'Seeded')
    await post(`/shops/${shop.id}/rotate-webhook-secret`)
    await use(box)
    expect((await post('/reset', { all: true })).status).toBe(200)
    expect(stateOf(box)).toEqual(start)
    expect(await ids()).toEqual(before)
    expect((await get('/settings')).body).toMatchObject({ 'delays.bank': '7s', buyer: 'auto' })
    await box.pay({}, KEY)
  }
})

test('settings of this run override those of the seed, before and after a reset of everything', async () => {
  const box = await open({ seed: SEED, settings: { 'delays.bank': '2s', link_ttl: '3h' } })
  const look = async () => {
    const { 'delays.bank': bank, link_ttl } = (await box.get('/settings')).body
    const [{ link_expires_at, created_at }] = (await box.get('/payments?order_id=A-1')).body.items
    return [bank, link_ttl, Date.parse(link_expires_at) - Date.parse(created_at)]
  }
  const start = await look()
  expect(start.slice(0, 2)).toEqual(['2s', '3h'])
  await box.patch('/settings', { 'delays.bank': '9s', link_ttl: '4h' })
  await box.post('/reset', { all: true })
  expect(await look()).toEqual(start)
})

test('a restore and an import do not apply the seed', async () => {
  const { get, put, post, pay } = await open({ seed: { payments: [{ amount: 1, order_id: 'seeded' }] } })
  await put('/snapshots/one')
  const { body: state } = await get('/export')
  const orders = async () => (await get('/payments')).body.items.map(({ order_id }: { order_id: string }) => order_id)
  await pay({ order_id: 'mine' })
  await post('/snapshots/one/restore')
  expect(await orders()).toEqual(['seeded'])
  await pay({ order_id: 'mine' })
  await put('/import', state)
  expect(await orders()).toEqual(['seeded'])
})

describe('after a restart', () => {
  const orders = async ({ get }: Box) =>
    (await get('/payments')).body.items.map(({ order_id }: { order_id: string }) => order_id)

  async function seeded(folder: string) {
    const box = await open({ folder, seed: SEED })
    const ids = (await box.get('/payments')).body.items.map(({ id }: { id: string }) => id)
    const start = stateOf(box)
    await use(box)
    await box.sandbox.close()
    return { ids, start }
  }

  test.each([{ all: false }, { all: true }])(
    'a reset with %j restores the stored seed if the next start has none',
    async (how) => {
      const folder = temporaryFolder()
      const { ids, start } = await seeded(folder)
      const box = await open({ folder })
      expect(await orders(box)).toContain('mine')
      expect((await box.post('/reset', how)).status).toBe(200)
      expect((await box.get('/payments')).body.items.map(({ id }: { id: string }) => id)).toEqual(ids)
      expect(stateOf(box)).toEqual(start)
    },
  )

  test('a reset restores the same objects and adds no shop if the next start has the same seed', async () => {
    const folder = temporaryFolder()
    const { ids, start } = await seeded(folder)
    const box = await open({ folder, seed: structuredClone(SEED) })
    expect(await orders(box)).toContain('mine')
    await box.post('/reset')
    expect((await box.get('/payments')).body.items.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(stateOf(box)).toEqual(start)
  })

  test('a start with another seed keeps the data, and the next reset applies the new seed', async () => {
    const folder = temporaryFolder()
    await seeded(folder)
    const other = { shops: [SEED.shops[0]], payments: [{ amount: 5, order_id: 'B-1' }] }
    const box = await open({ folder, seed: other })
    expect(await orders(box)).toContain('mine')
    await box.post('/reset')
    expect(await orders(box)).toEqual(['B-1'])
    const names = async () => (await box.get('/shops')).body.items.map(({ name }: { name: string }) => name).toSorted()
    // A plain reset keeps shops: the one with the same key is the seed's.
    expect(await names()).toEqual(['Local shop', 'Second', 'Seeded'])
    await box.post('/reset', { all: true })
    expect([await orders(box), await names()]).toEqual([['B-1'], ['Local shop', 'Seeded']])
    await box.sandbox.close()
    const later = await open({ folder })
    await later.post('/reset')
    expect(await orders(later)).toEqual(['B-1'])
  })

  test('a data directory without a seed uses the seed of the next start for its resets', async () => {
    const folder = temporaryFolder()
    const first = await open({ folder })
    await first.pay({ order_id: 'mine' })
    await first.sandbox.close()
    const box = await open({ folder, seed: SEED })
    expect(await orders(box)).toEqual(['mine'])
    await box.post('/reset')
    expect(await orders(box)).toEqual(['A-3', 'no-1', 'A-1'])
    await box.pay({}, KEY)
  })

  test('an empty seed removes the stored seed', async () => {
    const folder = temporaryFolder()
    await seeded(folder)
    const box = await open({ folder, seed: {} })
    await box.post('/reset', { all: true })
    expect(await orders(box)).toEqual([])
    expect((await box.get('/shops')).body.items).toHaveLength(1)
  })

  test('no file of the data directory contains the text of a key', async () => {
    const folder = temporaryFolder()
    await seeded(folder)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const text = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n')
    expect(text).toContain('whs_seeded_secret')
    expect(text).not.toContain('a0key0of0the0seed')
  })

  test.each([
    [
      '{"format":1,"seed":{"ids":"x","document":{"shops":[{"nmae":"x"}]}}}',
      /start\.json:1: seed: shops\[0\]\.nmae: unknown field/,
    ],
    ['{"format":1,\n"seed":{"ids":7,"document":{}}}', /start\.json:2: seed: expected ids and a document/],
    ['{"format":1,"shop":{"signing_secret":1}}', /start\.json:1: shop: expected credentials/],
    ['{"format":9}', /start\.json:1: format: expected 1, found 9/],
    ['{"format":1,', /start\.json:1: not JSON/],
  ])('the damaged start record %s is refused with its line, and nothing changes', async (text, message) => {
    const folder = temporaryFolder()
    await seeded(folder)
    writeFileSync(join(folder, 'start.json'), text)
    await expect(assembleSandbox({ folder })).rejects.toThrow(message)
    await expect(assembleSandbox({ folder })).rejects.toThrow(/remove (it|the file)/)
    unlinkSync(join(folder, 'start.json'))
    const box = await open({ folder, seed: SEED })
    expect(await orders(box)).toContain('mine')
    await box.post('/reset')
    expect(await orders(box)).toEqual(['A-3', 'no-1', 'A-1'])
  })

  test('a reset of everything restores the credentials with which the data directory was created', async () => {
    const folder = temporaryFolder()
    const credentials = {
      api_key: 'sk_test_own001_0123456789abcdef',
      webhook_secret: 'whs_own',
      signing_secret: 'thm_own',
    }
    await (await open({ folder, seed: SEED, credentials })).sandbox.close()
    // A later run names the key of another shop, as PSP_API_KEY does.
    const box = await open({ folder, credentials: { api_key: KEY } })
    await box.post(`/shops/${box.shop}/rotate-webhook-secret`)
    expect((await box.post('/reset', { all: true })).status).toBe(200)
    await box.pay({}, credentials.api_key)
    await box.pay({}, KEY)
    expect(box.sandbox.defaultShop()).toMatchObject({ webhook_secret: 'whs_own', signing_secret: 'thm_own' })
    await box.sandbox.close()
    const again = await open({ folder, credentials })
    expect(again.sandbox.defaultShop()).toMatchObject(credentials)
  })
})

test('a key that a later seed gives to its shop no longer belongs to the first shop', async () => {
  const folder = temporaryFolder()
  const first = await open({ folder, credentials: { api_key: KEY } })
  await first.pay({}, KEY)
  await first.sandbox.close()
  const box = await open({ folder, seed: SEED, credentials: { api_key: KEY } })
  expect((await box.post('/reset', { all: true })).status).toBe(200)
  const { items } = (await box.get('/shops')).body
  expect(items.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Local shop', 'Second', 'Seeded'])
  const id = await box.pay({}, KEY)
  expect(
    (await box.get(`/payments?shop_id=${items.find(({ name }: { name: string }) => name === 'Seeded').id}`)).body
      .items[0].id,
  ).toBe(id)
  await expect(open({ seed: SEED, credentials: { api_key: KEY } })).rejects.toThrow('shops[0].api_key: this key exists')
})

test('a start whose seed is refused leaves no data directory', async () => {
  const folder = join(temporaryFolder(), 'new')
  await expect(
    assembleSandbox({ folder, seed: { payments: [{ amount: 1, metadata: { simulate: 'error:aml_blocked' } }] } }),
  ).rejects.toThrow('payments[0]')
  expect(() => readdirSync(folder)).toThrow('ENOENT')
})

test('the seed is one commit, so a crash leaves all of it or nothing', async () => {
  const folder = temporaryFolder()
  const many = { payments: Array.from({ length: 50 }, (_, i) => ({ amount: 100, order_id: `o${i}` })) }
  const first = await open({ folder, seed: many })
  await first.sandbox.close()
  const journal = readdirSync(join(folder, 'journal')).map((name) =>
    readFileSync(join(folder, 'journal', name), 'utf8'),
  )
  expect(tablesOf(first).payments).toHaveLength(50)
  // The clock has one line, and everything else has another.
  expect(first.sandbox.store.lastLine).toBe(2)
  expect(journal.join('').split('\n').length).toBeLessThanOrEqual(3)
})
