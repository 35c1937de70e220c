// Calls the test sandbox that test suites import. Arranges through the control API, which also works across processes.
import { parseKey } from '../../src/domain/api-key.ts'
import { startSandbox, type TestSandbox } from '../../src/testing/index.ts'
import type { Adapter, AdapterShop, Arrange, OpenAdapter } from './adapter.ts'

const CLOCK = { clock: 'frozen@2026-05-06T12:00:00Z', randomSeed: 1 } as const

export const openTestingAdapter: OpenAdapter = async () => {
  const sandbox = await openTestingSandbox()
  return createAdapter(sandbox, (path, init) => sandbox.fetch(path, init), sandbox.close)
}

/** A server in this process that is joined by its URL, as one in a container would be. */
export const openJoinedAdapter: OpenAdapter = async () => {
  const server = await startSandbox({ ...CLOCK, receiver: false })
  const { url, apiKey, signingSecret, webhookSecret } = server
  const joined = await startSandbox({ url, apiKey, signingSecret, webhookSecret })
  return createAdapter(
    joined,
    (path, init) => joined.fetch(path, init),
    async () => {
      await joined.close()
      await server.close()
    },
  )
}

export function openTestingSandbox(): Promise<TestSandbox> {
  return startSandbox({ ...CLOCK, listen: false })
}

export function createAdapter(sandbox: TestSandbox, fetch: Adapter['fetch'], close: () => Promise<void>): Adapter {
  const { shopId, merchantId, apiKey, signingSecret } = sandbox
  const shop = { shop_id: shopId, merchant_id: merchantId, api_key: apiKey, signing_secret: signingSecret }
  const { store, clock } = sandbox.client.control
  return {
    fetch,
    shop,
    keepsProcessState: true,
    arrange: arrangeThrough(sandbox),
    async reset() {
      await store.reset({ all: true })
      await clock.set({ mode: 'frozen' })
    },
    close,
  }
}

function arrangeThrough(sandbox: TestSandbox): Arrange {
  const { control } = sandbox.client
  return {
    async settings(values) {
      await control.settings.update({ ...values })
    },
    async advance(ms) {
      await sandbox.clock.advance(ms)
    },
    shop: async ({ endpoints, ...body }) => (await control.shops.create(body)) satisfies AdapterShop,
    key: async (shopId, mode) => (await control.keys.create(shopId, { mode })).api_key,
    async revoke(apiKey) {
      for (const { id } of (await control.shops.list({ limit: 1000 })).items) {
        const { items } = await control.keys.list(id)
        const key = items.find(({ hint }) => hint === parseKey(apiKey)?.hint)
        if (key !== undefined) await control.keys.revoke(key.id)
      }
    },
    async fault(target, fault, times) {
      await control.faults.add({ target, fault, times })
    },
    logged: async () => (await control.requests({ limit: 1 })).items[0] as Awaited<ReturnType<Arrange['logged']>>,
  }
}
