// Connects to a running server over HTTP. A listener fetches the webhooks, so the server may run in a container.
import { type Client, createClient } from '../client/client.ts'
import type { FetchLike } from '../client/fetch-like.ts'
import { createNodeFetch } from '../client/node-fetch.ts'
import { paginate, rowsOf } from '../client/paginate.ts'
import { parseKey } from '../domain/api-key.ts'
import { requireAddress } from '../domain/typed-address.ts'
import { createSystemClock } from '../system-clock/system-clock.ts'
import { CLOSED_MESSAGE, type Credentials, type SandboxConnection, type ShopIdentity } from './connection.ts'
import { type ListenerSubscription, subscribe } from './listener.ts'
import type { ServerOptions } from './options.ts'

// Read at import, because a test or MSW may replace the global one.
const { fetch: globalFetch } = globalThis

/** @throws ConnectionError, UnexpectedResponseError, ApiError, TypeError */
export async function connectToServer(
  options: ServerOptions,
): Promise<{ connection: SandboxConnection; shop: ShopIdentity }> {
  const url = requireAddress(options.url, 'server', 'url')
  const { controlToken } = options
  const systemClock = createSystemClock()
  const closing = new AbortController()
  const nodeFetch = createNodeFetch()
  const call: FetchLike = async (to, init) => {
    closing.signal.throwIfAborted()
    try {
      return (await globalFetch(to, init)) as Awaited<ReturnType<FetchLike>>
    } catch (error) {
      // The global `fetch` blocks ports such as 6000 and 10080, as browsers do, but a sandbox may use them.
      if (!isBlockedPort(error)) throw error
      return await nodeFetch.fetch(to, init)
    }
  }
  const client = createClient({ fetch: call, baseUrl: url, controlToken })
  await client.control.health()
  const shop = options.apiKey === undefined ? await newShop(client) : await findShop(client, options.apiKey, options)

  const subscriptions = new Set<ListenerSubscription>()
  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    await Promise.allSettled([...subscriptions].map((subscription) => subscription.close()))
    closing.abort(new Error(CLOSED_MESSAGE))
    nodeFetch.close()
  }

  return {
    shop,
    connection: {
      url,
      controlToken,
      systemClock,
      closing: closing.signal,
      call,
      fetch: (request) => globalFetch(request),
      async receive(shop, handleWebhook) {
        const subscription = await subscribe(client, shop.shopId, handleWebhook, {
          systemClock,
          closing: closing.signal,
        })
        subscriptions.add(subscription)
        return subscription
      },
      async reset(run) {
        const resetsSeen = [...subscriptions].map((subscription) => subscription.nextReset())
        await run()
        await Promise.all(resetsSeen)
      },
      sendWebhooksWithGlobalFetch() {
        throw new Error('The sandbox runs in another process: its webhooks cannot use the fetch of this process.')
      },
      setPayUrl() {
        throw new Error('The sandbox runs in another process: its --pay-url sets the URL of its pages.')
      },
      close() {
        closed ??= close()
        return closed
      },
    },
  }
}

export async function newShop(client: Client, body: object = {}): Promise<ShopIdentity> {
  const made = await client.control.shops.create(body)
  return {
    shopId: made.shop_id,
    merchantId: made.merchant_id,
    apiKey: made.api_key,
    signingSecret: made.signing_secret,
    webhookSecret: made.webhook_secret,
  }
}

function isBlockedPort(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error && error.cause.message === 'bad port'
}

/** @throws TypeError for an invalid key, and for a key that no shop of the server has */
async function findShop(
  client: Client,
  apiKey: string,
  secrets: { readonly [S in keyof Omit<Credentials, 'apiKey'>]?: string | undefined },
): Promise<ShopIdentity> {
  const hint = parseKey(apiKey)?.hint
  if (hint === undefined) throw new TypeError('apiKey: expected a whole API key, sk_test_<6 characters>_<secret>.')
  for await (const shop of rowsOf(client.control.shops.list)) {
    const keys = await paginate((page) => client.control.keys.list(shop.id, page))
    if (!keys.some((key) => key.hint === hint && (key.revoked_at ?? null) === null)) continue
    return {
      shopId: shop.id,
      merchantId: shop.merchant_id,
      apiKey,
      signingSecret: secrets.signingSecret ?? '',
      webhookSecret: secrets.webhookSecret ?? '',
    }
  }
  throw new TypeError(`apiKey: no shop of the server has the key ${hint}_….`)
}
