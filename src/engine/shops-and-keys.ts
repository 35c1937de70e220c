// Spec 5: shops, keys and secrets. The real service manages them in its dashboard; its public API cannot change them.

import { formatKey, type HashedKey, hashedKey, keyPrefix } from '../domain/api-key.ts'
import { refuse } from '../domain/errors.ts'
import { allowListEntryIssue } from '../domain/ip-allow-list.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { type SecretName, secretIssue } from '../domain/secrets.ts'
import type { ApiKey, Mode, Shop } from '../domain/shop.ts'
import type { CommandResult, Input } from './command.ts'
import type { ShopCreated } from './command-inputs.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import { addEndpoint, secret } from './endpoints.ts'
import type { Context, Randomness } from './ports.ts'
import { requireRow } from './require-row.ts'
import type { World } from './world.ts'

export function createShop(command: Input<'create_shop'>, world: World, context: Context): Commit<ShopCreated> {
  const draft = new Draft(world, context)
  return draft.commit(addShop(draft, command))
}

/** Creates a shop with one test key, under a new or given merchant. */
function addShop(draft: Draft, input: Input<'create_shop'>): ShopCreated {
  checkAllowList(input.ip_allow_list)
  checkSecret('signing_secret', input.signing_secret)
  checkSecret('webhook_secret', input.webhook_secret)
  const { random } = draft.context
  const merchant = merchantFor(draft, input)
  const shop = draft.put('shops', {
    id: input.ids?.shop_id ?? random.uuid(),
    merchant_id: merchant.id,
    name: input.name ?? 'Shop',
    created_at: draft.now,
    signing_secret: input.signing_secret ?? secret(draft, 'thm'),
    webhook_secret: input.webhook_secret ?? secret(draft, 'whs'),
    require_signature: input.require_signature ?? false,
    ip_allow_list: input.ip_allow_list ?? [],
    payout_route: input.payout_route ?? true,
    former_secrets: [],
  })
  const { key, api_key } = addKey(draft, shop, 'test', input.known_key ?? input.api_key)
  const endpoints = (input.endpoints ?? []).map((endpoint) => addEndpoint(draft, shop, endpoint))
  return { merchant, shop, key, api_key, endpoints }
}

function merchantFor(draft: Draft, input: Input<'create_shop'>) {
  const known = input.merchant_id === undefined ? undefined : draft.get('merchants', input.merchant_id)
  if (input.merchant_id !== undefined && known === undefined) {
    throw refuse('not_found', `merchant_id: there is no merchant ${input.merchant_id.slice(0, 64)}.`)
  }
  return draft.put('merchants', {
    ...(known ?? {
      id: input.ids?.merchant_id ?? draft.context.random.uuid(),
      name: input.name ?? 'Merchant',
      created_at: draft.now,
      live_enabled: false,
    }),
    ...omitUndefined({ live_enabled: input.live_enabled, rate_limit: input.rate_limit }),
  })
}

export function updateShop({ shop_id, change }: Input<'update_shop'>, world: World, context: Context): Commit<Shop> {
  const draft = new Draft(world, context)
  const shop = requireRow(world, 'shops', shop_id)
  checkAllowList(change.ip_allow_list)
  const { live_enabled, rate_limit, ...shopChange } = change
  const merchant = world.get('merchants', shop.merchant_id)
  if (merchant !== undefined && (live_enabled !== undefined || rate_limit !== undefined)) {
    draft.put('merchants', {
      ...merchant,
      ...omitUndefined({ live_enabled, rate_limit }),
    })
  }
  return draft.commit(draft.put('shops', { ...shop, ...shopChange }))
}

/** Rotates a secret. The old one is invalid at once, and is kept only to recognize signatures made with it. */
export function rotateShopSecret(
  { shop_id, secret: which }: Input<'rotate_shop_secret'>,
  world: World,
  context: Context,
): Commit<Shop> {
  const draft = new Draft(world, context)
  const shop = requireRow(world, 'shops', shop_id)
  if (which === 'signing') {
    const former_signing_secrets = [shop.signing_secret, ...(shop.former_signing_secrets ?? [])].slice(0, 10)
    const signing_secret = secret(draft, 'thm')
    return draft.commit(draft.put('shops', { ...shop, signing_secret, former_signing_secrets }))
  }
  const former_secrets = [shop.webhook_secret, ...shop.former_secrets].slice(0, 10)
  return draft.commit(draft.put('shops', { ...shop, webhook_secret: secret(draft, 'whs'), former_secrets }))
}

export function createKey(
  command: Input<'create_key'>,
  world: World,
  context: Context,
): Commit<CommandResult<'create_key'>> {
  const draft = new Draft(world, context)
  return draft.commit(addKey(draft, requireRow(world, 'shops', command.shop_id), command.mode, command.api_key))
}

export function revokeKey({ key_id }: Input<'revoke_key'>, world: World, context: Context): Commit<ApiKey> {
  const draft = new Draft(world, context)
  const key = requireRow(world, 'keys', key_id)
  return draft.commit(draft.put('keys', { revoked_at: context.now, ...key }))
}

export function newKeyText(mode: Mode, random: Randomness): string {
  return formatKey(mode, keyPrefix(random.token, random.shard), random.token(32))
}

/** @throws RefusalError `bad_request` if the text does not have the format of a key */
export function requireKey(text: string): HashedKey {
  const known = hashedKey(text)
  if (known !== undefined) return known
  throw refuse(
    'bad_request',
    'api_key: the format is sk_test_<6 characters>_<secret> or sk_live_<6 characters>_<secret>.',
  )
}

function addKey(
  draft: Draft,
  shop: Shop,
  mode: Mode,
  given: string | HashedKey | undefined,
): { key: ApiKey; api_key: string } {
  const { random } = draft.context
  const text = typeof given === 'object' ? '' : (given ?? newKeyText(mode, random))
  const known = typeof given === 'object' ? given : requireKey(text)
  if (draft.world.find('keys', 'by_hash', known.hash).length > 0) {
    throw refuse('not_allowed', 'api_key: this key exists already; keys are unique.')
  }
  const key = draft.put('keys', {
    id: `key_${random.token(16)}`,
    merchant_id: shop.merchant_id,
    shop_id: shop.id,
    mode: known.mode,
    hash: known.hash,
    hint: known.hint,
    created_at: draft.now,
  })
  return { key, api_key: text }
}

function checkSecret(name: SecretName, given: string | undefined): void {
  const issue = given === undefined ? undefined : secretIssue(name, given)
  if (issue !== undefined) throw refuse('bad_request', `${name}: ${issue}`)
}

function checkAllowList(list: readonly string[] | undefined): void {
  for (const entry of list ?? []) {
    const issue = allowListEntryIssue(entry)
    if (issue !== undefined) throw refuse('bad_request', `ip_allow_list: ${issue}`)
  }
}
