import { fetchTransport } from '../receiver-client/fetch-transport.ts'
import type { Transport } from '../receiver-client/transport.ts'
import { createSystemClock } from '../system-clock/system-clock.ts'

/**
 * Sends webhooks with the global `fetch` of that moment, so that MSW handlers receive them. Use it with `createSandbox`; a
 * sandbox of `startSandbox` switches by itself.
 * @example const sandbox = await createSandbox({ transport: createFetchTransport() })
 */
export function createFetchTransport(): Transport {
  return fetchTransport((url, init) => globalThis.fetch(url, init), createSystemClock())
}
