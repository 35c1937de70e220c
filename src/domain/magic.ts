// Magic values: amounts, phones, banks, cards and texts that choose an outcome in test mode. The values are data.
import magic from '../../fixtures/magic.json' with { type: 'json' }
import { bankStatus } from './bank.ts'
import { cardDigits, cardMask } from './card-masking.ts'
import { minorUnits } from './currency.ts'
import { type Plan, parsePlan } from './simulator-plan.ts'

/** A plan and what chose it, such as `magic amount 51`: this goes to `decided_by`. */
export interface MagicPlan {
  readonly plan: Plan
  readonly label: string
}

/** A magic bank id may refuse the payout instead of planning its end. */
export type MagicBank =
  | MagicPlan
  | { readonly refusal: 'method_not_supported' | 'router_error'; readonly label: string }

/** `threeDs`: the page asks for confirmation first, and one of the two plans follows. */
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
 * Round hundreds of the major unit plus SS minor units: 100.05, 1500.51. Only in currencies with two digits: where there
 * are none, 10 051 is an ordinary price.
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

/** A payment's description that holds one of the marked words. */
export function magicDescription(text: string): MagicPlan | undefined {
  return marked(DESCRIPTIONS, text, 'magic description')
}

/** Payout phones `+700000000xx`; digits without a row of their own succeed. */
export function magicPhone(phone: string): MagicPlan | undefined {
  const digits = /^\+700000000(\d\d)$/.exec(phone)?.[1]
  if (digits === undefined) return undefined
  return { plan: plan(PHONES.get(digits) ?? magic.other_phones), label: `magic phone ${digits}` }
}

/** A recipient's name that holds one of the marked words. */
export function magicFullName(text: string): MagicPlan | undefined {
  return marked(FULL_NAMES, text, 'magic full_name')
}

/** Bank ids with a row of their own, then former members. An id that nobody knows is not magic: see `bankStatus`. */
export function magicBank(bankId: string): MagicBank | undefined {
  const row = BANKS.get(bankId)
  const label = `magic bank ${bankId}`
  if (row?.refusal === 'method_not_supported' || row?.refusal === 'router_error') return { refusal: row.refusal, label }
  if (row?.plan !== undefined) return { plan: plan(row.plan), label }
  if (bankStatus(bankId) !== 'former') return undefined
  return { plan: plan(magic.former_banks.plan), label: `former bank ${bankId}` }
}

/** A card typed on the page. The label holds its mask, never the number. */
export function magicCard(number: string): MagicCard | undefined {
  const digits = cardDigits(number)
  const row = CARDS.get(digits)
  if (row === undefined) return undefined
  const label = `card ${cardMask(digits)}`
  if (row.plan !== undefined) return { plan: plan(row.plan), label }
  const { confirmed, declined } = magic.three_ds
  return { plan: plan(magic.three_ds.plan), label, threeDs: { confirmed: plan(confirmed), declined: plan(declined) } }
}

function marked(rows: ReadonlyMap<string, string>, text: string, label: string): MagicPlan | undefined {
  for (const [word, written] of rows) if (text.includes(word)) return { plan: plan(written), label: `${label} ${word}` }
  return undefined
}

function plan(written: string): Plan {
  const read = parsePlan(written)
  if (read === undefined) throw new Error(`fixtures/magic.json holds ${JSON.stringify(written)}, which is no plan.`)
  return read
}

function table<Row>(rows: { readonly [key: string]: Row }): ReadonlyMap<string, Row> {
  return new Map(Object.entries(rows))
}
