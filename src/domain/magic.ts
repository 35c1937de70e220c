// Magic values: amounts, phones, banks, cards and words that select an outcome in test mode.
import magic from '../../fixtures/magic.json' with { type: 'json' }
import { bankStatus } from './bank.ts'
import { cardDigits, cardMask } from './card-masking.ts'
import { minorUnits } from './currency.ts'
import { type Plan, parsePlan } from './simulator-plan.ts'

/** A plan and its source, such as `magic amount 51`, for `decided_by`. */
export interface MagicPlan {
  readonly plan: Plan
  readonly label: string
}

/** A magic bank id selects a plan or rejects the payout. */
export type MagicBank =
  | MagicPlan
  | { readonly refusal: 'method_not_supported' | 'router_error'; readonly label: string }

/** With `threeDs` the page asks for confirmation, and one of the two plans follows. */
export interface MagicCard extends MagicPlan {
  readonly threeDs?: { readonly confirmed: Plan; readonly declined: Plan }
}

const AMOUNTS = table<{ plan: string; refunds?: string }>(magic.amounts)
const PHONES = table<string>(magic.phones)
const BANKS = table<{ plan?: string; refusal?: string }>(magic.banks)
const CARDS = table<{ plan?: string; three_ds?: boolean }>(magic.cards)
const DESCRIPTIONS = table<string>(magic.descriptions)
const FULL_NAMES = table<string>(magic.full_names)

/**
 * Returns the plan for a multiple of 100 major units plus some minor units, such as 100.05 or 1500.51. Only amounts
 * with two fraction digits are magic. In a currency without fraction digits, 10 051 is an ordinary price.
 */
export function magicAmount(amount: number, currency = 'RUB'): MagicPlan | undefined {
  if (amount < 10_000 || minorUnits(currency) !== 2) return undefined
  const rest = amount % 10_000
  if (rest > 99) return undefined
  const key = String(rest).padStart(2, '0')
  const row = AMOUNTS.get(key)
  if (row === undefined) return undefined
  const named = plan(row.plan)
  const label = `magic amount ${key}`
  if (row.refunds !== 'failed' && row.refunds !== 'pending') return { plan: named, label }
  return { plan: { ...named, refunds: row.refunds }, label }
}

/** Returns the plan for a payment's description that contains a marker. */
export function magicDescription(text: string): MagicPlan | undefined {
  return findMarker(DESCRIPTIONS, text, 'magic description')
}

/** Returns the plan for a payout phone `+700000000xx`. Digits that the data file does not list succeed. */
export function magicPhone(phone: string): MagicPlan | undefined {
  const digits = /^\+700000000(\d\d)$/.exec(phone)?.[1]
  if (digits === undefined) return undefined
  return { plan: plan(PHONES.get(digits) ?? magic.other_phones), label: `magic phone ${digits}` }
}

/** Returns the plan for a recipient's name that contains a marker. */
export function magicFullName(text: string): MagicPlan | undefined {
  return findMarker(FULL_NAMES, text, 'magic full_name')
}

/** Returns the plan for a bank id of the data file or of a former member. An unknown id is not magic. */
export function magicBank(bankId: string): MagicBank | undefined {
  const row = BANKS.get(bankId)
  const label = `magic bank ${bankId}`
  if (row?.refusal === 'method_not_supported' || row?.refusal === 'router_error') return { refusal: row.refusal, label }
  if (row?.plan !== undefined) return { plan: plan(row.plan), label }
  if (bankStatus(bankId) !== 'former') return undefined
  return { plan: plan(magic.former_banks.plan), label: `former bank ${bankId}` }
}

/** Returns the plan for a card number. The label contains only its mask. */
export function magicCard(number: string): MagicCard | undefined {
  const digits = cardDigits(number)
  const row = CARDS.get(digits)
  if (row === undefined) return undefined
  const label = `card ${cardMask(digits)}`
  if (row.plan !== undefined) return { plan: plan(row.plan), label }
  const { confirmed, declined } = magic.three_ds
  return { plan: plan(magic.three_ds.plan), label, threeDs: { confirmed: plan(confirmed), declined: plan(declined) } }
}

/** The number of wrong one-time codes after which the bank declines. */
export const THREE_DS_ATTEMPTS = magic.three_ds_attempts

/** The one-time codes of 3-D Secure with a known result. */
export const THREE_DS_CODES = magic.three_ds_codes

export type OneTimeCodeResult = keyof typeof THREE_DS_CODES

/** Returns how the bank responds to a one-time code. An unknown code is wrong. */
export function checkOneTimeCode(code: string): OneTimeCodeResult {
  if (code === THREE_DS_CODES.right) return 'right'
  return code === THREE_DS_CODES.expired ? 'expired' : 'wrong'
}

function findMarker(rows: ReadonlyMap<string, string>, text: string, label: string): MagicPlan | undefined {
  for (const [word, written] of rows) if (text.includes(word)) return { plan: plan(written), label: `${label} ${word}` }
  return undefined
}

function plan(written: string): Plan {
  const read = parsePlan(written)
  if (read === undefined)
    throw new Error(`fixtures/magic.json contains ${JSON.stringify(written)}, which is not a plan.`)
  return read
}

function table<Row>(rows: { readonly [key: string]: Row }): ReadonlyMap<string, Row> {
  return new Map(Object.entries(rows))
}
