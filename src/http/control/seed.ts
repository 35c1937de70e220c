// A seed: the first content of a new data directory, validated like the bodies of the routes that create it.
import * as z from 'zod'
import type { ShopSecrets } from '../../domain/default-shop.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import { literalsWithin, type NumberLiterals, numberLiterals } from '../../domain/number-literals.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import type { CombinedCommit } from '../../engine/command.ts'
import type { Randomness } from '../../engine/ports.ts'
import { newKeyText, requireKey } from '../../engine/shops-and-keys.ts'
import { createPaymentBody, paymentInput } from '../public/create-payment.ts'
import { createPayoutBody } from '../public/create-payout.ts'
import { ValidationError } from '../validation-error.ts'
import { anyObject } from '../value-schemas.ts'
import { faultBody } from './faults.ts'
import { validate, validatePlanned } from './input.ts'
import { ruleBody } from './rules.ts'
import { checkWrittenSettings } from './settings.ts'
import { firstShopId, shopBody, shopInput } from './shops.ts'

const LIST = 'a list of objects'
const list = z.array(anyObject('an object'), { error: LIST }).default([])

export const seedDocument = z.strictObject({
  $schema: z.string().optional(),
  shops: list,
  settings: anyObject('an object of settings').optional(),
  rules: list,
  faults: list,
  payments: list,
  payouts: list,
})

export interface CheckedSeed {
  /** The seed as an object for JSON. It contains the hashes of the API keys instead of the keys. */
  readonly document: object
  /** The hashes of the keys of its shops. */
  readonly keys: readonly string[]
  /** Its shops with the secrets that it sets. */
  readonly shops: readonly ShopSecrets[]
  /**
   * Applies the seed.
   * @param keepsShops true: existing shops and settings are kept
   * @param random returns, for a place in the seed, a generator that gives the same sequence each time
   */
  apply(commit: CombinedCommit, keepsShops: boolean, random: (place: string) => Randomness): void
}

/**
 * Validates a seed. Its payments and payouts will belong to the first shop of the seed, or to the default shop if the
 * seed has no shops.
 * @param text the JSON that the document came from, to quote its numbers as they were written
 * @throws RefusalError `bad_request` that names the path: `shops[0].endpoints[1].url: expected …`
 */
export function readSeed(document: unknown, text?: string): CheckedSeed {
  const numbers = text === undefined ? undefined : numberLiterals(text)
  const seed = withPath('', () => validate(seedDocument, document, numbers, 'seed'))
  const shops = seed.shops.map((body, i) =>
    withPath(`shops[${i}].`, () => withHashedKey(validate(shopBody, body, literalsWithin(numbers, 'shops', i)))),
  )
  return checkedSeed(seed, shops, numbers)
}

/**
 * Reads the document of a {@link CheckedSeed}.
 * @throws RefusalError like {@link readSeed}
 */
export function readStoredSeed(document: unknown): CheckedSeed {
  const seed = withPath('', () => validate(seedDocument, document, undefined, 'seed'))
  const shops = seed.shops.map((body, i) => withPath(`shops[${i}].`, () => validate(storedShop, body)))
  return checkedSeed(seed, shops, undefined)
}

const { api_key: _, ...storedFields } = shopBody.shape
const storedShop = z.strictObject({
  ...storedFields,
  known_key: z.strictObject({ hash: z.string(), hint: z.string(), mode: z.enum(['test', 'live']) }).optional(),
})
type StoredShop = z.output<typeof storedShop>

function withHashedKey({ api_key, ...shop }: z.output<typeof shopBody>): StoredShop {
  return api_key === undefined ? shop : { ...shop, known_key: requireKey(api_key) }
}

