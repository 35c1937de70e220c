import { fetchTransport } from '../receiver-client/fetch-transport.ts'
import type { Transport } from '../receiver-client/transport.ts'
import { systemWall } from '../time/wall.ts'

/**
 * Sends webhooks by the `fetch` that is global at that moment, so that MSW handlers receive them. For `createSandbox`:
 * what `startSandbox` gives changes over by itself.
 * @example const sandbox = await createSandbox({ transport: createFetchTransport() })
 */
export function createFetchTransport(): Transport {
  return fetchTransport((url, init) => globalThis.fetch(url, init), systemWall())
}
