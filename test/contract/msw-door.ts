// A service that does not exist, mocked by MSW.
import { setupServer } from 'msw/node'
import { pspHandlers } from '../../src/msw/index.ts'
import type { OpenDoor } from './door.ts'
import { doorOf, openTestingSandbox } from './testing-door.ts'

const BASE = 'https://api.psp.example'

export const openMswDoor: OpenDoor = async () => {
  const sandbox = await openTestingSandbox()
  const server = setupServer(...pspHandlers(sandbox, { baseUrls: [BASE] }))
  server.listen({ onUnhandledRequest: 'error' })
  return doorOf(
    sandbox,
    (path, init) => fetch(`${BASE}${path}`, init),
    async () => {
      server.close()
      await sandbox.close()
    },
  )
}
