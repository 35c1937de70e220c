// A server that other machines can reach does not get the public development secrets back.
import { expect, test } from 'vitest'
import { hashKey } from '../../../src/domain/api-key.ts'
import { DEFAULT_SHOP } from '../../../src/domain/default-shop.ts'
import { ExposedCredentialsError, type SandboxOptions } from '../../../src/sandbox.ts'
import { temporaryFolder } from '../../store/fixtures.ts'
import { openSandbox } from '../fixtures.ts'

const TOKEN = 'a-control-token-of-a-test'
const SHARED: SandboxOptions = { control: { host: '0.0.0.0', loopback: false, token: TOKEN } }
const REFUSED = {
  code: 'not_allowed',
  message: expect.stringMatching(
    /public development credentials.*other machines can reach this server.*Nothing was changed/,
  ),
}

type Box = Awaited<ReturnType<typeof openSandbox>>

const auth = { authorization: `Bearer ${TOKEN}` }
const secretsOf = ({ sandbox }: Box) => {
  const { signing_secret, webhook_secret } = sandbox.defaultShop()
  return { signing_secret, webhook_secret }
}

/** A data directory that was made with the development credentials, whose secrets were replaced since. */
async function rotated(): Promise<{ folder: string; old: unknown }> {
  const folder = temporaryFolder()
  const box = await openSandbox({ folder })
  await box.put('/snapshots/public')
  const { body: old } = await box.get('/export')
  await box.post(`/shops/${box.shop}/rotate-signing-secret`)
  await box.post(`/shops/${box.shop}/rotate-webhook-secret`)
  await box.sandbox.close()
  return { folder, old }
}

test.each<[string, (box: Box, old: unknown) => ReturnType<Box['call']>]>([
  ['a reset of everything', (box) => box.call('POST', '/_psp/reset', { all: true }, auth)],
  ['an import', (box, old) => box.call('PUT', '/_psp/import', old, auth)],
  ['a restore', (box) => box.call('POST', '/_psp/snapshots/public/restore', undefined, auth)],
  ['a new shop', (box) => box.call('POST', '/_psp/shops', { webhook_secret: DEFAULT_SHOP.webhook_secret }, auth)],
])('%s that brings back a public secret is refused on a shared server, and nothing changes', async (_, act) => {
  const { folder, old } = await rotated()
  const box = await openSandbox({ folder, ...SHARED })
  const before = secretsOf(box)
  const { status, body } = await act(box, old)
  expect([status, body.error]).toEqual([409, REFUSED])
  expect(secretsOf(box)).toEqual(before)
  expect(before.signing_secret).not.toBe(DEFAULT_SHOP.signing_secret)
  await box.sandbox.close()
  const local = await openSandbox({ folder })
  expect((await act(local, old)).status).toBeLessThan(300)
})

test('a shared server whose directory was made with private credentials can be reset to its start', async () => {
  const folder = temporaryFolder()
  const credentials = {
    api_key: 'sk_test_own001_0123456789abcdef',
    signing_secret: 'thm_own',
    webhook_secret: 'whs_own',
  }
  await (await openSandbox({ folder, credentials })).sandbox.close()
  const box = await openSandbox({ folder, ...SHARED })
  expect((await box.call('POST', '/_psp/reset', { all: true }, auth)).status).toBe(200)
  expect(secretsOf(box)).toEqual({ signing_secret: 'thm_own', webhook_secret: 'whs_own' })
})

test.each([{ webhook_secret: DEFAULT_SHOP.webhook_secret }, { signing_secret: DEFAULT_SHOP.signing_secret }])(
  'a seed with a public secret starts no shared server, and neither does a directory that has it: %j',
  async (secrets) => {
    const credentials = {
      api_key: 'sk_test_own001_0123456789abcdef',
      signing_secret: 'thm_own',
      webhook_secret: 'whs_own',
    }
    const seed = { shops: [{ name: 'Seeded', ...secrets }] }
    const fresh = await openSandbox({ credentials, seed })
    expect(() => fresh.sandbox.beforeListen('0.0.0.0')).toThrow(ExposedCredentialsError)
    const folder = temporaryFolder()
    await (await openSandbox({ folder, credentials, seed })).sandbox.close()
    const kept = await openSandbox({ folder })
    expect(() => kept.sandbox.beforeListen('0.0.0.0')).toThrow(ExposedCredentialsError)
    const shared = await openSandbox({ credentials, seed, ...SHARED })
    for (const body of [{}, { all: true }]) {
      expect((await shared.call('POST', '/_psp/reset', body, auth)).body.error).toEqual(REFUSED)
    }
  },
)

