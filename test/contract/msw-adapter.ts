// Calls a service that does not exist and is mocked by MSW.
import { setupServer } from 'msw/node'
import { pspHandlers } from '../../src/msw/index.ts'
import type { OpenAdapter } from './adapter.ts'
import { createAdapter, openTestingSandbox } from './testing-adapter.ts'

const BASE = 'https://api.psp.example'

export const openMswAdapter: OpenAdapter = async () => {
  const sandbox = await openTestingSandbox()
  const server = setupServer(...pspHandlers(sandbox, { baseUrls: [BASE] }))
  server.listen({ onUnhandledRequest: 'error' })
  return createAdapter(
    sandbox,
    (path, init) => fetch(`${BASE}${path}`, init),
    async () => {
      server.close()
      await sandbox.close()
    },
  )
}
