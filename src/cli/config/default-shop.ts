import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import type { Client } from '../../client/client.ts'
import { ApiError } from '../../client/errors.ts'
import { paginate } from '../../client/paginate.ts'

/** Returns the shop that a command uses by default: the first one. */
export async function defaultShop(client: Client): Promise<string> {
  try {
    return (await client.control.shops.get(start.shop_id)).id
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
  return (await paginate(client.control.shops.list)).at(-1)?.id ?? start.shop_id
}
