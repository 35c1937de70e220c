// The shop of a new data directory. Its credentials are public, like the default password of a database image, so that
// an app's .env stays valid across resets. A server that other machines can reach refuses to start with them.
import start from '../../fixtures/start-shop.json' with { type: 'json' }
import { hashKey } from './api-key.ts'
import type { ApiKey, Shop } from './shop.ts'

export interface ShopCredentials {
  readonly api_key: string
  readonly signing_secret: string
  readonly webhook_secret: string
}

/** The credentials that a request sets. Absent credentials are generated. */
export interface ShopSecrets {
  readonly api_key?: string | undefined
  /** The stored form of `api_key`. */
  readonly known_key?: { readonly hash: string } | undefined
  readonly signing_secret?: string | undefined
  readonly webhook_secret?: string | undefined
}

export const DEFAULT_SHOP = start satisfies ShopCredentials & { merchant_id: string; shop_id: string; name: string }

const DEVELOPMENT_KEY_HASH = hashKey(start.api_key)

export function isDevelopmentKey({ hash }: ApiKey): boolean {
  return hash === DEVELOPMENT_KEY_HASH
}

export function hasDevelopmentCredentials(shop: ShopSecrets): boolean {
  const { api_key, known_key, signing_secret, webhook_secret } = shop
  const isKey = api_key === start.api_key || known_key?.hash === DEVELOPMENT_KEY_HASH
  return isKey || isDevelopmentSecret(signing_secret) || isDevelopmentSecret(webhook_secret)
}

export function isDevelopmentSecret(secret: string | undefined): boolean {
  return secret === start.signing_secret || secret === start.webhook_secret
}

/** Whether the shop has a development secret, or an active development key. */
export function usesDevelopmentCredentials(shop: Shop, keys: readonly ApiKey[]): boolean {
  return hasDevelopmentCredentials(shop) || keys.some(isActiveDevelopmentKey)
}

export function isActiveDevelopmentKey(key: ApiKey): boolean {
  return isDevelopmentKey(key) && key.revoked_at === undefined
}
