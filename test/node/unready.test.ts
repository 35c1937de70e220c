import { expect, test, vi } from 'vitest'
import { startServer } from '../../src/node/server.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

const made = vi.hoisted(() => ({ broken: true }))

vi.mock('../../src/node/fetch-listener.ts', async (original) => {
  const { fetchListener } = await original<typeof import('../../src/node/fetch-listener.ts')>()
  return {
    get fetchListener() {
      if (made.broken) throw new Error('Cannot find module fetch-listener')
      return fetchListener
    },
  }
})

test('where a part of the program cannot be loaded, requests are refused until it can', async () => {
  const adapter = { fetch: async () => new Response('here') }
  const server = await startServer(adapter, { port: 0, host: '127.0.0.1', systemClock: createSystemClock() })
  const refused = await fetch(`${server.url}/_psp/health`)
  expect([refused.status, await refused.json()]).toMatchObject([500, { error: { code: 'internal_error' } }])
  made.broken = false
  expect(await (await fetch(`${server.url}/_psp/health`)).text()).toBe('here')
  await server.close({ grace_ms: 0 })
})
