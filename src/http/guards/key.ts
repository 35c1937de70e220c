// Spec 5.1 to 5.3: the API key identifies the merchant, the shop and the mode. Without a valid key the status is 401.
// Live keys work only if the merchant is enabled for live mode.

import { bearerToken, hashKey, parseKey } from '../../domain/api-key.ts'
import { quoteText } from '../../domain/characters.ts'
import { isDevelopmentKey } from '../../domain/default-shop.ts'
import { type RefusalError, refuse } from '../../domain/errors.ts'
import { isLoopback } from '../../domain/loopback.ts'
import type { ApiKey, Merchant, Shop } from '../../domain/shop.ts'
import type { Caller } from '../../engine/command.ts'
import type { World } from '../../engine/world.ts'
import { type Exchange, header } from '../app-env.ts'
import { hostname, withBrackets } from '../host-header.ts'
import type { ControlAccess } from '../services.ts'
import { singleHeader } from './request-headers.ts'

/** The caller that an API key identifies. */
export interface Authentication {
  readonly key: ApiKey
  readonly shop: Shop
  readonly merchant: Merchant
  readonly caller: Caller
}

const MAX_CACHED_KEYS = 1000

/** Caches each known key by the value of its `Authorization` header. The row of the key is looked up each time. */
export function createKeyGuard(world: World): (c: Exchange) => Authentication {
  const keys = new Map<string, Pick<ApiKey, 'id' | 'hash'>>()

  return (c) => {
    const authorization = singleHeader(c, 'Authorization', 'authorization') ?? ''
    const known = keys.get(authorization)
    const key = known === undefined ? keyWithHash(hashOf(authorization)) : currentRow(known)
    if (key === undefined || key.revoked_at !== undefined) throw refuse('unauthorized', UNKNOWN_KEY)
    const shop = world.get('shops', key.shop_id)
    const merchant = world.get('merchants', key.merchant_id)
    if (shop === undefined || merchant === undefined) throw refuse('unauthorized', UNKNOWN_KEY)
    if (known === undefined) {
      if (keys.size >= MAX_CACHED_KEYS) keys.clear()
      keys.set(authorization, { id: key.id, hash: key.hash })
    }
    return { key, shop, merchant, caller: { shop_id: shop.id, mode: key.mode } }
  }

  /** A lookup by id is faster than one by hash, but an import may have given the id to another key. */
  function currentRow({ id, hash }: Pick<ApiKey, 'id' | 'hash'>): ApiKey | undefined {
    const row = world.get('keys', id)
    return row?.hash === hash ? row : keyWithHash(hash)
  }

  function keyWithHash(hash: string): ApiKey | undefined {
    return world.find('keys', 'by_hash', hash)[0]
  }
}

const UNKNOWN_KEY = 'The API key is unknown or revoked. `psp keys list` shows the keys of this sandbox.'

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
      'Authorization contains a signing secret, not an API key. API keys begin with sk_test_ or sk_live_.',
    )
  }
  return refuse(
    'unauthorized',
    'The API key is malformed: expected sk_test_ or sk_live_, six characters, _ and the secret part.',
  )
}

export function requireLive({ key, merchant }: Authentication): void {
  if (key.mode === 'live' && !merchant.live_enabled) throw refuse('live_not_enabled')
}

/**
 * Headers that only browsers send. A web page can suppress some of them, but not all. Programs that are not browsers
 * may call the server by any name that resolves to its address.
 */
const BROWSER_HEADERS = ['origin', 'referer', 'sec-fetch-site', 'sec-fetch-mode']

/** @throws RefusalError unauthorized or forbidden if the caller may not use the development key here */
export function checkDevelopmentKey(c: Exchange, key: ApiKey, access: ControlAccess): void {
  // Without a socket the caller is in this process.
  if (c.env?.incoming === undefined || !isDevelopmentKey(key)) return
  if (!access.loopback) {
    throw refuse(
      'unauthorized',
      'The development key is public, so a server that other machines can reach does not accept it. Create a private key with `psp keys create`.',
    )
  }
  if (isFromBrowser(c)) requireOwnName(header(c, 'host') ?? '', access)
}

function requireOwnName(host: string, access: ControlAccess): void {
  if (isOwnName(host, access.host)) return
  const shown = quoteText(host)
  throw refuse(
    'forbidden',
    `The Host header is ${shown}, and the request comes from a browser. With the development key, web pages may call this server only as localhost or 127.0.0.1.`,
  )
}

function isOwnName(host: string, configured: string): boolean {
  const name = hostname(host)
  return name !== undefined && (isLoopback(name) || name === hostname(withBrackets(configured)))
}

function isFromBrowser(c: Exchange): boolean {
  if (BROWSER_HEADERS.some((name) => header(c, name) !== undefined)) return true
  return header(c, 'user-agent')?.startsWith('Mozilla/') === true
}