test('a new shop with the public key is refused on a shared server', async () => {
  const credentials = {
    api_key: 'sk_test_own001_0123456789abcdef',
    signing_secret: 'thm_own',
    webhook_secret: 'whs_own',
  }
  const shared = await openSandbox({ credentials, ...SHARED })
  const { body } = await shared.call('POST', '/_psp/shops', { api_key: DEFAULT_SHOP.api_key }, auth)
  expect(body.error).toEqual(REFUSED)
})

const OWN = {
  api_key: 'sk_test_own001_0123456789abcdef',
  signing_secret: 'thm_own',
  webhook_secret: 'whs_own',
}

type Tables = { [table: string]: { readonly [field: string]: unknown }[] }

/** An export of a shop with private secrets and an endpoint, changed by `edit`. */
async function exportWith(edit: (tables: Tables) => void): Promise<object> {
  const box = await openSandbox({ credentials: OWN })
  await box.post(`/shops/${box.shop}/endpoints`, { url: 'http://127.0.0.1:9/hook' })
  const { body } = await box.get('/export')
  await box.sandbox.close()
  edit(body.tables as Tables)
  return body
}

const edited = (table: string, change: object) => (tables: Tables) => {
  tables[table] = (tables[table] ?? []).map((row) => ({ ...row, ...change }))
}

test.each<[string, (tables: Tables) => void]>([
  ['an active development key', edited('keys', { hash: hashKey(DEFAULT_SHOP.api_key) })],
  ['an endpoint with the public webhook secret', edited('endpoints', { secret: DEFAULT_SHOP.webhook_secret })],
])('an import with %s is refused on a shared server, and a directory with it starts none', async (_, edit) => {
  const state = await exportWith(edit)
  const shared = await openSandbox({ credentials: OWN, ...SHARED })
  expect((await shared.call('PUT', '/_psp/import', state, auth)).body.error).toEqual(REFUSED)
  const folder = temporaryFolder()
  const local = await openSandbox({ folder, credentials: OWN })
  expect((await local.call('PUT', '/_psp/import', state)).status).toBe(200)
  expect(() => local.sandbox.beforeListen('0.0.0.0')).toThrow(ExposedCredentialsError)
})

test('an import with a revoked development key is accepted on a shared server', async () => {
  const state = await exportWith(edited('keys', { hash: hashKey(DEFAULT_SHOP.api_key), revoked_at: 1 }))
  const shared = await openSandbox({ credentials: OWN, ...SHARED })
  expect((await shared.call('PUT', '/_psp/import', state, auth)).status).toBe(200)
})

test('a reset of everything that would create the development key is refused on a shared server', async () => {
  const folder = temporaryFolder()
  const { signing_secret, webhook_secret } = OWN
  const local = await openSandbox({ folder, credentials: { signing_secret, webhook_secret } })
  const { body: keys } = await local.get(`/shops/${local.shop}/keys`)
  await local.call('DELETE', `/_psp/keys/${keys.items[0].id}`)
  await local.sandbox.close()
  const shared = await openSandbox({ folder, ...SHARED })
  expect(() => shared.sandbox.beforeListen('0.0.0.0')).not.toThrow()
  expect((await shared.call('POST', '/_psp/reset', { all: true }, auth)).body.error).toEqual(REFUSED)
})

test('an import removes former public secrets on a shared server, reports their number, and keeps them elsewhere', async () => {
  const former = ['whs_first', DEFAULT_SHOP.webhook_secret]
  const state = await exportWith((tables) => {
    edited('shops', { former_secrets: former, former_signing_secrets: [DEFAULT_SHOP.signing_secret] })(tables)
    edited('endpoints', { former_secrets: former })(tables)
  })
  const shared = await openSandbox({ credentials: OWN, ...SHARED })
  const dry = await shared.call('PUT', '/_psp/import', state, { ...auth, 'x-psp-dry-run': 'true' })
  expect(dry.body).toMatchObject({ removed_former_secrets: 3 })
  const { status, body } = await shared.call('PUT', '/_psp/import', state, auth)
  expect([status, body]).toEqual([200, { status: 'ok', removed_former_secrets: 3 }])
  const { body: after } = await shared.call('GET', '/_psp/export', undefined, auth)
  expect(after.tables.shops[0]).toMatchObject({ former_secrets: ['whs_first'], former_signing_secrets: [] })
  expect(after.tables.endpoints[0]).toMatchObject({ former_secrets: ['whs_first'] })
  expect(JSON.stringify(after)).not.toContain(DEFAULT_SHOP.webhook_secret)

  const local = await openSandbox({ credentials: OWN })
  expect((await local.call('PUT', '/_psp/import', state)).body).toEqual({ status: 'ok' })
  expect((await local.get('/export')).body.tables.shops[0]).toMatchObject({ former_secrets: former })
})
