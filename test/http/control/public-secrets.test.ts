// A server that other machines can reach does not get the public development secrets back.
import { expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../../src/domain/default-shop.ts'
import { ExposedCredentialsError, type SandboxOptions } from '../../../src/sandbox.ts'
import { temporaryFolder } from '../../store/fixtures.ts'
import { rig } from './rig.ts'

const TOKEN = 'a-control-token-of-a-test'
const SHARED: SandboxOptions = { control: { host: '0.0.0.0', loopback: false, token: TOKEN } }
const REFUSED = {
  code: 'not_allowed',
  message: expect.stringMatching(
    /public development credentials.*other machines can reach this server.*Nothing was changed/,
  ),
}

type Box = Awaited<ReturnType<typeof rig>>

const auth = { authorization: `Bearer ${TOKEN}` }
const secretsOf = ({ sandbox }: Box) => {
  const { signing_secret, webhook_secret } = sandbox.startShop()
  return { signing_secret, webhook_secret }
}

/** A data directory that was made with the development credentials, whose secrets were replaced since. */
async function rotated(): Promise<{ folder: string; old: unknown }> {
  const folder = temporaryFolder()
  const box = await rig({ folder })
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
  const box = await rig({ folder, ...SHARED })
  const before = secretsOf(box)
  const { status, body } = await act(box, old)
  expect([status, body.error]).toEqual([409, REFUSED])
  expect(secretsOf(box)).toEqual(before)
  expect(before.signing_secret).not.toBe(DEFAULT_SHOP.signing_secret)
  await box.sandbox.close()
  const local = await rig({ folder })
  expect((await act(local, old)).status).toBeLessThan(300)
})

test('a shared server whose directory was made with private credentials can be reset to its start', async () => {
  const folder = temporaryFolder()
  const credentials = {
    api_key: 'sk_test_own001_0123456789abcdef',
    signing_secret: 'thm_own',
    webhook_secret: 'whs_own',
  }
  await (await rig({ folder, credentials })).sandbox.close()
  const box = await rig({ folder, ...SHARED })
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
    const fresh = await rig({ credentials, seed })
    expect(() => fresh.sandbox.assertHostAllowed('0.0.0.0')).toThrow(ExposedCredentialsError)
    const folder = temporaryFolder()
    await (await rig({ folder, credentials, seed })).sandbox.close()
    const kept = await rig({ folder })
    expect(() => kept.sandbox.assertHostAllowed('0.0.0.0')).toThrow(ExposedCredentialsError)
    const shared = await rig({ credentials, seed, ...SHARED })
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
  const shared = await rig({ credentials, ...SHARED })
  const { body } = await shared.call('POST', '/_psp/shops', { api_key: DEFAULT_SHOP.api_key }, auth)
  expect(body.error).toEqual(REFUSED)
})
