// Reads the card form. The result has no card number, only the brand, the mask, the holder and a plan.

import { cardBrand, cardDigits, cardMask, isCardNumber } from '../../domain/card-masking.ts'
import { magicCard } from '../../domain/magic.ts'
import type { Plan } from '../../domain/simulator-plan.ts'
import type { SandboxTime } from '../../domain/time.ts'
import type { PageCard } from '../../engine/command-inputs.ts'

export const CARD_FIELDS = ['number', 'expiry', 'cvc', 'holder'] as const
export type CardField = (typeof CARD_FIELDS)[number]

/**
 * The errors and the values to show again. The values never include the card number or the security code, even if the
 * buyer typed it in another field. The only exception is a code of four digits in the expiry field that reads as a
 * date.
 */
export interface CardErrors {
  readonly fields: readonly CardField[]
  /** The number of digits of the security code. */
  readonly digits: number
  /** Whether the number is empty. */
  readonly no_number: boolean
  readonly expiry: string
  readonly holder: string
}

export interface TypedCard {
  readonly card: PageCard
  /** Set if the bank asks the buyer to confirm (3-D Secure): the plan for each choice. */
  readonly threeDs?: { readonly confirmed: Plan; readonly declined: Plan }
}

/** @param magic whether card numbers select outcomes */
export function readCard(
  form: URLSearchParams,
  now: SandboxTime,
  magic: boolean,
): TypedCard | { readonly errors: CardErrors } {
  const number = cardDigits(form.get('number') ?? '')
  const expiry = (form.get('expiry') ?? '').trim().slice(0, 10)
  const cvc = (form.get('cvc') ?? '').trim()
  const holder = (form.get('holder') ?? '').trim()
  const brand = cardBrand(number)
  const digits = brand === 'American Express' ? 4 : 3
  const valid: { readonly [F in CardField]: boolean } = {
    number: isCardNumber(number),
    expiry: isFuture(expiry, now),
    cvc: cvc.length === digits && /^\d+$/.test(cvc),
    holder: /^[\p{L}\p{M} .'’-]{0,64}$/u.test(holder),
  }
  const fields = CARD_FIELDS.filter((field) => !valid[field])
  if (fields.length > 0) {
    return {
      errors: {
        fields,
        digits,
        no_number: number === '',
        expiry: dateOf(expiry) === undefined ? '' : expiry,
        holder: valid.holder ? holder : '',
      },
    }
  }
  const known = magic ? magicCard(number) : undefined
  return {
    card: {
      brand: brand ?? 'Card',
      mask: cardMask(number),
      ...(holder === '' ? {} : { holder: holder.toUpperCase() }),
      ...(known === undefined || known.threeDs !== undefined ? {} : { plan: known.plan }),
    },
    ...(known?.threeDs === undefined ? {} : { threeDs: known.threeDs }),
  }
}

/** `09/30`, `0930`, `9/2030`, `092030`. The script of the page reads the same formats. */
const MONTH_FIRST = /^(\d{1,2})\D+(20\d{2}|\d{2})$|^(\d{2})(20\d{2}|\d{2})$/
/** `2030-09` (browsers fill this in for `cc-exp`), `203009` or `30/09`. */
const YEAR_FIRST = /^(20\d{2})\D+(\d{1,2})(?:\D+\d{1,2})?$|^(20\d{2})(\d{2})$|^(\d{2})\D*(\d{2})$/

function dateOf(typed: string): { readonly month: number; readonly year: number } | undefined {
  const text = typed.trim()
  const [month, year] = numbersOf(MONTH_FIRST, text)
  if (isMonth(month)) return { month, year: Number(year) % 100 }
  const [first, second] = numbersOf(YEAR_FIRST, text)
  return isMonth(second) ? { month: second, year: Number(first) % 100 } : undefined
}

function numbersOf(pattern: RegExp, text: string): number[] {
  return (pattern.exec(text) ?? [])
    .slice(1)
    .filter((part) => part !== undefined)
    .map(Number)
}

function isMonth(month: number | undefined): month is number {
  return month !== undefined && month >= 1 && month <= 12
}

/** A card is valid through the last day of its month. */
function isFuture(text: string, now: SandboxTime): boolean {
  const date = dateOf(text)
  return date !== undefined && Date.UTC(2000 + date.year, date.month, 1) > now
}
