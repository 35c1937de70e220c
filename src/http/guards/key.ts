// Spec 5.1 to 5.3: the API key identifies the merchant, the shop and the mode. Without a valid key the status is 401.
import { bearerToken, hashKey, parseKey } from '../../domain/api-key.ts'
import { type RefusalError, refuse } from '../../domain/errors.ts'
import type { ApiKey, Merchant, Shop } from '../../domain/shop.ts'
import type { Caller } from '../../engine/command.ts'
import type { World } from '../../engine/world.ts'
import type { Exchange } from '../app-env.ts'
import { singleHeader } from './single-header.ts'

/** The caller that an API key identifies. */
export interface Authentication {
  readonly key: ApiKey
  readonly shop: Shop
  readonly merchant: Merchant
  readonly caller: Caller
}

const MAX_CACHED_HASHES = 1000

/** Caches the hash of each known key by its header. The row is looked up each time. */
export function createKeyGuard(world: World): (c: Exchange) => Authentication {
  const hashes = new Map<string, string>()

  return (c) => {
    const authorization = singleHeader(c, 'Authorization') ?? ''
    const known = hashes.get(authorization)
    const hash = known ?? hashOf(authorization)
    const key = world.find('keys', 'by_hash', hash)[0]
    if (key === undefined || key.revoked_at !== undefined) throw refuse('unauthorized', UNKNOWN_KEY)
    const shop = world.get('shops', key.shop_id)
    const merchant = world.get('merchants', key.merchant_id)
    if (shop === undefined || merchant === undefined) throw refuse('unauthorized', UNKNOWN_KEY)
    if (known === undefined) {
      if (hashes.size >= MAX_CACHED_HASHES) hashes.clear()
      hashes.set(authorization, hash)
    }
    return { key, shop, merchant, caller: { shop_id: shop.id, mode: key.mode } }
  }
}

const UNKNOWN_KEY = 'The API key is unknown or revoked. psp keys list shows the keys of this sandbox.'

function hashOf(authorization: string): string {
  const token = bearerToken(authorization)
  if (token === undefined || parseKey(token) === undefined) throw unauthorized(authorization, token)
  return hashKey(token)
}

function unauthorized(authorization: string, token: string | undefined): RefusalError {
  if (authorization === '') return refuse('unauthorized')
  if (token === undefined) {
    return refuse('unauthorized', 'Authorization: expected one Bearer token: Authorization: Bearer sk_test_…')
  }
  if (/^(whs|thm)_/.test(token)) {
    return refuse(
      'unauthorized',
      'Authorization holds a signing secret, not an API key: those begin with sk_test_ or sk_live_.',
    )
  }
  return refuse(
    'unauthorized',
    'The API key is malformed: sk_test_ or sk_live_, six characters, _ and the secret part.',
  )
}
