// Finds the shop of a key. The control API shows the beginning of each key.
import type { Client } from '../client/client.ts'
import { paginate, rowsOf } from '../client/paginate.ts'
import { parseKey } from '../domain/api-key.ts'
import type { Credentials, ShopIdentity } from './connection.ts'

/** @throws TypeError for an invalid key, ApiError `unauthorized` for one that the server does not know */
export async function findShop(
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
