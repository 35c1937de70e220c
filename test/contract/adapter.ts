// An adapter is a way to call a sandbox with the signature of fetch. The contract cases use nothing else.
import { hashKey } from '../../src/domain/api-key.ts'
import type { ShopInput } from '../../src/engine/command-inputs.ts'
import { type RunningServer, startServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox.ts'
import type { SettingValues } from '../../src/settings.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

export interface Adapter {
  /** @param path with a leading slash */
  fetch(path: string, init?: RequestInit): Promise<Response>
  readonly shop: AdapterShop
  /** Whether all calls reach the same process, which has state in memory. */
  readonly keepsProcessState: boolean
  readonly arrange: Arrange
  /** Removes what a case made, and freezes the clock. */
  reset(): Promise<void>
  close(): Promise<void>
}

export interface AdapterShop {
  readonly shop_id: string
  readonly merchant_id: string
  readonly api_key: string
  readonly signing_secret: string
}

/** Operations that the cases need and the public API does not have. */
export interface Arrange {
  settings(values: SettingValues): Promise<void>
  /** Advances the frozen clock. */
  advance(ms: number): Promise<void>
  shop(input: ShopInput): Promise<AdapterShop>
  key(shopId: string, mode: 'test' | 'live'): Promise<string>
  revoke(apiKey: string): Promise<void>
  fault(target: 'api' | 'webhook', fault: string, times?: number): Promise<void>
  /** Returns the newest entry of the request log. */
  logged(): Promise<{ warnings: readonly string[]; status?: number; decided_by?: string; code?: string } | undefined>
}

export type OpenAdapter = () => Promise<Adapter>

/** Calls `sandbox.fetch` directly. */
export const openSandboxAdapter: OpenAdapter = async () => {
  const sandbox = await frozenSandbox()
  return {
    fetch: (path, init) => sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, init)),
    ...createArrangement(sandbox),
    close: () => sandbox.close(),
  }
}

/** Calls the node server over a socket. */
export const openNodeAdapter: OpenAdapter = async () => {
  const sandbox = await frozenSandbox()
  const server: RunningServer = await startServer(sandbox, {
    port: 0,
    host: '127.0.0.1',
    systemClock: createSystemClock(),
  })
  return {
    fetch: (path, init) => fetch(`${server.url}${path}`, init),
    ...createArrangement(sandbox),
    async close() {
      await server.close({ grace_ms: 0 })
      await sandbox.close()
    },
  }
}

/** Creates a sandbox with a frozen clock, so that nothing happens by itself. */
export function frozenSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const now = Date.UTC(2026, 4, 6, 12) as never
  return assembleSandbox({ clock: { mode: 'frozen', now }, randomSeed: 1, ...options })
}

/** Arranges through a sandbox in this process. Other adapters have their own arrangement. */
export function createArrangement(sandbox: Sandbox): Omit<Adapter, 'fetch' | 'close'> {
  const { engine, timeline } = sandbox
  const { api_key = '', shop_id, merchant_id, signing_secret } = sandbox.defaultShop()
  return {
    shop: { shop_id, merchant_id, api_key, signing_secret },
    keepsProcessState: true,
    async reset() {
      for (const [path, body] of [
        ['reset', { all: true }],
        ['clock', { mode: 'frozen' }],
      ] as const) {
        const headers = { 'content-type': 'application/json' }
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        const { status } = await sandbox.fetch(new Request(`http://127.0.0.1:7770/_psp/${path}`, init))
        if (status !== 200) throw new Error(`${path} has the status ${status}.`)
      }
    },
    arrange: {
      async settings(values) {
        engine.execute('change_settings', { values })
      },
      async advance(ms) {
        await timeline.advance({ by: ms })
      },
      async shop(input) {
        const made = engine.execute('create_shop', input)
        return {
          shop_id: made.shop.id,
          merchant_id: made.merchant.id,
          api_key: made.api_key,
          signing_secret: made.shop.signing_secret,
        }
      },
      key: async (shopId, mode) => engine.execute('create_key', { shop_id: shopId, mode }).api_key,
      async revoke(apiKey) {
        const [key] = engine.world.find('keys', 'by_hash', hashKey(apiKey))
        engine.execute('revoke_key', { key_id: key?.id ?? '' })
      },
      async fault(target, fault, times) {
        engine.execute('add_fault', { target, fault, ...(times === undefined ? {} : { times }) })
      },
      async logged() {
        const response = await sandbox.fetch(new Request('http://127.0.0.1:7770/_psp/requests?limit=1'))
        const { items } = (await response.json()) as { items: { warnings: string[] }[] }
        return items[0]
      },
    },
  }
}
