// Spec 9: the version in the paths, and the label of the interface.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PUBLIC_OPERATIONS } from '../../src/http/public/operations.ts'
import { type Adapter, openSandboxAdapter } from '../contract/adapter.ts'
import { call, get } from '../contract/caller.ts'

let adapter: Adapter
beforeEach(async () => {
  adapter = await openSandboxAdapter()
})
afterEach(() => adapter.close())

test.each(Object.values(PUBLIC_OPERATIONS).map(({ method, path }) => [method, path] as const))(
  'the route %s %s exists under /v1/public and /api/v1/public, and under no other version',
  async (method, path) => {
    const status = async (prefix: string) => (await call(adapter, method, `${prefix}${path}`, { key: null })).status
    expect(await status('/v1/public')).toBe(401)
    expect(await status('/api/v1/public')).toBe(401)
    for (const prefix of ['/v2/public', '/public', '/api/public', '/V1/public', '/v1'])
      expect(await status(prefix)).toBe(404)
  },
)

test('the label is in the documents and in the health response', async () => {
  const label = '2026-05-06'
  for (const path of ['/openapi.json', '/_psp/openapi.json']) {
    expect((await get(adapter, path, { key: null })).body.info.version).toBe(label)
  }
  expect((await get(adapter, '/_psp/health', { key: null })).body.api_version).toBe(label)
})
