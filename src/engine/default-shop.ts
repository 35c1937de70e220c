import { hashKey } from '../domain/api-key.ts'
import {
  DEFAULT_SHOP,
  hasDevelopmentCredentials,
  type ShopCredentials,
  type ShopSecrets,
  usesDevelopmentCredentials,
} from '../domain/default-shop.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { ApiKey } from '../domain/shop.ts'
import type { ShopInput } from './command-inputs.ts'
import { anyDevelopmentCredentials } from './development-secrets.ts'
import type { Engine } from './engine.ts'

/** The credentials of the default shop. `api_key` is absent if only its hash is known. */
export interface DefaultShop {
  readonly merchant_id: string
  readonly shop_id: string
  readonly api_key?: string
  readonly signing_secret: string
  readonly webhook_secret: string
  /**
   * True if a secret of the shop or one of its active API keys is a public development credential. A server that other
   * machines can reach does not start with one.
   */
  readonly well_known: boolean
}

/**
 * Returns the input of the command that creates the shop. `given` credentials replace the development credentials.
 * Endpoints at `urls` use the secret of the shop.
 */
export function defaultShopInput(given: Partial<ShopCredentials> = {}, urls: readonly string[] = []): ShopInput {
  const { merchant_id, shop_id, ...shop } = DEFAULT_SHOP
  const endpoints = [...new Set(urls)].map((url) => ({ url, own_secret: false }))
  return { ...shop, ...given, ids: { merchant_id, shop_id }, endpoints }
}

/** Returns the oldest shop. Its API key is included if it is the key of `input`. */
export function readDefaultShop({ world }: Engine, input: ShopInput): DefaultShop {
  const [shop] = world.rows('shops')
  if (shop === undefined) throw new Error('The store contains no shop.')
  const keys = world.find('keys', 'by_shop', shop.id)
  const known = keyWithText(keys, input.api_key)
  return {
    merchant_id: shop.merchant_id,
    shop_id: shop.id,
    ...omitUndefined({ api_key: known }),
    signing_secret: shop.signing_secret,
    webhook_secret: shop.webhook_secret,
    well_known: usesDevelopmentCredentials(shop, keys),
  }
}

/** Returns whether a stored shop, the shop that `input` will create, or the seed has public credentials. */
export function sandboxUsesDevelopmentCredentials(
  { world }: Engine,
  input: ShopInput,
  seeded: readonly ShopSecrets[] = [],
): boolean {
  if (seeded.some(hasDevelopmentCredentials)) return true
  if (world.size('shops') > 0) return anyDevelopmentCredentials((table) => world.rows(table))
  return hasDevelopmentCredentials(input)
}

function keyWithText(keys: readonly ApiKey[], text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const hash = hashKey(text)
  return keys.some((key) => key.hash === hash && key.revoked_at === undefined) ? text : undefined
}

/** Adds endpoints to the oldest shop. They sign with the secret of the shop. Existing endpoints are unchanged. */
export function addEndpoints(engine: Engine, urls: readonly string[]): void {
  const { world } = engine
  const [shop] = world.rows('shops')
  if (shop === undefined) return
  const known = world.find('endpoints', 'by_shop', shop.id).map(({ url }) => url)
  for (const url of urls) {
    if (!known.includes(url)) engine.execute('create_endpoint', { shop_id: shop.id, input: { url, own_secret: false } })
  }
}
