// A server that runs already, reached over HTTP. Its webhooks come by a listener, so that it may live in a container.

import { type Client, createClient } from '../client/client.ts'
import type { FetchLike } from '../client/fetch-like.ts'
import { createNodeFetch } from '../client/node-fetch.ts'
import { requireAddress } from '../domain/typed-address.ts'
import { systemWall } from '../time/wall.ts'
import { CLOSED_MESSAGE } from './closed.ts'
import type { SandboxConnection, ShopIdentity } from './connection.ts'
import { findShop } from './find-shop.ts'
import { type ServerLine, subscribe } from './listener.ts'
import type { ServerOptions } from './options.ts'

// Taken at import: a test may replace the global one, or let MSW do so.
const { fetch: globalFetch } = globalThis

/** @throws ConnectionError, UnexpectedResponseError, ApiError, TypeError */
export async function connectToServer(
  options: ServerOptions,
): Promise<{ link: SandboxConnection; start: ShopIdentity }> {
  const url = requireAddress(options.url, 'server', 'url')
  const { controlToken } = options
  const wall = systemWall()
  const closing = new AbortController()
  const plain = createNodeFetch()
  const call: FetchLike = async (to, init) => {
    closing.signal.throwIfAborted()
    try {
      return (await globalFetch(to, init)) as Awaited<ReturnType<FetchLike>>
    } catch (error) {
      // Ports that browsers block, as 6000 and 10080, are ordinary ones here.
      if (!isBlockedPort(error)) throw error
      return await plain.fetch(to, init)
    }
  }
  const client = createClient({ fetch: call, baseUrl: url, controlToken })
  await client.control.health()
  const start = options.apiKey === undefined ? await newShop(client) : await findShop(client, options.apiKey, options)

  const lines = new Set<ServerLine>()
  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    await Promise.allSettled([...lines].map((line) => line.close()))
    closing.abort(new Error(CLOSED_MESSAGE))
    plain.close()
  }

  return {
    start,
    link: {
      url,
      controlToken,
      wall,
      closing: closing.signal,
      call,
      fetch: (request) => globalFetch(request),
      async receive(shop, intake) {
        const line = await subscribe(client, shop.shopId, intake, { wall, closing: closing.signal })
        lines.add(line)
        return line
      },
      async reset(run) {
        const told = [...lines].map((line) => line.nextReset())
        await run()
        await Promise.all(told)
      },
      webhooksByFetch() {
        throw new Error('The sandbox runs in another process: its webhooks cannot leave by the fetch of this one.')
      },
      pagesAt() {
        throw new Error('The sandbox runs in another process: its --pay-url says where its pages are.')
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
