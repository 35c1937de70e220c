// Creates the shops and keys of the recording in the sandbox, with the flags that the recording implies.
import type { Client } from '../../client/client.ts'
import type { ShopBody } from '../../client/control-types.ts'
import { isSuccess } from '../../domain/http-response.ts'
import { asObject, asText } from '../../domain/json-values.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import type { Mode } from '../../domain/shop.ts'
import type { RecordedCall } from './recorded-call.ts'

export interface ReplayCredentials {
  readonly apiKey: string
  readonly signingSecret: string
}

interface ReplayShop {
  readonly id: string
  readonly firstKey: string
  readonly signingSecret: string
  readonly flags: Flags
}

type Flags = Required<Pick<ShopBody, 'payout_route' | 'live_enabled' | 'require_signature'>>

interface RecordedKey {
  readonly hint: string
  /** Absent if the key does not show its mode. */
  readonly mode?: Mode
}

/** Returns the public part of the key as `hint`, or `bearer` for a key in another format. */
export function recordedKey({ headers }: RecordedCall): RecordedKey | undefined {
  const authorization = headers.get('authorization') ?? ''
  const [hint, mode] = /\bsk_(test|live)_[A-Za-z0-9]{6}/.exec(authorization) ?? []
  if (hint !== undefined) return { hint, mode: mode as Mode }
  return /^Bearer \S/i.test(authorization) ? { hint: 'bearer' } : undefined
}

/** A key in the valid format that no shop has. */
export const UNKNOWN_KEY = `sk_test_zzzzzz_${'0'.repeat(32)}`

export class ReplayShops {
  readonly #client: Client
  /** The shop and the merchant of the recording, by key. */
  readonly #owners: KeyOwners
  readonly #shops = new Map<string, ReplayShop>()
  readonly #merchants = new Map<string, string>()
  readonly #keys = new Map<string, string>()

  constructor(client: Client, owners: KeyOwners) {
    this.#client = client
    this.#owners = owners
  }

  /** Gives the shop the flags that the response of the call implies, and returns the credentials for the call. */
  async credentialsFor(call: RecordedCall): Promise<ReplayCredentials | undefined> {
    const key = recordedKey(call)
    if (key === undefined) return undefined
    const owner = this.#owners.get(key.hint) ?? {}
    const mode = key.mode ?? owner.mode ?? 'test'
    const name = owner.shop ?? 'unknown'
    const shop = this.#shops.get(name) ?? (await this.#create(name, owner))
    await this.#adjust(shop, call, mode)
    return { apiKey: await this.#keyOf(shop, key.hint, mode), signingSecret: shop.signingSecret }
  }

  async #create(name: string, { merchant, title }: Owner): Promise<ReplayShop> {
    const merchant_id = merchant === undefined ? undefined : this.#merchants.get(merchant)
    const flags: Flags = { payout_route: true, live_enabled: true, require_signature: false }
    const made = await this.#client.control.shops.create({
      merchant_id,
      name: title && firstCharacters(title),
      ...flags,
    })
    if (merchant !== undefined) this.#merchants.set(merchant, made.merchant_id)
    const shop = { id: made.shop_id, firstKey: made.api_key, signingSecret: made.signing_secret, flags }
    this.#shops.set(name, shop)
    return shop
  }

  async #adjust(shop: ReplayShop, call: RecordedCall, mode: Mode): Promise<void> {
    const implied = impliedFlags(call, mode)
    const changed = Object.entries(implied).filter(([name, value]) => shop.flags[name as keyof Flags] !== value)
    if (changed.length === 0) return
    await this.#client.control.shops.update(shop.id, Object.fromEntries(changed))
    Object.assign(shop.flags, implied)
  }

  async #keyOf(shop: ReplayShop, hint: string, mode: Mode): Promise<string> {
    const known = this.#keys.get(hint)
    if (known !== undefined) return known
    const isFirst = mode === 'test' && ![...this.#keys.values()].includes(shop.firstKey)
    const key = isFirst ? shop.firstKey : (await this.#client.control.keys.create(shop.id, { mode })).api_key
    this.#keys.set(hint, key)
    return key
  }
}

/** The maximum number of characters of a shop's name in the sandbox. The service may allow more. */
const NAME_LIMIT = 200

interface Owner {
  readonly shop?: string
  readonly merchant?: string
  readonly title?: string
  readonly mode?: Mode
}

export type KeyOwners = ReadonlyMap<string, Owner>

/** Returns what the recording says about the shop of each key. */
export function ownersByKey(calls: readonly RecordedCall[]): KeyOwners {
  const owners = new Map<string, Owner>()
  for (const call of calls) {
    const key = isSuccess(call.status) ? recordedKey(call) : undefined
    if (key === undefined || owners.has(key.hint)) continue
    const body = asObject(call.response?.json)
    const object = asObject(body?.['payment']) ?? asObject(body?.['payout']) ?? body
    const shop = asText(object?.['shop_id']) ?? asText(object?.['terminal_id'])
    const mode = asText(body?.['mode']) ?? asText(asObject(object?.['metadata'])?.['mode'])
    if (shop === undefined) continue
    const merchant = asText(object?.['merchant_id'])
    const title = asText(object?.['shop_name']) ?? asText(object?.['terminal_name'])
    const isMode = mode === 'test' || mode === 'live'
    owners.set(key.hint, {
      shop,
      ...omitUndefined({ merchant, title: title || undefined }),
      ...(isMode && { mode }),
    })
  }
  return owners
}

function firstCharacters(name: string): string {
  return Array.from(name).slice(0, NAME_LIMIT).join('')
}

function impliedFlags({ response, operation, headers }: RecordedCall, mode: Mode): Partial<Flags> {
  const { code } = response ?? {}
  const isDone = isSuccess(response?.status)
  const isSigned = headers.has('x-psp-signature') || headers.has('x-service-signature')
  return {
    ...(code === 'route_not_configured' && { payout_route: false }),
    ...(isDone && operation === 'POST /v1/public/payouts' && { payout_route: true }),
    ...(code === 'live_not_enabled' && { live_enabled: false }),
    ...(isDone && mode === 'live' && { live_enabled: true }),
    ...(code === 'signature_required' && { require_signature: true }),
    ...(isDone && !isSigned && { require_signature: false }),
  }
}
