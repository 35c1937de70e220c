import start from '../../fixtures/start-shop.json' with { type: 'json' }
import type { Client } from '../client/client.ts'
import { ApiError } from '../client/errors.ts'

/** The shop a command means when none is named: the one that was there first. */
export async function defaultShop(client: Client): Promise<string> {
  try {
    return (await client.control.shops.get(start.shop_id)).id
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
  let cursor: string | undefined
  for (;;) {
    const page = await client.control.shops.list({ limit: 1000, cursor })
    if (page.next_cursor === null) return page.items.at(-1)?.id ?? start.shop_id
    cursor = page.next_cursor
  }
}