function checkedSeed(
  seed: z.output<typeof seedDocument>,
  shops: readonly StoredShop[],
  numbers: NumberLiterals | undefined,
): CheckedSeed {
  const checkEach = <T>(
    name: 'rules' | 'faults' | 'payments' | 'payouts',
    check: (body: Record<string, unknown>, numbers?: NumberLiterals) => T,
  ): T[] => seed[name].map((body, i) => withPath(`${name}[${i}].`, () => check(body, literalsWithin(numbers, name, i))))
  const rules = checkEach('rules', (body, numbers) => validate(ruleBody, body, numbers))
  const faults = checkEach('faults', (body, numbers) => validate(faultBody, body, numbers))
  const payments = checkEach('payments', (body, numbers) => validatePlanned(createPaymentBody, body, numbers))
  const payouts = checkEach('payouts', (body, numbers) => validatePlanned(createPayoutBody, body, numbers))
  return {
    // Parsed again, so that the fields of equal seeds are in the same order.
    document: { ...seed, shops: shops.map((shop) => storedShop.parse(shop)) },
    keys: shops.flatMap(({ known_key }) => known_key?.hash ?? []),
    shops,
    apply(commit, keepsShops, random) {
      const { world, execute } = commit
      if (!keepsShops)
        withPath('settings: ', () => changeSettings(commit, seed.settings, literalsWithin(numbers, 'settings')))
      const made = shops.map((body, i) =>
        atPath(`shops[${i}]`, (name) => makeShop(commit, body, keepsShops, random(name))),
      )
      const caller = { shop_id: made[0] ?? firstShopId(world), mode: 'test' } as const
      // The newest rule is tried first. In a file, the first rule must be tried first.
      for (const [i, body] of [...rules.entries()].reverse()) {
        atPath(`rules[${i}]`, (name) => execute('add_rule', omitUndefined(body), random(name)))
      }
      for (const [i, body] of [...faults.entries()].reverse()) {
        atPath(`faults[${i}]`, (name) => execute('add_fault', omitUndefined(body), random(name)))
      }
      for (const [i, { body, plan }] of payments.entries()) {
        atPath(`payments[${i}]`, (name) => {
          const input = paymentInput(body, world.settings)
          execute('create_payment', { caller, input, ...plan }, random(name))
        })
      }
      for (const [i, { body, plan }] of payouts.entries()) {
        const { method, ...input } = body
        atPath(`payouts[${i}]`, (name) =>
          execute('create_payout', { caller, input: omitUndefined(input), ...plan }, random(name)),
        )
      }
    },
  }
}

function atPath<T>(name: string, work: (name: string) => T): T {
  return withPath(`${name}.`, () => work(name))
}

/**
 * Creates a shop and returns its id. With `keepsShops`, creates none if a shop exists with the same key or, if the seed
 * has no key for it, with the same id.
 */
function makeShop(commit: CombinedCommit, body: StoredShop, keepsShops: boolean, random: Randomness): string {
  const { world, context, execute } = commit
  const ids = { merchant_id: random.uuid(), shop_id: random.uuid() }
  const { known_key, ...shop } = body
  const byKey = known_key === undefined ? undefined : world.find('keys', 'by_hash', known_key.hash)[0]
  const known = byKey?.shop_id ?? world.get('shops', ids.shop_id)?.id
  if (keepsShops && known !== undefined) return known
  // The text of a key must not be derivable from stored data.
  const key = known_key === undefined ? { api_key: newKeyText('test', context.random) } : { known_key }
  return execute('create_shop', { ...shopInput(shop), ...key, ids }, random).shop.id
}

function changeSettings(
  { execute }: CombinedCommit,
  values: Record<string, unknown> = {},
  numbers?: NumberLiterals,
): void {
  if (Object.keys(values).length === 0) return
  checkWrittenSettings(values, numbers)
  execute('change_settings', { values, keepRunSettings: true })
}

/** Puts `place` in front of an error's message, with indices in brackets: `endpoints.1.url` is `endpoints[1].url`. */
function withPath<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    if (error instanceof ValidationError) throw refuse('bad_request', error.within(place))
    const message = error.message.replace(/^[\w.]+(?=: )/, (path) => path.replace(/\.(\d+)(?=\.|$)/g, '[$1]'))
    throw refuse('bad_request', `${/^[\w.[\]]+: /.test(message) ? place : place.replace(/\.$/, ': ')}${message}`)
  }
}
